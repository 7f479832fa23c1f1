package main

// figure is a row of the report.
type figure struct {
	key, label, unit string
	scale            float64 // of the samples; 0 is 1
	digits           int
	target           target
	against          string // key of the baseline's samples
	baseline         string // what it is
	quantile         float64
}

// target is what a figure is to reach: at least or at most a limit; the zero value is none.
type target struct {
	limit float64
	least bool
}

func atLeast(limit float64) target { return target{limit: limit, least: true} }
func atMost(limit float64) target  { return target{limit: limit} }

// section is a table of the report.
type section struct {
	title, note string
	rows        []figure
}

// p95 is the quantile of a figure that says what is rarely exceeded.
const p95 = 0.95

// throughBridge are the rows of a project that is indexed and asked through the bridge; key begins the keys of its
// samples.
func throughBridge(key string) []figure {
	return []figure{
		{key: key + "useful", label: "first answer after create_index", unit: "s", digits: 1, target: atMost(10)},
		{key: key + "text", label: "every file searchable by text", unit: "s", digits: 1},
		{key: key + "all", label: "all done", unit: "s", digits: 1},
		{key: key + "during", label: "search while vectors are made, p50", unit: "ms", digits: 1, target: atMost(15)},
		{key: key + "during", label: "the same, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40)},
		{key: key + "after", label: "search right after, p50", unit: "ms", digits: 1, target: atMost(15)},
		{key: key + "after", label: "the same, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40)},
		{key: key + "rest", label: "search at rest, p50", unit: "ms", digits: 1, target: atMost(15)},
		{key: key + "rest", label: "the same, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40)},
		{key: key + "rate", label: "vectors a second", against: key + "bare",
			baseline: "bare ONNX Runtime, by turns, on a sample of the texts"},
		{key: key + "of", label: "of what ONNX Runtime gives alone", unit: "%", target: atLeast(95)},
		{key: key + "tokens", label: "tokens a second"},
		{key: key + "minute", label: "memory of all programs a minute after", unit: "MB", target: atMost(100)},
		{key: key + "minutes", label: "the same, ten minutes after", unit: "MB", target: atMost(35)},
	}
}

var sections = []section{
	{title: "The specification's targets", note: "RFC 11, each measured where it is hardest to reach.", rows: []figure{
		{key: "large.search", label: "search latency, p95, {large.chunks} chunks", unit: "ms", digits: 1, quantile: p95,
			target: atMost(200)},
		{key: "text.files", label: "indexing until searchable by words, files a second", target: atLeast(100)},
		{key: "vectors.peak", label: "highest memory while indexing", unit: "MB", target: atMost(500)},
		{key: "idle.memory", label: "memory idle, five projects watched", unit: "MB", target: atMost(100)},
		{key: "ready.app", label: "start of bridge and app until initialize is answered", unit: "ms", target: atMost(2000)},
		{key: "save.p95", label: "save to searchable, p95", unit: "ms", target: atMost(1000)},
	}},
	{title: "Indexing",
		note: "A project of {project.files} files and {project.mb} MB. Text is searchable first; vectors follow.",
		rows: []figure{
			{key: "text.seconds", label: "searchable by text", unit: "s", digits: 2, target: atMost(10)},
			{key: "text.files", label: "files a second, text", target: atLeast(1000), against: "bleve.files",
				baseline: "bare bleve"},
			{key: "text.files", label: "the same", target: atLeast(1000), against: "fts5.files", baseline: "SQLite FTS5"},
			{key: "text.mb", label: "text", unit: "MB/s", digits: 1, target: atLeast(6), against: "bleve.mb",
				baseline: "bare bleve"},
			{key: "text.mbcpu", label: "text, for each second of a core", unit: "MB", digits: 1},
			{key: "text.peak", label: "highest memory, text", unit: "MB", target: atMost(500)},
			{key: "vectors.chunks", label: "chunks"},
			{key: "vectors.rate", label: "chunks embedded a second", digits: 0, target: atLeast(160)},
			{key: "vectors.busy", label: "cores at work meanwhile", unit: "%"},
			{key: "vectors.all", label: "all done", unit: "s", digits: 1},
			{key: "vectors.peak", label: "highest memory, vectors", unit: "MB", target: atMost(500)},
			{key: "disk.mb", label: "index on disk", unit: "MB"},
			{key: "disk.ratio", label: "of that without vectors, times text, at rest", digits: 2, target: atMost(2.5)},
			{key: "reindex", label: "reindex, nothing changed", unit: "s", digits: 1, target: atMost(10)},
		}},
	{title: "Embedding",
		note: "The model alone on 256 texts: through the product, and by nothing but concurrent runs of ONNX " +
			"Runtime in the same process.", rows: []figure{
			{key: "embed.texts", label: "texts a second", against: "embed.bare", baseline: "bare ONNX Runtime"},
			{key: "embed.wall", label: "of what ONNX Runtime gives alone, time", unit: "%", target: atLeast(85)},
			{key: "embed.cpu", label: "the same, processor time", unit: "%", target: atLeast(85)},
			{key: "embed.tokens", label: "tokens a second of a core"},
			{key: "query.idle", label: "vector of a question", unit: "ms", digits: 2},
			{key: "query.busy", label: "the same while all cores embed", unit: "ms", digits: 2},
		}},
	{title: "Search",
		note: "Eleven questions, asked in turn after a first round that warms up. Bleve and FTS5 search the same files by " +
			"words alone; ripgrep reads them.", rows: []figure{
			{key: "search", label: "words and meaning, p50", unit: "ms", digits: 1, target: atMost(15)},
			{key: "search", label: "words and meaning, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40),
				against: "rg", baseline: "ripgrep"},
			{key: "lexical", label: "words alone, p50", unit: "ms", digits: 1, target: atMost(15), against: "bleve.search",
				baseline: "bare bleve"},
			{key: "lexical", label: "words alone, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40),
				against: "fts5.search", baseline: "SQLite FTS5"},
			{key: "first", label: "first after the start", unit: "ms", target: atMost(150)},
			{key: "five.first", label: "first after idle, model unloaded, files cached", unit: "ms", target: atMost(150)},
			{key: "grep.p95", label: "grep_code over 10,000 files of 6 KB, p95", unit: "ms", target: atMost(300)},
			{key: "grep.bare", label: "with a pattern that requires no literal, p95", unit: "ms"},
			{key: "grep.cpu", label: "processor time of one answer", unit: "ms"},
		}},
	{title: "Search at {large.chunks} chunks",
		note: "Go's own source and made-up files, {large.files} in all. The vectors of chunks are made up (a thousand " +
			"topics with noise), those of questions are the model's.", rows: []figure{
			{key: "large.search", label: "words and meaning, p50", unit: "ms", digits: 1, target: atMost(15)},
			{key: "large.search", label: "words and meaning, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40)},
			{key: "large.lexical", label: "words alone, p50", unit: "ms", digits: 1, target: atMost(15)},
			{key: "large.lexical", label: "words alone, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40)},
			{key: "large.longest", label: "a question of 60 KB", unit: "ms", target: atMost(2000)},
			{key: "large.cancel", label: "until a search that is cancelled has ended, at most", unit: "ms", digits: 1,
				quantile: 1, target: atMost(100)},
			{key: "large.mb", label: "text indexed", unit: "MB/s", digits: 1, target: atLeast(6)},
			{key: "large.text", label: "searchable by text", unit: "s", digits: 1},
			{key: "large.peak", label: "highest memory", unit: "MB", target: atMost(500)},
			{key: "large.disk.ratio", label: "index without vectors, times text", digits: 2, target: atMost(2.5)},
		}},
	{title: "Through the bridge",
		note: "An MCP client of somebody else starts the bridge as an editor does and asks the questions above: " +
			"{bridge.chunks} chunks of real code, real vectors.", rows: throughBridge("bridge.")},
	{title: "Nearest vectors of 100,000",
		note: "The sketch beside the table, and LanceDB's comparison of every vector, which says what is right, in one " +
			"run; made-up vectors, twenty around a centre; 200 wanted.", rows: []figure{
			{key: "nearest.recall", label: "recall@10", unit: "%", scale: 100, digits: 1, target: atLeast(97)},
			{key: "nearest.p50", label: "p50", unit: "ms", digits: 1, target: atMost(10), against: "nearest.exact",
				baseline: "exact search"},
			{key: "nearest.p95", label: "p95", unit: "ms", digits: 1, target: atMost(25), against: "nearest.exact95",
				baseline: "exact search"},
		}},
	{title: "Nearest vectors of 1,000,000",
		note: "The sketch and LanceDB's comparison of every vector, as with 100,000 above.", rows: []figure{
			{key: "million.recall", label: "recall@10", unit: "%", scale: 100, digits: 1, target: atLeast(97)},
			{key: "million.p50", label: "p50", unit: "ms", digits: 1, target: atMost(40), against: "million.exact",
				baseline: "exact search"},
			{key: "million.p95", label: "p95", unit: "ms", digits: 1, target: atMost(80), against: "million.exact95",
				baseline: "exact search"},
		}},
	{title: "Start and rest", note: "Five projects are open and watched.", rows: []figure{
		{key: "ready.app", label: "bridge and app started, initialize answered", unit: "ms", target: atMost(2000)},
		{key: "ready.bridge", label: "bridge started beside a running app", unit: "ms"},
		{key: "open.empty", label: "engine open, no project", unit: "ms", target: atMost(2000)},
		{key: "open.indexed", label: "engine open, project indexed", unit: "ms", target: atMost(2000)},
		{key: "close", label: "close", unit: "ms"},
		{key: "idle.memory", label: "memory after a start", unit: "MB", target: atMost(100)},
		{key: "five.memory", label: "memory after indexing, model unloaded", unit: "MB", target: atMost(100)},
		{key: "rest.peak", label: "highest memory while four of them were indexed", unit: "MB", target: atMost(500)},
		{key: "window.first", label: "window opened, first frame, drawn by the processor", unit: "ms", target: atMost(1000)},
		{key: "window.processor", label: "processor of the open window", unit: "%", digits: 1, target: atMost(1)},
		{key: "idle.processor", label: "processor", unit: "%", digits: 2, target: atMost(0.1)},
		{key: "idle.wakes", label: "wake-ups of all threads a second", digits: 1, target: atMost(5)},
	}},
	{title: "Changes", note: "RFC 5.5 waits for 500 ms of quiet before a saved file is looked at.", rows: []figure{
		{key: "save.p50", label: "save to searchable, p50", unit: "ms", target: atMost(1000)},
		{key: "save.p95", label: "save to searchable, p95", unit: "ms", target: atMost(1000)},
		{key: "updates.rate", label: "updates a second, one by one, compactions in it", digits: 0, target: atLeast(20)},
		{key: "updates.before", label: "speed right before a compaction, of fresh, processor time", unit: "%",
			target: atLeast(50)},
		{key: "updates.after", label: "right after one, of fresh", unit: "%", target: atLeast(90)},
		{key: "rescan.ns", label: "rescan of 50,000 unchanged files", unit: "s", scale: 1e-9, digits: 2, target: atMost(1)},
	}},
	{title: "Other sources",
		note: "10,000 documents, a site of 10,000 pages, an archive of 100,000 citations, a named index of 10,000 " +
			"texts; one search each.", rows: []figure{
			{key: "documents.ns", label: "documents", unit: "ms", scale: 1e-6, digits: 1, target: atMost(50)},
			{key: "site.ns", label: "site", unit: "ms", scale: 1e-6, digits: 1, target: atMost(50)},
			{key: "archive.ns", label: "archive", unit: "ms", scale: 1e-6, digits: 1, target: atMost(50)},
			{key: "archive.fuzzy", label: "archive, with typing errors", unit: "ms", scale: 1e-6, digits: 1, target: atMost(50)},
			{key: "named.ns", label: "named index", unit: "ms", scale: 1e-6, digits: 1, target: atMost(50)},
		}},
	{title: "A monorepo of {monorepo.gb} GB",
		note: "{monorepo.files} made-up files, {monorepo.chunks} chunks, made-up vectors.", rows: []figure{
			{key: "monorepo.text", label: "searchable by text", unit: "s"},
			{key: "monorepo.mb", label: "text", unit: "MB/s", digits: 1, target: atLeast(6)},
			{key: "monorepo.all", label: "all done", unit: "s"},
			{key: "monorepo.stall", label: "longest time without progress", unit: "s", digits: 1, target: atMost(10)},
			{key: "monorepo.peak", label: "highest memory", unit: "MB", target: atMost(500)},
			{key: "monorepo.disk.ratio", label: "index without vectors, times text", digits: 2, target: atMost(2.5)},
			{key: "monorepo.search", label: "search, words and meaning, p50", unit: "ms", digits: 1, target: atMost(200)},
			{key: "monorepo.lexical", label: "search, words alone, p50", unit: "ms", digits: 1, target: atMost(200)},
		}},
}

// growthRows are the columns of the table of sizes.
var growthRows = []figure{
	{key: "growth.text", label: "ms a file, text", digits: 2},
	{key: "growth.cpu", label: "of a core, ms a file", digits: 2},
	{key: "growth.all", label: "ms a file, all", digits: 2},
	{key: "growth.add", label: "one file added, ms", digits: 1},
	{key: "growth.peak", label: "highest memory, MB"},
	{key: "growth.disk.ratio", label: "index without vectors, times text", digits: 2},
}
