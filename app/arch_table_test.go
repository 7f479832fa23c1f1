package app_test

// A row says what one package of this module may import of this module. A pattern is a path, or a path and "/..." for
// everything at and below it. A package without a row of its own has the row of the closest folder above it that has one
// and is not alone, and shares that folder's private life: packages of one row may import each other.
type row struct {
	path   string
	may    []string
	alone  bool // the row is not inherited: a new folder below needs a row of its own
	reason string
}

// layers is the table of the module, downwards. ARCHITECTURE.md draws it.
var layers = []row{
	{path: "app/cmd/search-mcp", may: []string{"app/cli", "app/version"},
		reason: "editors start it: pure Go, milliseconds, no engine"},
	{path: "app/cmd/search-mcp-app", may: []string{"app", "app/cli", "app/client", "app/ipc", "app/tray", "app/version"},
		reason: "the resident program's main only chooses options"},
	{path: "app/cmd/search-mcp-worker", may: []string{"app/version", "engine/worker", "engine/worker/serve"},
		reason: "the worker knows nothing of app and projects"},
	{path: "app/cmd/search-mcp-window", may: []string{"app/client", "app/connect", "app/ipc", "app/login", "app/version", "app/wire", "engine/api", "ui/..."},
		reason: "the window's main joins ui to the socket's client; what it knows it knows through the socket"},
	{path: "app", alone: true, may: []string{"app/endpoint", "app/hotkey", "app/ipc", "app/tray", "app/update", "app/version", "app/wire", "engine", "engine/api", "assets/..."},
		reason: "joins the parts of the resident program"},
	{path: "app/bench", alone: true, may: []string{"app/bench/baseline", "engine", "engine/api", "engine/embed", "engine/embed/onnx", "engine/store", "engine/worker", "engine/worker/workertest"},
		reason: "measures the engine through its door, with the real model's vectors for questions and made-up ones for texts"},
	{path: "app/bench/symbols", may: []string{"app/endpoint/tools", "engine", "engine/api", "engine/search/quality", "engine/search/quality/token", "engine/worker", "engine/worker/workertest"},
		reason: "measures the engine through its door, and what its answers cost an assistant"},
	{path: "app/bench/sources", may: []string{"engine", "engine/api"}, reason: "asks the other sources through the engine's door"},
	{path: "app/bench/baseline", reason: "what the product is measured against knows nothing of it"},
	{path: "app/e2e", reason: "tests of the whole drive the programs from outside"},
	{path: "app/endpoint", may: []string{"app/endpoint/...", "app/jsonrpc", "app/wire", "engine/api"},
		reason: "joins its rooms; the MCP server knows the engine by the interfaces that they declare"},
	{path: "app/endpoint/session", may: []string{"app/endpoint/words", "app/jsonrpc", "app/wire", "engine/api"},
		reason: "a connection knows no tool and no engine"},
	{path: "app/endpoint/target", may: []string{"app/endpoint/session", "app/endpoint/words", "engine/api", "engine/glob"},
		reason: "what a session means, whatever is done with it"},
	{path: "app/endpoint/confirm", may: []string{"app/endpoint/session", "app/endpoint/words", "app/wire", "engine/api"},
		reason: "the one place where a question is put knows no tool"},
	{path: "app/endpoint/activity", may: []string{"engine/api"}, reason: "a record of whatever was called"},
	{path: "app/endpoint/tools", may: []string{"app/endpoint/activity", "app/endpoint/confirm", "app/endpoint/session", "app/endpoint/target", "app/endpoint/words", "app/wire", "engine/api"},
		reason: "tools ask and answer through their neighbours"},
	{path: "app/endpoint/resources", may: []string{"app/endpoint/session", "app/endpoint/target", "app/endpoint/words", "engine/api"},
		reason: "documents are no tools"},
	{path: "app/endpoint/prompts", may: []string{"app/endpoint/words"}, reason: "constant texts"},
	{path: "app/endpoint/admin", may: []string{"app/endpoint/activity", "app/endpoint/confirm", "app/endpoint/session", "app/endpoint/target", "app/endpoint/words", "app/jsonrpc", "app/wire", "engine/api"},
		reason: "private methods know no tool"},
	{path: "app/endpoint/words", reason: "pure functions over text"},
	{path: "app/cli", may: []string{"app/cli/bridge", "app/cli/term", "app/client", "app/connect", "app/highlight", "app/ipc", "app/version", "app/wire", "engine/api", "engine/site/schema"},
		reason: "the command line is a client of the socket"},
	{path: "app/cli/bridge", may: []string{"app/ipc", "app/jsonrpc", "app/version", "app/wire"},
		reason: "the bridge forwards messages and knows none of the tools"},
	{path: "app/cli/term", may: []string{"app/highlight"}, reason: "shows text at a terminal, whatever it is about"},
	{path: "app/connect", may: []string{"engine/api"}, reason: "files of editors, known to nobody else"},
	{path: "app/client", may: []string{"app/ipc", "app/jsonrpc", "app/version", "app/wire", "engine/api"},
		reason: "the client speaks the socket's protocol"},
	{path: "app/tray", may: []string{"app/version", "app/wire", "engine/api", "assets/..."},
		reason: "the icon shows a state it is handed"},
	{path: "app/hotkey", reason: "keys and the desktop, whatever they are for"},
	{path: "app/login", reason: "an entry for a program, whatever that does"},
	{path: "app/jsonrpc", reason: "messages and their framing, whatever they say"},
	{path: "app/highlight", reason: "marks words in a text, whoever shows it"},
	{path: "app/ipc", may: []string{"app/version", "app/wire"}, reason: "addresses and connections, no messages"},
	{path: "app/update", may: []string{"app/version"}, reason: "a feed of versions; neither engine nor socket"},
	{path: "app/wire", may: []string{"engine/api"}, reason: "names of the private protocol"},
	{path: "app/version", reason: "a leaf that every program can import"},

	{path: "ui", may: []string{"ui/...", "app/highlight", "app/wire", "engine/api", "assets/..."}, reason: "pages know api's nouns and the interface ui declares"},

	{path: "engine", alone: true, may: []string{"engine/api", "engine/chunk", "engine/disk", "engine/embed", "engine/jobs", "engine/machine", "engine/memory", "engine/native", "engine/project", "engine/sources", "engine/store/cache", "engine/store/files", "engine/store/vector", "engine/throttle", "engine/worker"},
		reason: "opens, closes and wires the rooms; the work is theirs"},
	{path: "engine/project", may: []string{"engine/api", "engine/chunk", "engine/disk", "engine/index", "engine/jobs", "engine/policy", "engine/scan", "engine/search", "engine/secret", "engine/share", "engine/store", "engine/store/cache", "engine/store/files", "engine/store/text", "engine/store/vector", "engine/symbol", "engine/symbol/find", "engine/watch"},
		reason: "a project's life; neither sources nor the model nor why work has to wait"},
	{path: "engine/sources", may: []string{"engine/api", "engine/archive", "engine/disk", "engine/docs", "engine/jobs", "engine/named", "engine/policy", "engine/scan", "engine/site", "engine/site/schema", "engine/store/files", "engine/watch"},
		reason: "what is served beside the projects knows these by the interface it declares"},
	{path: "engine/throttle", may: []string{"engine/machine"}, reason: "whether work has to wait, whatever it is"},
	{path: "engine/disk", may: []string{"engine/api"}, reason: "free space, whoever wants it"},
	{path: "engine/index", may: []string{"engine/api", "engine/chunk", "engine/chunk/treesitter", "engine/disk", "engine/embed", "engine/jobs", "engine/machine", "engine/memory", "engine/policy", "engine/scan", "engine/store", "engine/watch"},
		reason: "the actor is the one place where changes become an index"},
	{path: "engine/search", may: []string{"engine/api", "engine/glob", "engine/policy", "engine/search/excerpt", "engine/store", "engine/store/text"},
		reason: "reads the store; shares the text index's analyser, so that a query's words are the index's"},
	{path: "engine/search/excerpt", may: []string{"engine/chunk", "engine/store/text"},
		reason: "text and words to telling lines; chunk knows what a line is for in each language, the text index what a word is"},
	{path: "engine/search/quality/token", reason: "counts, whatever it is"},
	{path: "engine/search/quality", may: []string{"engine/api", "engine/chunk", "engine/chunk/treesitter", "engine/embed", "engine/embed/onnx", "engine/policy", "engine/scan", "engine/search", "engine/search/quality/token", "engine/store", "engine/store/text"},
		reason: "measures search on real projects; nothing of the product imports it"},
	{path: "engine/markup", may: []string{"engine/api", "engine/codepage"}, reason: "bytes of a document to its parts, whatever becomes of them"},
	{path: "engine/fulltext", may: []string{"engine/api"}, reason: "a small index in memory that sources share"},
	{path: "engine/docs", may: []string{"engine/api", "engine/fulltext", "engine/markup", "engine/policy", "engine/scan"}, reason: "reads a project's documents under policy"},
	{path: "engine/site", may: []string{"engine/api", "engine/bucket", "engine/fulltext", "engine/markup", "engine/policy", "engine/scan", "engine/secret", "engine/site/schema"}, reason: "a site's index is a format of its own"},
	{path: "engine/site/schema", reason: "the command line checks an index with it, without an engine"},
	{path: "engine/named", may: []string{"engine/api", "engine/fulltext"}, reason: "named indexes live beside the projects"},
	{path: "engine/archive", may: []string{"engine/api", "engine/fulltext", "engine/markup", "engine/pdf", "engine/policy", "engine/scan"}, reason: "archives are a format of their own"},
	{path: "engine/codepage", reason: "bytes to text, whatever it is"},
	{path: "engine/pdf", reason: "bytes of a PDF to text, whatever becomes of it"},
	{path: "engine/scan", may: []string{"engine/api", "engine/policy"}, reason: "neighbours don't know each other"},
	{path: "engine/watch", may: []string{"engine/api", "engine/policy"}, reason: "the watcher only hints; it knows neither scan nor store"},
	{path: "engine/chunk", may: []string{"engine/api", "engine/chunk/tree", "engine/codepage"}, reason: "bytes to chunks, whatever becomes of them"},
	{path: "engine/chunk/tree", reason: "what rules need of a parser; it keeps the rules free of C"},
	{path: "engine/chunk/treesitter", may: []string{"engine/chunk/tree"}, reason: "parsers know no rules"},
	{path: "engine/native", may: []string{"engine/machine"}, reason: "frames and processes, whatever is called"},
	{path: "engine/symbol", may: []string{"engine/chunk", "engine/chunk/tree"}, reason: "a name in parsed files, whatever index knows of them"},
	{path: "engine/symbol/find", may: []string{"engine/api", "engine/chunk", "engine/search", "engine/store", "engine/store/text", "engine/symbol"},
		reason: "asks the index for files and their trees for names"},
	{path: "engine/worker", may: []string{"engine/api", "engine/chunk", "engine/embed", "engine/native", "engine/store/files", "engine/store/vector", "engine/symbol"},
		reason: "gives each native library's users their interface, by another process"},
	{path: "engine/worker/workertest", may: []string{"engine/worker", "engine/worker/serve"}, reason: "tests are their own workers"},
	{path: "engine/worker/serve", may: []string{"engine/api", "engine/chunk", "engine/chunk/treesitter", "engine/embed", "engine/embed/onnx", "engine/native", "engine/store/vector", "engine/store/vector/lance", "engine/symbol", "engine/worker"},
		reason: "the one place where native code and frames meet"},
	{path: "engine/embed", may: []string{"engine/api", "assets/model"}, reason: "what is to be known of the model without running it"},
	{path: "engine/embed/onnx", may: []string{"engine/api", "engine/embed", "engine/embed/wordpiece", "engine/machine", "assets/model"}, reason: "text to vectors, whatever becomes of them"},
	{path: "engine/embed/wordpiece", reason: "the tokenizer is a pure function, shared with the model's writer"},
	{path: "engine/machine", reason: "senses the computer, whatever is done with the answers"},
	{path: "engine/bucket", reason: "objects on a storage, whatever they mean"},
	{path: "engine/share", may: []string{"engine/api", "engine/bucket", "engine/store", "engine/store/files", "engine/store/vector"},
		reason: "publishes a project's stores and reads others'; it never sees the project's files"},
	{path: "engine/store", alone: true, may: []string{"engine/api", "engine/policy", "engine/store/..."},
		reason: "the unit of work over the stores below"},
	{path: "engine/store/files", may: []string{"engine/api", "engine/glob", "engine/policy"}, reason: "the stores don't know each other"},
	{path: "engine/store/vector", may: []string{"engine/api", "engine/store/vector/sketch"}, reason: "the stores don't know each other"},
	{path: "engine/store/vector/lance", may: []string{"engine/api", "engine/store/vector"}, reason: "LanceDB knows no sketch and no store"},
	{path: "engine/store/vector/sketch", may: []string{"engine/api"}, reason: "codes of vectors and nothing else"},
	{path: "engine/store/text", may: []string{"engine/api", "engine/memory"}, reason: "the stores don't know each other"},
	{path: "engine/store/cache", may: []string{"engine/api"}, reason: "the stores don't know each other"},
	{path: "engine/memory", reason: "gives memory back, whoever had it"},
	{path: "engine/jobs", may: []string{"engine/api"}, reason: "jobs and events of anything"},
	{path: "engine/glob", reason: "patterns and paths as text, whatever is matched"},
	{path: "engine/policy", may: []string{"engine/api", "engine/glob", "engine/secret"}, reason: "the security boundary depends on nothing that could change under it"},
	{path: "engine/secret", reason: "bytes to bytes without secrets, wherever they come from"},
	{path: "engine/secret/bench", may: []string{"engine/api", "engine/chunk", "engine/chunk/treesitter", "engine/policy", "engine/scan", "engine/search/quality", "engine/secret", "engine/secret/corpus", "engine/store/text"},
		reason: "measures what is kept out, on real projects; nothing of the product imports it"},
	{path: "engine/api", reason: "nouns know nobody"},

	{path: "assets", reason: "data, and what writes it"},
	{path: "assets/model/convert", may: []string{"assets/model", "engine/embed/wordpiece"}, reason: "writes the model and its reference vectors"},
	{path: "packaging", may: []string{"app/version"}, reason: "builds and packs; nothing of the product imports it"},
	{path: "packaging/feed", may: []string{"app/update", "packaging/command"}, reason: "signs the feed that the app reads"},
	{path: "packaging/reference", may: []string{"app/cli", "app/endpoint/...", "engine", "engine/store/files", "packaging/command"}, reason: "writes the reference from the code it is about"},
	{path: "docs", reason: "documentation, and the test of its links"},
	{path: "packaging/manual", may: []string{"app/cli", "packaging/command"}, reason: "writes manual pages and completions from the commands themselves"},
}

// A heavy module has few importers, so that it can be replaced, and its faults be found, in one place. Tests are exempt.
type heavy struct {
	module    string   // path or prefix of import paths
	importers []string // patterns
	reason    string
}

var heavies = []heavy{
	{"github.com/yalue/onnxruntime_go", []string{"engine/embed/onnx"}, "native code"},
	{"github.com/lancedb/lancedb-go", []string{"engine/store/vector/lance"}, "native code"},
	{"github.com/apache/arrow", []string{"engine/store/vector/lance"}, "LanceDB's form of records"},
	{"github.com/bmatcuk/doublestar", []string{"engine/glob"}, "its braces are matched in exponential time; one place expands them first"},
	{"github.com/blevesearch", []string{"engine/store/text", "engine/search/quality", "app/bench/baseline"}, "one text index, one analyser; and baselines to measure it against"},
	{"github.com/fsnotify/fsnotify", []string{"engine/watch"}, "events are hints that only the watcher may read"},
	{"github.com/smacker/go-tree-sitter", []string{"engine/chunk/treesitter"}, "native code"},
	{"modernc.org/sqlite", []string{"engine/archive", "app/bench/baseline"}, "archives are the only SQL here; and a baseline to measure the text index against"},
	{"github.com/mark3labs/mcp-go", []string{"app/endpoint/...", "app/bench/..."}, "one server; and a client to measure it with"},
	{"fyne.io/fyne/v2", []string{"ui/...", "app/cmd/search-mcp-window"}, "120 MB that the resident app must not carry"},
	{"github.com/go-gl/glfw", []string{"app/cmd/search-mcp-window"}, "the window system, where the loop of Fyne's driver waits"},
	{"fyne.io/systray", []string{"app/tray/..."}, "one owner of the icon"},
	{"github.com/minio/minio-go", []string{"engine/bucket"}, "one client of S3-compatible storage, one list of places for credentials"},
	{"github.com/JohannesKaufmann/html-to-markdown", []string{"engine/markup"}, "one reader of documents"},
	{"github.com/adrg/frontmatter", []string{"engine/markup"}, "one reader of documents"},
	{"github.com/go-shiori/go-readability", []string{"engine/markup"}, "one reader of documents"},
	{"github.com/ledongthuc/pdf", []string{"engine/pdf"}, "its panics and its spaces are mended in one place"},
	{"howett.net/plist", []string{"engine/archive"}, "Safari's saved pages are property lists"},
	{"github.com/kljensen/snowball", []string{"engine/fulltext", "app/highlight"}, "one idea of what forms of a word are: those that find and those that are marked"},
	{"github.com/alecthomas/chroma", []string{"ui/...", "app/cli/term"}, "colour is for a person's eyes"},
	{"github.com/yuin/goldmark", []string{"engine/markup"}, "one reader of documents"},
	{"golang.org/x/net/html", []string{"engine/markup"}, "one reader of documents"},
	{"github.com/tiktoken-go/tokenizer", []string{"engine/search/quality/token"}, "a vocabulary of 4 MB that no program may carry"},
	{"github.com/Microsoft/go-winio", []string{"app/ipc"}, "the named pipe is the socket of Windows"},
	{"github.com/jezek/xgb", []string{"app/hotkey"}, "the X server's protocol without C, for a grabbed key"},
	{"github.com/spf13/cobra", []string{"app/cli/...", "packaging/manual", "packaging/reference"}, "one command line, and its manual pages"},
}

// cgoAllowed are the packages that may hold C or import a module that does.
var cgoAllowed = map[string]string{
	"engine/embed/onnx":         "ONNX Runtime",
	"engine/store/vector/lance": "LanceDB",
	"engine/chunk/treesitter":   "tree-sitter",
	"app/cmd/search-mcp-window": "Fyne's driver",
}

// A ban is on anything reached, however indirectly.
type ban struct {
	from   string   // pattern
	module string   // prefix of import paths, "searchmcp/" for this module's
	except []string // paths of this module that are fine
	reason string
}

var bans = []ban{
	{"app/cmd/search-mcp-app", "searchmcp/engine/worker/serve", nil, "native code must never be the app's"},
	{"app/cmd/search-mcp-app", "github.com/yalue/onnxruntime_go", nil, "native code is the worker's"},
	{"app/cmd/search-mcp-app", "github.com/lancedb/lancedb-go", nil, "native code is the worker's"},
	{"app/cmd/search-mcp-app", "github.com/smacker/go-tree-sitter", nil, "native code is the worker's"},
	{"app/cmd/search-mcp", "searchmcp/engine", []string{"engine/api", "engine/site/schema"}, "the bridge starts in milliseconds and never opens an index"},
	{"app/cmd/search-mcp-window", "searchmcp/engine", []string{"engine/api"}, "a crash of either leaves the other alone"},
	{"app/cmd/search-mcp-app", "fyne.io/fyne/v2", nil, "the resident app holds an icon, no window"},
	{"ui/...", "searchmcp/engine", []string{"engine/api"}, "pages are shown without an engine"},
}

// pure are the packages that must build with CGO_ENABLED=0.
var pure = []string{"./app/cmd/search-mcp", "./ui/..."}

// throughPolicy are the packages that handle what is in a project's files and open none themselves: they get bytes from engine/policy.
var throughPolicy = []string{"engine/chunk", "engine/docs", "engine/fulltext", "engine/index", "engine/markup", "engine/search", "engine/symbol"}
