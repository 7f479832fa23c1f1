package main

// figure is a row of the report.
type figure struct {
	key, label, unit string
	scale            float64 // factor of the samples; 0 means 1
	digits           int     // decimal places
	target           target
	against          string // key of the baseline's samples, or ""
	baseline         string
	quantile         float64 // 0 means the median
}

// target is a minimum of a figure, or a maximum if least is false. The zero value is no target.
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

// p95 is the 95th percentile.
const p95 = 0.95

// throughBridge returns the rows of a project that is indexed and searched through the bridge. The keys of its
// samples begin with key.
func throughBridge(key string) []figure {
	return []figure{
		{key: key + "useful", label: "first answer after create_index", unit: "s", digits: 1, target: atMost(10)},
		{key: key + "text", label: "every file searchable by text", unit: "s", digits: 1},
		{key: key + "all", label: "text and vectors", unit: "s", digits: 1},
		{key: key + "during", label: "search while vectors are computed, p50", unit: "ms", digits: 1, target: atMost(15)},
		{key: key + "during", label: "the same, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40)},
		{key: key + "after", label: "search immediately afterwards, p50", unit: "ms", digits: 1, target: atMost(15)},
		{key: key + "after", label: "the same, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40)},
		{key: key + "rest", label: "search when idle, p50", unit: "ms", digits: 1, target: atMost(15)},
		{key: key + "rest", label: "the same, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40)},
		{key: key + "rate", label: "vectors per second", against: key + "bare",
			baseline: "ONNX Runtime alone, in alternating runs, on a sample of the texts"},
		{key: key + "of", label: "relative to ONNX Runtime alone", unit: "%", target: atLeast(95)},
		{key: key + "tokens", label: "tokens per second"},
		{key: key + "minute", label: "memory of all programs after a minute", unit: "MB", target: atMost(100)},
		{key: key + "minutes", label: "the same after ten minutes", unit: "MB", target: atMost(35)},
	}
}

var sections = []section{
	{title: "The specification's targets", note: "RFC 11, each in the most difficult case.", rows: []figure{
		{key: "large.search", label: "search latency, p95, {large.chunks} chunks", unit: "ms", digits: 1, quantile: p95,
			target: atMost(200)},
		{key: "text.files", label: "files per second until searchable by words", target: atLeast(100)},
		{key: "vectors.peak", label: "highest memory while indexing", unit: "MB", target: atMost(500)},
		{key: "idle.memory", label: "memory when idle, five projects watched", unit: "MB", target: atMost(100)},
		{key: "ready.app", label: "start of bridge and app until initialize is answered", unit: "ms", target: atMost(2000)},
		{key: "save.p95", label: "save to searchable, p95", unit: "ms", target: atMost(1000)},
	}},
	{title: "Indexing",
		note: "A project of {project.files} files and {project.mb} MB. Text is searchable first; vectors follow.",
		rows: []figure{
			{key: "text.seconds", label: "searchable by text", unit: "s", digits: 2, target: atMost(10)},
			{key: "text.files", label: "text of files per second", target: atLeast(1000), against: "bleve.files",
				baseline: "bleve alone"},
			{key: "text.files", label: "the same", target: atLeast(1000), against: "fts5.files", baseline: "SQLite FTS5"},
			{key: "text.mb", label: "text", unit: "MB/s", digits: 1, target: atLeast(6), against: "bleve.mb",
				baseline: "bleve alone"},
			{key: "text.mbcpu", label: "text per second of processor time", unit: "MB", digits: 1},
			{key: "text.peak", label: "highest memory, text", unit: "MB", target: atMost(500)},
			{key: "vectors.chunks", label: "chunks"},
			{key: "vectors.rate", label: "chunks embedded per second", digits: 0, target: atLeast(160)},
			{key: "vectors.busy", label: "load of the cores meanwhile", unit: "%"},
			{key: "vectors.all", label: "text and vectors", unit: "s", digits: 1},
			{key: "vectors.peak", label: "highest memory, vectors", unit: "MB", target: atMost(500)},
			{key: "disk.mb", label: "index on disk", unit: "MB"},
			{key: "disk.ratio", label: "size without vectors relative to the text, when idle", digits: 2, target: atMost(2.5)},
			{key: "reindex", label: "reindex, nothing changed", unit: "s", digits: 1, target: atMost(10)},
		}},
	{title: "Embedding",
		note: "256 texts, by the app's embedder and by concurrent runs of ONNX Runtime alone in the same process.",
		rows: []figure{
			{key: "embed.texts", label: "texts per second", against: "embed.bare", baseline: "ONNX Runtime alone"},
			{key: "embed.wall", label: "speed relative to ONNX Runtime alone", unit: "%", target: atLeast(85)},
			{key: "embed.cpu", label: "the same, processor time", unit: "%", target: atLeast(85)},
			{key: "embed.tokens", label: "tokens per second of processor time"},
		}},
	{title: "Search",
		note: "Eleven questions in turn, after a round that is not measured. Bleve and FTS5 search the same files by words " +
			"only, and ripgrep reads them.", rows: []figure{
			{key: "search", label: "words and meaning, p50", unit: "ms", digits: 1, target: atMost(15)},
			{key: "search", label: "words and meaning, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40),
				against: "rg", baseline: "ripgrep"},
			{key: "lexical", label: "words alone, p50", unit: "ms", digits: 1, target: atMost(15), against: "bleve.search",
				baseline: "bleve alone"},
			{key: "lexical", label: "words alone, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40),
				against: "fts5.search", baseline: "SQLite FTS5"},
			{key: "first", label: "first search after a start", unit: "ms", target: atMost(150)},
			{key: "five.first", label: "first search after idling, model unloaded, files cached", unit: "ms",
				target: atMost(150)},
			{key: "grep.p95", label: "grep_code over 10,000 files of 6 KB, p95", unit: "ms", target: atMost(300)},
			{key: "grep.bare", label: "with a pattern that requires no literal, p95", unit: "ms"},
			{key: "grep.cpu", label: "processor time of one answer", unit: "ms"},
		}},
	{title: "Search at {large.chunks} chunks",
		note: "The source of Go and generated files, {large.files} in total. The vectors of chunks are generated (a " +
			"thousand topics with noise), and the model computes the vectors of questions.", rows: []figure{
			{key: "large.search", label: "words and meaning, p50", unit: "ms", digits: 1, target: atMost(15)},
			{key: "large.search", label: "words and meaning, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40)},
			{key: "large.lexical", label: "words alone, p50", unit: "ms", digits: 1, target: atMost(15)},
			{key: "large.lexical", label: "words alone, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(40)},
			{key: "large.long", label: "words and meaning, comments of 40 words, p50", unit: "ms", digits: 1, target: atMost(20)},
			{key: "large.long", label: "the same, p95", unit: "ms", digits: 1, quantile: p95, target: atMost(35)},
			{key: "large.longest", label: "a question of 60 KB", unit: "ms", target: atMost(2000)},
			{key: "large.cancel", label: "longest time until a cancelled search has ended", unit: "ms", digits: 1,
				quantile: 1, target: atMost(100)},
			{key: "large.mb", label: "text indexed", unit: "MB/s", digits: 1, target: atLeast(6)},
			{key: "large.text", label: "searchable by text", unit: "s", digits: 1},
			{key: "large.peak", label: "highest memory", unit: "MB", target: atMost(500)},
			{key: "large.disk.ratio", label: "index without vectors relative to the text", digits: 2, target: atMost(2.5)},
		}},
	{title: "Through the bridge",
		note: "A foreign MCP client starts the bridge like an editor and asks the questions above. The project has " +
			"{bridge.chunks} chunks of real code with real vectors.", rows: throughBridge("bridge.")},
	{title: "Nearest vectors of 100,000",
		note: "The 200 nearest of generated vectors, with twenty vectors around each centre. The sketch is compared with " +
			"LanceDB's exact search in the same run.", rows: []figure{
			{key: "nearest.recall", label: "recall@10", unit: "%", scale: 100, digits: 1, target: atLeast(97)},
			{key: "nearest.p50", label: "p50", unit: "ms", digits: 1, target: atMost(10), against: "nearest.exact",
				baseline: "exact search"},
			{key: "nearest.p95", label: "p95", unit: "ms", digits: 1, target: atMost(25), against: "nearest.exact95",
				baseline: "exact search"},
		}},
	{title: "Nearest vectors of 1,000,000",
		note: "As with 100,000 vectors above.", rows: []figure{
			{key: "million.recall", label: "recall@10", unit: "%", scale: 100, digits: 1, target: atLeast(97)},
			{key: "million.p50", label: "p50", unit: "ms", digits: 1, target: atMost(40), against: "million.exact",
				baseline: "exact search"},
			{key: "million.p95", label: "p95", unit: "ms", digits: 1, target: atMost(80), against: "million.exact95",
				baseline: "exact search"},
		}},
	{title: "Start and idling", note: "Five projects are open and watched.", rows: []figure{
		{key: "ready.app", label: "bridge and app started, initialize answered", unit: "ms", target: atMost(2000)},
		{key: "ready.bridge", label: "bridge started while the app is running", unit: "ms"},
		{key: "open.empty", label: "engine open, no project", unit: "ms", target: atMost(2000)},
		{key: "open.indexed", label: "engine open, project indexed", unit: "ms", target: atMost(2000)},
		{key: "close", label: "close", unit: "ms"},
		{key: "idle.memory", label: "memory of the built programs after a start", unit: "MB", target: atMost(60)},
		{key: "five.memory", label: "memory after indexing, model unloaded", unit: "MB", target: atMost(100)},
		{key: "five.peak", label: "highest memory while four of them were indexed", unit: "MB", target: atMost(500)},
		{key: "window.first", label: "window opened, first frame, drawn by the processor", unit: "ms", target: atMost(1000)},
		{key: "window.processor", label: "processor load of the open window", unit: "%", digits: 1, target: atMost(1)},
		{key: "idle.processor", label: "processor load", unit: "%", digits: 2, target: atMost(0.1)},
		{key: "idle.wakes", label: "wake-ups of all threads per second", digits: 1, target: atMost(5)},
	}},
	{title: "Changes", note: "RFC 5.5 requires 500 ms without events before a saved file is read.", rows: []figure{
		{key: "save.p50", label: "save to searchable, p50", unit: "ms", target: atMost(1000)},
		{key: "save.p95", label: "save to searchable, p95", unit: "ms", target: atMost(1000)},
		{key: "updates.rate", label: "single updates per second, with compactions", digits: 0, target: atLeast(20)},
		{key: "updates.before", label: "speed before a compaction relative to a new index, processor time", unit: "%",
			target: atLeast(50)},
		{key: "updates.after", label: "speed after a compaction relative to a new index", unit: "%", target: atLeast(90)},
		{key: "rescan.ns", label: "rescan of 50,000 unchanged files", unit: "s", scale: 1e-9, digits: 2, target: atMost(1)},
	}},
	{title: "Other sources",
		note: "10,000 documents, a site of 10,000 pages, an archive of 100,000 citations, a named index of 10,000 " +
			"texts. One search of each.", rows: []figure{
			{key: "documents.ns", label: "documents", unit: "ms", scale: 1e-6, digits: 1, target: atMost(50)},
			{key: "site.ns", label: "site", unit: "ms", scale: 1e-6, digits: 1, target: atMost(50)},
			{key: "archive.ns", label: "archive", unit: "ms", scale: 1e-6, digits: 1, target: atMost(50)},
			{key: "archive.fuzzy", label: "archive, with typing errors", unit: "ms", scale: 1e-6, digits: 1, target: atMost(50)},
			{key: "named.ns", label: "named index", unit: "ms", scale: 1e-6, digits: 1, target: atMost(50)},
		}},
	{title: "A monorepo of {monorepo.gb} GB",
		note: "{monorepo.files} generated files with {monorepo.chunks} chunks and generated vectors.", rows: []figure{
			{key: "monorepo.text", label: "searchable by text", unit: "s"},
			{key: "monorepo.mb", label: "text", unit: "MB/s", digits: 1, target: atLeast(6)},
			{key: "monorepo.all", label: "text and vectors", unit: "s"},
			{key: "monorepo.stall", label: "longest time without progress", unit: "s", digits: 1, target: atMost(10)},
			{key: "monorepo.peak", label: "highest memory", unit: "MB", target: atMost(500)},
			{key: "monorepo.disk.ratio", label: "index without vectors relative to the text", digits: 2, target: atMost(2.5)},
			{key: "monorepo.search", label: "search, words and meaning, p50", unit: "ms", digits: 1, target: atMost(200)},
			{key: "monorepo.lexical", label: "search, words alone, p50", unit: "ms", digits: 1, target: atMost(200)},
		}},
}

// growthRows are the columns of the table "Cost by size".
var growthRows = []figure{
	{key: "growth.text", label: "text, ms per file", digits: 2},
	{key: "growth.cpu", label: "processor time, ms per file", digits: 2},
	{key: "growth.all", label: "text and vectors, ms per file", digits: 2},
	{key: "growth.add", label: "one file added, ms", digits: 1},
	{key: "growth.peak", label: "highest memory, MB"},
	{key: "growth.disk.ratio", label: "index without vectors relative to the text", digits: 2},
}
