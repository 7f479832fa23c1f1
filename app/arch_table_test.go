package app_test

// row lists the imports of this module that a package may have. A pattern is a path, or a path and "/..." for a folder
// and everything below. A package without a row inherits the row of the closest folder above, unless that row is alone.
// Packages of one row may import each other.
type row struct {
	path   string
	may    []string
	alone  bool // not inherited
	reason string
}

// layers is the table of the module from top to bottom. ARCHITECTURE.md draws it.
var layers = []row{
	{path: "app/cmd/search-mcp", may: []string{"app/cli", "app/version"},
		reason: "editors start it: pure Go, milliseconds, no engine"},
	{path: "app/cmd/search-mcp-app", may: []string{"app", "app/desktop", "app/cli", "app/socket/client",
		"app/socket/ipc", "app/desktop/tray", "app/version"},
		reason: "the resident program's main only chooses options"},
	{path: "app/cmd/search-mcp-worker", may: []string{"app/version", "engine/host/worker",
		"engine/host/worker/serve"}, reason: "the worker knows nothing of app and projects"},
	{path: "app/cmd/search-mcp-window", may: []string{"app/socket/client", "app/desktop/connect", "app/socket/ipc",
		"app/desktop/login", "app/version", "app/socket/wire", "engine/api", "ui/..."},
		reason: "the window's main joins ui to the socket's client; what it knows it knows through the socket"},
	{path: "app", alone: true, may: []string{"app/endpoint", "app/socket/ipc", "app/desktop", "app/version",
		"app/socket/wire", "engine", "engine/api", "assets/..."}, reason: "joins the parts of the resident program"},
	{path: "app/e2e", reason: "tests of the whole drive the programs from outside"},
	{path: "app/endpoint", may: []string{"app/endpoint/...", "app/socket/jsonrpc", "app/socket/wire", "engine/api"},
		reason: "joins its rooms; the MCP server knows the engine by the interfaces that they declare"},
	{path: "app/endpoint/schematest", reason: "schemas and values are all that tests give it"},
	{path: "app/endpoint/session", may: []string{"app/endpoint/display", "app/socket/jsonrpc", "app/socket/wire",
		"engine/api", "engine/host/disk"}, reason: "a connection knows no tool and no engine"},
	{path: "app/endpoint/scope", may: []string{"app/endpoint/session", "app/endpoint/display", "engine/api",
		"engine/files/glob"}, reason: "the project and the document folders of a session's call"},
	{path: "app/endpoint/confirm", may: []string{"app/endpoint/session", "app/endpoint/scope", "app/endpoint/display",
		"app/socket/wire", "engine/api"}, reason: "the one place where a question is put knows no tool"},
	{path: "app/endpoint/activity", may: []string{"app/socket/wire", "engine/api"},
		reason: "a record of whatever was called"},
	{path: "app/endpoint/tools", may: []string{"app/endpoint/activity", "app/endpoint/confirm",
		"app/endpoint/session", "app/endpoint/scope", "app/endpoint/display", "app/socket/wire", "engine/api"},
		reason: "tools ask and answer through their neighbours"},
	{path: "app/endpoint/resources", may: []string{"app/endpoint/session", "app/endpoint/scope",
		"app/endpoint/display", "engine/api"}, reason: "documents are no tools"},
	{path: "app/endpoint/prompts", may: []string{"app/endpoint/display"}, reason: "constant texts"},
	{path: "app/endpoint/admin", may: []string{"app/endpoint/activity", "app/endpoint/confirm",
		"app/endpoint/session", "app/endpoint/scope", "app/endpoint/display", "app/socket/jsonrpc", "app/socket/wire",
		"engine/api"}, reason: "private methods know no tool"},
	{path: "app/endpoint/display", reason: "pure functions over text"},
	{path: "app/cli", may: []string{"app/cli/bridge", "app/cli/term", "app/socket/client", "app/desktop/connect",
		"app/highlight", "app/socket/ipc", "app/version", "app/socket/wire", "engine/api",
		"engine/sources/site/schema"}, reason: "the command line is a client of the socket"},
	{path: "app/cli/bridge", may: []string{"app/socket/ipc", "app/socket/jsonrpc", "app/version", "app/socket/wire",
		"engine/api"},
		reason: "the bridge forwards messages and knows none of the tools"},
	{path: "app/cli/term", may: []string{"app/highlight", "app/endpoint/display"}, reason: "shows text at a terminal"},
	{path: "app/desktop/connect", may: []string{"engine/api"}, reason: "the only package that knows files of editors"},
	{path: "app/socket/client", may: []string{"app/socket/ipc", "app/socket/jsonrpc", "app/version",
		"app/socket/wire", "engine/api"}, reason: "the client speaks the socket's protocol"},
	{path: "app/desktop/tray", may: []string{"app/version", "app/socket/wire", "engine/api", "assets/..."},
		reason: "the icon shows a state it is handed"},
	{path: "app/desktop", alone: true, may: []string{"app/desktop/tray", "app/endpoint", "app/socket/ipc",
		"app/socket/wire", "engine/api", "assets/..."},
		reason: "the user's session: icon, window, file manager"},
	{path: "app/desktop/login", reason: "an entry for a program, whatever that does"},
	{path: "app/socket/jsonrpc", reason: "messages and their framing"},
	{path: "app/highlight", reason: "marks words in a text, whoever shows it"},
	{path: "app/socket/ipc", may: []string{"app/version", "app/socket/wire"},
		reason: "addresses and connections, no messages"},
	{path: "app/socket/wire", may: []string{"engine/api"}, reason: "names of the private protocol"},
	{path: "app/version", reason: "a leaf that every program can import"},

	{path: "ui", may: []string{"ui/...", "app/desktop/connect", "app/highlight", "app/socket/wire", "engine/api",
		"assets/..."}, reason: "pages know api's nouns, the states of editors, and the interface ui declares"},

	{path: "engine", alone: true, may: []string{"engine/api", "engine/index/chunk", "engine/host/disk",
		"engine/index/embed", "engine/index/embed/static", "engine/host/jobs", "engine/host/datadir",
		"engine/host/machine", "engine/host/native", "engine/files/policy", "engine/project", "engine/files/repo",
		"engine/sources", "engine/store/cache", "engine/store/files", "engine/store/vector", "engine/host/throttle",
		"engine/host/worker"}, reason: "opens, closes and wires the rooms; the work is theirs"},
	{path: "engine/project", may: []string{"engine/api", "engine/index/chunk", "engine/host/disk",
		"engine/files/glob", "engine/search/history", "engine/index", "engine/host/jobs", "engine/host/machine",
		"engine/files/policy", "engine/files/repo", "engine/files/scan", "engine/search", "engine/search/answer",
		"engine/search/grep", "engine/files/secret", "engine/share", "engine/store", "engine/store/cache",
		"engine/store/files", "engine/store/text", "engine/store/vector", "engine/search/symbol",
		"engine/search/symbol/find", "engine/files/watch"},
		reason: "a project's life; neither sources nor the model nor why work has to wait"},
	{path: "engine/sources", may: []string{"engine/api", "engine/files/codepage", "engine/files/policy",
		"engine/files/scan", "engine/files/secret", "engine/files/watch", "engine/host/disk", "engine/host/jobs",
		"engine/host/memory", "engine/share/bucket", "engine/sources/pdf", "engine/sources/site/schema",
		"engine/store/files"}, reason: "the other sources do not know the projects"},
	{path: "engine/sources/pdf", may: []string{"engine/host/native"},
		reason: "runs a program, and knows no document"},
	{path: "engine/host", may: []string{"engine/api"}, reason: "what the computer gives, whatever is done with it"},
	{path: "engine/index", may: []string{"engine/api", "engine/index/chunk", "engine/index/chunk/treesitter",
		"engine/host/disk", "engine/index/embed", "engine/host/jobs", "engine/host/machine", "engine/host/memory",
		"engine/files/policy", "engine/files/scan", "engine/store", "engine/files/watch"},
		reason: "the actor is the one place where changes become an index"},
	{path: "engine/search", may: []string{"assets/model", "engine/api", "engine/search/commit", "engine/files/glob",
		"engine/files/policy", "engine/index/chunk", "engine/lang", "engine/search/answer", "engine/store",
		"engine/store/text"},
		reason: "reads the store; shares the text index's analyser, so that a query's words are the index's, and knows by " +
			"the model's vocabulary which words are spelt right"},
	{path: "engine/search/grep", may: []string{"engine/api", "engine/files/secret", "engine/index/chunk",
		"engine/search"}, reason: "lines against a pattern; who asks reads the files"},
	{path: "engine/search/answer", may: []string{"engine/api", "engine/index/chunk", "engine/store/text"},
		reason: "text and words to relevant lines; chunk knows what a line is for in each language, the " +
			"text index what a word is"},
	{path: "engine/sources/site/schema", reason: "the command line checks an index with it, without an engine"},
	{path: "engine/files/codepage", reason: "bytes to text, whatever it is"},
	{path: "engine/files/scan", may: []string{"engine/api", "engine/files/policy"},
		reason: "neighbours don't know each other"},
	{path: "engine/search/commit", reason: "text alone, whoever wrote it"},
	{path: "engine/search/history", may: []string{"engine/api", "engine/search/commit", "engine/files/repo",
		"engine/store/text"},
		reason: "commits to words and files; shares the text index's words, so that a query's are the messages'"},
	{path: "engine/files/repo", may: []string{"engine/host/native", "engine/files/policy"},
		reason: "git's files, whatever is made of them"},
	{path: "engine/files/watch", may: []string{"engine/api", "engine/files/policy", "engine/files/repo"},
		reason: "the watcher only hints; it knows neither scan nor store"},
	{path: "engine/index/chunk", may: []string{"engine/api", "engine/files/codepage", "engine/lang",
		"engine/lang/tree"}, reason: "bytes to chunks, whatever becomes of them"},
	{path: "engine/lang/tree", reason: "what rules need of a parser; it keeps the rules free of C"},
	{path: "engine/index/chunk/treesitter", may: []string{"engine/lang/tree"}, reason: "parsers know no rules"},
	{path: "engine/lang", may: []string{"engine/lang/tree"}, reason: "the tables and rules of all languages"},
	{path: "engine/search/symbol", may: []string{"engine/index/chunk", "engine/lang/tree", "engine/lang"},
		reason: "a name in parsed files, whatever index knows of them"},
	{path: "engine/search/symbol/find", may: []string{"engine/api", "engine/index/chunk", "engine/lang",
		"engine/search", "engine/search/answer", "engine/store", "engine/store/text", "engine/search/symbol"},
		reason: "asks the index for files and their trees for names"},
	{path: "engine/host/worker", may: []string{"engine/api", "engine/index/chunk", "engine/index/embed",
		"engine/sources/markup", "engine/host/native", "engine/share/part", "engine/store/files",
		"engine/store/vector", "engine/search/symbol"},
		reason: "gives each native library's users their interface, by another process"},
	{path: "engine/host/worker/workertest", may: []string{"engine/host/worker", "engine/host/worker/serve"},
		reason: "tests are their own workers"},
	{path: "engine/host/worker/serve", may: []string{"engine/api", "engine/index/chunk",
		"engine/index/chunk/treesitter", "engine/index/embed", "engine/index/embed/onnx", "engine/sources/markup",
		"engine/host/machine", "engine/host/native", "engine/store/vector", "engine/store/vector/lance",
		"engine/host/worker"}, reason: "the one place where native code and frames meet"},
	{path: "engine/index/embed", may: []string{"engine/api", "assets/model"},
		reason: "what is to be known of the model without running it"},
	{path: "engine/index/embed/onnx", may: []string{"engine/api", "engine/index/embed",
		"engine/index/embed/wordpiece", "engine/host/machine", "assets/model"},
		reason: "text to vectors, whatever becomes of them"},
	{path: "engine/index/embed/static", may: []string{"engine/api", "assets/model", "engine/index/embed",
		"engine/index/embed/wordpiece"}, reason: "a look-up in pure Go, which the app makes itself"},
	{path: "engine/index/embed/wordpiece",
		reason: "the tokenizer is a pure function, shared with the model's writer"},
	{path: "engine/share/bucket", reason: "objects on a storage, whatever they mean"},
	{path: "engine/share/part", may: []string{"engine/api"}, reason: "strangers' bytes to files, in the worker"},
	{path: "engine/share", may: []string{"engine/api", "engine/host/memory", "engine/share/bucket",
		"engine/share/part", "engine/store", "engine/store/files", "engine/store/vector"},
		reason: "publishes a project's stores and reads others'; it never sees the project's files"},
	{path: "engine/store", alone: true, may: []string{"engine/api", "engine/files/policy", "engine/host/disk",
		"engine/store/..."}, reason: "the unit of work over the stores below"},
	{path: "engine/store/files", may: []string{"engine/api", "engine/files/glob", "engine/files/policy"},
		reason: "the stores don't know each other"},
	{path: "engine/store/vector", may: []string{"engine/api", "engine/store/vector/sketch"},
		reason: "the stores don't know each other"},
	{path: "engine/store/vector/lance", may: []string{"engine/api", "engine/store/vector"},
		reason: "LanceDB knows no sketch and no store"},
	{path: "engine/store/vector/sketch", may: []string{"engine/api"}, reason: "codes of vectors and nothing else"},
	{path: "engine/store/text", may: []string{"engine/api"}, reason: "the stores don't know each other"},
	{path: "engine/store/cache", may: []string{"engine/api"}, reason: "the stores don't know each other"},
	{path: "engine/files/glob", reason: "patterns and paths as text, whatever is matched"},
	{path: "engine/files/policy", may: []string{"engine/api", "engine/files/glob", "engine/files/secret",
		"engine/lang"},
		reason: "the security boundary depends on nothing that could change under it; a language is the name of a file"},
	{path: "engine/files/secret", reason: "bytes to bytes without secrets, wherever they come from"},
	{path: "engine/api", reason: "types without behaviour need no other package"},

	{path: "assets", reason: "data, and what writes it"},
	{path: "packaging", may: []string{"app/version"}, reason: "builds and packs; nothing of the product imports it"},
	{path: "packaging/reference", may: []string{"app/cli", "app/endpoint/...", "engine", "engine/store/files",
		"packaging/command"}, reason: "writes the reference from the code it is about"},
	{path: "docs", reason: "documentation, and the test of its links"},
	{path: "packaging/manual", may: []string{"app/cli", "packaging/command"},
		reason: "writes manual pages and completions from the commands themselves"},
}

// heavy is a module that only a few packages may import, so that it is easy to replace. Tests are exempt.
type heavy struct {
	module    string   // path or prefix of import paths
	importers []string // patterns
	reason    string
}

var heavies = []heavy{
	{"github.com/yalue/onnxruntime_go", []string{"engine/index/embed/onnx"}, "native code"},
	{"github.com/lancedb/lancedb-go", []string{"engine/store/vector/lance"}, "native code"},
	{"github.com/apache/arrow", []string{"engine/store/vector/lance"}, "LanceDB's form of records"},
	{"github.com/bmatcuk/doublestar", []string{"engine/files/glob"},
		"its braces are matched in exponential time; one place expands them first"},
	{"github.com/blevesearch", []string{"engine/store/text", "engine/sources/fulltext"},
		"one text index, one analyser; and baselines to measure it against"},
	{"github.com/shirou/gopsutil/v4", []string{"engine/host/disk", "engine/host/machine"},
		"processor times and free space, on every system"},
	{"github.com/fsnotify/fsevents", []string{"engine/files/watch"}, "macOS's notifications of whole trees; they are C"},
	{"github.com/fsnotify/fsnotify", []string{"engine/files/watch"}, "events are hints that only the watcher may read"},
	{"github.com/smacker/go-tree-sitter", []string{"engine/index/chunk/treesitter"}, "native code"},
	{"modernc.org/sqlite", []string{"engine/sources/archive", "engine/store/cache"},
		"archives and cached vectors are the only SQL here; and a baseline to measure the text index against"},
	{"github.com/mark3labs/mcp-go", []string{"app/endpoint/..."},
		"one server; and a client to measure it with"},
	{"fyne.io/fyne/v2", []string{"ui/...",
		"app/cmd/search-mcp-window"}, "120 MB that the resident app must not carry"},
	{"github.com/go-gl/glfw", []string{"app/cmd/search-mcp-window"},
		"the window system, where the loop of Fyne's driver waits"},
	{"fyne.io/systray", []string{"app/desktop/tray/..."}, "one owner of the icon"},
	{"github.com/minio/minio-go", []string{"engine/share/bucket"},
		"one client of S3-compatible storage, one list of places for credentials"},
	{"github.com/JohannesKaufmann/html-to-markdown", []string{"engine/sources/markup"}, "one reader of documents"},
	{"github.com/adrg/frontmatter", []string{"engine/sources/markup"}, "one reader of documents"},
	{"github.com/go-shiori/go-readability", []string{"engine/sources/markup"}, "one reader of documents"},
	{"github.com/kljensen/snowball", []string{"engine/sources/fulltext", "app/highlight"},
		"one idea of what forms of a word are: those that find and those that are marked"},
	{"github.com/alecthomas/chroma", []string{"ui/..."}, "colour is for users"},
	{"github.com/yuin/goldmark", []string{"engine/sources/markup"}, "one reader of documents"},
	{"golang.org/x/net/html", []string{"engine/sources/markup"}, "one reader of documents"},
	{"github.com/Microsoft/go-winio", []string{"app/socket/ipc"}, "the named pipe is the socket of Windows"},
	{"github.com/spf13/cobra", []string{"app/cli/...", "packaging/manual", "packaging/reference"},
		"one command line, and its manual pages"},
}

// cgoAllowed lists the packages that may contain C or import a module that does.
var cgoAllowed = map[string]string{
	"engine/index/embed/onnx":       "ONNX Runtime",
	"engine/store/vector/lance":     "LanceDB",
	"engine/index/chunk/treesitter": "tree-sitter",
	"app/cmd/search-mcp-window":     "Fyne's driver",
	"engine/files/watch":            "FSEvents on macOS, where the app has C anyway; nowhere else",
}

// ban forbids a direct or indirect import.
type ban struct {
	from   string   // pattern
	module string   // prefix of import paths, "searchmcp/" for this module's
	except []string // exempt paths of this module
	reason string
}

var bans = []ban{
	{"app/cmd/search-mcp-app", "searchmcp/engine/host/worker/serve", nil, "native code must never be the app's"},
	{"app/cmd/search-mcp-app", "github.com/yalue/onnxruntime_go", nil, "native code is the worker's"},
	{"app/cmd/search-mcp-app", "github.com/lancedb/lancedb-go", nil, "native code is the worker's"},
	{"app/cmd/search-mcp-app", "github.com/smacker/go-tree-sitter", nil, "native code is the worker's"},
	{"app/cmd/search-mcp", "searchmcp/engine", []string{"engine/api",
		"engine/sources/site/schema"},
		"the bridge starts in milliseconds and never opens an index"},
	{"app/cmd/search-mcp-window", "searchmcp/engine",
		[]string{"engine/api"}, "a crash of either leaves the other alone"},
	{"app/cmd/search-mcp-app", "fyne.io/fyne/v2", nil, "the resident app holds an icon, no window"},
	{"ui/...", "searchmcp/engine", []string{"engine/api"}, "pages are shown without an engine"},
}

// pure lists the packages that must build with CGO_ENABLED=0.
var pure = []string{"./app/cmd/search-mcp", "./ui/..."}

// throughPolicy lists the packages that process the content of project files but don't open them, because
// engine/files/policy does.
var throughPolicy = []string{"engine/index/chunk", "engine/sources/docs", "engine/sources/fulltext", "engine/index",
	"engine/sources/markup",
	"engine/search", "engine/search/symbol"}
