// Package wire names the private methods of the socket's JSON-RPC connection, those that window and terminal need
// beside MCP, with their parameters and results. It knows neither server nor client, starts nothing and imports
// engine/api only.
//
// A connection begins with Hello; without it (a foreign MCP client on the socket) it is served as a bridge that sent
// nothing. A session whose role is bridge is refused every private method but Hello, and the bridge itself forwards
// none.
package wire

import (
	"strings"
	"time"

	"searchmcp/engine/api"
)

// Prefix begins every private method.
const Prefix = "search-mcp/"

// Private reports whether a method may be called by window and terminal only.
func Private(method string) bool { return strings.HasPrefix(method, Prefix) }

// The methods.
const (
	MethodHello       Method[Hello, Welcome]                 = Prefix + "hello"
	MethodStatus      Method[Empty, Status]                  = Prefix + "status"
	MethodSubscribe   Method[Empty, Empty]                   = Prefix + "subscribe" // from then on NotifyEvent
	MethodPreview     Method[ProjectRef, api.Preview]        = Prefix + "preview"
	MethodPause       Method[ProjectRef, Empty]              = Prefix + "pause"  // empty: all
	MethodPurge       Method[ProjectRef, Empty]              = Prefix + "purge"  // empty: all; when it is done
	MethodResume      Method[ProjectRef, Empty]              = Prefix + "resume" // empty: all
	MethodCancel      Method[CancelJob, Empty]               = Prefix + "cancel"
	MethodQuestions   Method[Empty, []api.Question]          = Prefix + "questions"
	MethodAnswer      Method[AnswerQuestion, Empty]          = Prefix + "answer"
	MethodRevoke      Method[ProjectRef, Empty]              = Prefix + "revoke" // takes «always allow» back
	MethodRootAdd     Method[RootChange, api.Project]        = Prefix + "root/add"
	MethodRootDel     Method[RootChange, api.Project]        = Prefix + "root/remove"
	MethodLocate      Method[RootChange, api.Project]        = Prefix + "locate" // the project's root has moved to Dir
	MethodConfigGet   Method[ProjectRef, ConfigText]         = Prefix + "config/get"
	MethodConfigSet   Method[ConfigText, ConfigText]         = Prefix + "config/set" // with Problems
	MethodConfigTry   Method[ConfigText, ConfigTried]        = Prefix + "config/try" // what saving it would index
	MethodSettingsGet Method[Empty, map[string]any]          = Prefix + "settings/get"
	MethodSettingsSet Method[map[string]any, map[string]any] = Prefix + "settings/set"
	MethodLogs        Method[LogQuery, []string]             = Prefix + "logs"
	MethodActivity    Method[Empty, []api.Activity]          = Prefix + "activity"
	MethodUsage       Method[Empty, api.Usage]               = Prefix + "usage"
	MethodAsked       Method[Asked, Empty]                   = Prefix + "asked" // counts a search of the window
	MethodSessions    Method[Empty, []Session]               = Prefix + "sessions"
	MethodDoctor      Method[ProjectRef, []api.Finding]      = Prefix + "doctor"     // empty: all
	MethodSearch      Method[Search, api.Results]            = Prefix + "search"     // like search_code with Explain
	MethodFiles       Method[Files, api.FileResults]         = Prefix + "files"      // like search_by_path, unlimited
	MethodFileText    Method[FileText, api.FileText]         = Prefix + "files/text" // what is around a line of a file
	MethodLanguages   Method[Empty, []string]                = Prefix + "languages"  // what Query.Language can be
	MethodSymbol      Method[Symbol, api.SymbolResults]      = Prefix + "symbol"     // like find_symbol, with every use
	MethodGrep        Method[Grep, api.GrepResults]          = Prefix + "grep"
	MethodOutline     Method[Outline, api.Outline]           = Prefix + "outline"
	MethodQuit        Method[Empty, Empty]                   = Prefix + "quit" // a person chose it: bridges start nothing
	MethodShow        Method[Show, Empty]                    = Prefix + "show" // open or raise the window

	NotifyEvent = Prefix + "event"    // api.Event, to sessions that subscribed
	NotifyShow  = Prefix + "raise"    // Show, to a window that is connected already when another one is asked for
	NotifyQuit  = Prefix + "quitting" // Quitting, to every session before the app goes
)

// MetaConsent is the member of a tools/call's _meta that says what the person has answered in the window or at the
// terminal already: api.Accept or api.Always. It counts on a connection of theirs only.
const MetaConsent = Prefix + "consent"

// Role is who is at the other end of a connection.
type Role string

// The roles.
const (
	RoleBridge   Role = "bridge"
	RoleTerminal Role = "terminal"
	RoleWindow   Role = "window"
)

// Hello is the first message of a connection, a request. It carries what belongs to the session
// (docs/specification.md#programs).
type Hello struct {
	Role             Role   `json:"role"`
	Version          string `json:"version"`
	PID              int    `json:"pid"`
	Dir              string `json:"dir,omitempty"`              // working directory
	Project          string `json:"project,omitempty"`          // --project
	Docs             string `json:"docs,omitempty"`             // --docs, absolute
	ClaudeProjectDir string `json:"claudeProjectDir,omitempty"` // CLAUDE_PROJECT_DIR
	SearchDBPath     string `json:"searchDbPath,omitempty"`     // SEARCH_DB_PATH, absolute
}

// Welcome answers Hello.
type Welcome struct {
	Version string `json:"version"`
	PID     int    `json:"pid"`
	Data    string `json:"data"` // the data folder served
	Desktop bool   `json:"desktop"`
}

// Empty is the result of a method that has nothing to say.
type Empty struct{}

// ProjectRef names a project by root or registered name; "" means the session's project, or all where the method says
// so.
type ProjectRef struct {
	Project string `json:"project,omitempty"`
}

// CancelJob names a job.
type CancelJob struct {
	JobID string `json:"jobId"`
}

// AnswerQuestion carries a person's answer.
type AnswerQuestion struct {
	ID     string     `json:"id"`
	Answer api.Answer `json:"answer"`
}

// RootChange adds, removes or moves a folder of a project.
type RootChange struct {
	Project string `json:"project,omitempty"`
	Dir     string `json:"dir"`
	Name    string `json:"name,omitempty"`
}

// ConfigText is a project's config.json as text.
type ConfigText struct {
	Project  string   `json:"project,omitempty"`
	Text     string   `json:"text"`
	Problems []string `json:"problems,omitempty"` // one sentence each: field, what is wrong, what is used instead
}

// ConfigTried is what indexing a project with a configuration would do.
type ConfigTried struct {
	Preview  api.Preview `json:"preview"`
	Problems []string    `json:"problems,omitempty"`
}

// LogQuery asks for the last lines of a log; Project "" is the app's own.
type LogQuery struct {
	Project string `json:"project,omitempty"`
	Lines   int    `json:"lines,omitempty"`
	Level   string `json:"level,omitempty"`
}

// Search is a search with everything an api.Query can say. Projects are roots or registered names, "all" for all that
// are registered; none means the session's.
type Search struct {
	Projects []string  `json:"projects,omitempty"`
	Query    api.Query `json:"query"`
}

// Files looks for files by a pattern, in projects as Search names them.
type Files struct {
	Projects []string      `json:"projects,omitempty"`
	Query    api.FileQuery `json:"query"`
}

// FileText asks for the lines of a project's file around one.
type FileText struct {
	Project string `json:"project"`
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
}

// Symbol asks for a name's definitions and uses, in projects as Search names them.
type Symbol struct {
	Projects []string        `json:"projects,omitempty"`
	Query    api.SymbolQuery `json:"query"`
}

// Grep asks for the lines that match a pattern, in projects as Search names them.
type Grep struct {
	Projects []string      `json:"projects,omitempty"`
	Query    api.GrepQuery `json:"query"`
}

// Outline asks what is in a file, a folder or a project, the session's where none is named.
type Outline struct {
	Project string           `json:"project,omitempty"`
	Query   api.OutlineQuery `json:"query"`
}

// PagePalette is the page of Show that is a window of its own: a field above everything.
const PagePalette = "palette"

// PageQuestion is no page: the window tells its person of the questions that wait, and takes the keyboard from nobody.
const PageQuestion = "question"

// Show asks for the window.
type Show struct {
	Page    string `json:"page,omitempty"`
	Project string `json:"project,omitempty"`
}

// Status is the state of the whole app.
type Status struct {
	Version  string         `json:"version"`
	Data     string         `json:"data"`
	Started  time.Time      `json:"started"`
	Paused   bool           `json:"paused"`
	Projects []api.Project  `json:"projects"`
	Model    string         `json:"model"` // "loaded", "unloaded", "missing", "failed"
	Problems []api.Error    `json:"problems,omitempty"`
	Open     []api.Question `json:"open,omitempty"`
	Unread   []string       `json:"unread,omitempty"` // documents that ended their reader
}

// Session is one connection, as the activity page and `status` show it.
type Session struct {
	ID      string    `json:"id"`
	Role    Role      `json:"role"`
	Client  string    `json:"client"`            // clientInfo: name and version
	Version string    `json:"version,omitempty"` // of the program of ours at the other end
	Project string    `json:"project,omitempty"`
	Since   time.Time `json:"since"`
	Calls   int       `json:"calls"`
	Last    time.Time `json:"last,omitzero"` // when it called a tool last
}

// Quitting tells why the app goes. ByPerson: bridges start nothing until the person or a newly started editor does.
type Quitting struct {
	ByPerson bool   `json:"byPerson"`
	Reason   string `json:"reason,omitempty"`
}
