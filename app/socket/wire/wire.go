// Package wire defines the private methods that windows and terminals use on the socket in addition to MCP. It
// implements neither server nor client, and imports only engine/api.
//
// The first request of a connection is Hello. Without it the connection counts as a bridge's, which may call no other
// private method.
package wire

import (
	"context"
	"strings"
	"time"

	"searchmcp/engine/api"
)

// Prefix begins every private method.
const Prefix = "search-mcp/"

// A client sends a ping if a request is unanswered for PingPause. An app that does not answer it within PingTime hangs.
const (
	PingPause = 2 * time.Second
	PingTime  = 8 * time.Second
)

// Private reports whether only windows and terminals may call a method.
func Private(method string) bool { return strings.HasPrefix(method, Prefix) }

const (
	MethodHello       Method[Hello, Welcome]                 = Prefix + "hello"
	MethodStatus      Method[Empty, Status]                  = Prefix + "status"
	MethodSubscribe   Method[Empty, Empty]                   = Prefix + "subscribe" // starts events
	MethodPreview     Method[ProjectRef, api.Preview]        = Prefix + "preview"
	MethodPause       Method[ProjectRef, Empty]              = Prefix + "pause"  // empty means all
	MethodPurge       Method[ProjectRef, Empty]              = Prefix + "purge"  // empty means all; returns when done
	MethodResume      Method[ProjectRef, Empty]              = Prefix + "resume" // empty means all
	MethodCancel      Method[CancelJob, Empty]               = Prefix + "cancel"
	MethodQuestions   Method[Empty, []api.Question]          = Prefix + "questions"
	MethodAnswer      Method[AnswerQuestion, Empty]          = Prefix + "answer"
	MethodRevoke      Method[ProjectRef, Empty]              = Prefix + "revoke" // revokes "always allow"
	MethodRootAdd     Method[RootChange, api.Project]        = Prefix + "root/add"
	MethodRootDel     Method[RootChange, api.Project]        = Prefix + "root/remove"
	MethodLocate      Method[RootChange, api.Project]        = Prefix + "locate" // after a project's root has moved to Dir
	MethodConfigGet   Method[ProjectRef, ConfigText]         = Prefix + "config/get"
	MethodConfigSet   Method[ConfigText, ConfigText]         = Prefix + "config/set" // returns its Problems
	MethodConfigTry   Method[ConfigText, ConfigTried]        = Prefix + "config/try" // previews a configuration
	MethodSettingsGet Method[Empty, map[string]any]          = Prefix + "settings/get"
	MethodSettingsSet Method[map[string]any, map[string]any] = Prefix + "settings/set"
	MethodLogs        Method[LogQuery, []string]             = Prefix + "logs"
	MethodActivity    Method[Empty, []api.Activity]          = Prefix + "activity"
	MethodUsage       Method[Empty, api.Usage]               = Prefix + "usage"
	MethodAsked       Method[Asked, Empty]                   = Prefix + "asked" // counts a search in the window
	MethodSessions    Method[Empty, []Session]               = Prefix + "sessions"
	MethodDoctor      Method[ProjectRef, []api.Finding]      = Prefix + "doctor"     // empty means all
	MethodSearch      Method[Search, api.Results]            = Prefix + "search"     // search_code with Explain
	MethodFiles       Method[Files, api.FileResults]         = Prefix + "files"      // search_by_path without a limit
	MethodFileText    Method[FileText, api.FileText]         = Prefix + "files/text" // the lines around a line of a file
	MethodLanguages   Method[Empty, []string]                = Prefix + "languages"  // for Query.Language
	MethodSymbol      Method[Symbol, api.SymbolResults]      = Prefix + "symbol"     // find_symbol with all uses
	MethodGrep        Method[Grep, api.GrepResults]          = Prefix + "grep"
	MethodOutline     Method[Outline, api.Outline]           = Prefix + "outline"
	MethodQuit        Method[Empty, Empty]                   = Prefix + "quit" // bridges don't restart the app
	MethodShow        Method[Show, Empty]                    = Prefix + "show" // opens or raises the window

	NotifyEvent = Prefix + "event"    // api.Event, to subscribed sessions
	NotifyShow  = Prefix + "raise"    // Show, to a connected window if a window is requested again
	NotifyQuit  = Prefix + "quitting" // Quitting, to every session before the app ends
)

// MetaConsent is the member of a tools/call's _meta with the user's consent: api.Accept or api.Always. The app ignores
// it on connections of bridges.
const MetaConsent = Prefix + "consent"

// Method is the name of a private method, with its parameter and result types.
type Method[P, R any] string

// Caller sends a request and decodes its result into result.
type Caller interface {
	Call(ctx context.Context, method string, params, result any) error
}

func (m Method[P, R]) Call(ctx context.Context, c Caller, params P) (result R, err error) {
	err = c.Call(ctx, string(m), params, &result)
	return result, err
}

// Do is Call without a result.
func (m Method[P, R]) Do(ctx context.Context, c Caller, params P) error {
	_, err := m.Call(ctx, c, params)
	return err
}

type Role string

const (
	RoleBridge   Role = "bridge"
	RoleTerminal Role = "terminal"
	RoleWindow   Role = "window"
)

// Hello is the first request of a connection and describes the session (docs/specification.md#programs).
type Hello struct {
	Role             Role   `json:"role"`
	Version          string `json:"version"`
	PID              int    `json:"pid"`
	Dir              string `json:"dir,omitempty"`              // working directory
	Project          string `json:"project,omitempty"`          // --project
	Docs             string `json:"docs,omitempty"`             // --docs as an absolute path
	ClaudeProjectDir string `json:"claudeProjectDir,omitempty"` // CLAUDE_PROJECT_DIR
	SearchDBPath     string `json:"searchDbPath,omitempty"`     // SEARCH_DB_PATH as an absolute path
}

// Welcome answers Hello.
type Welcome struct {
	Version string `json:"version"`
	PID     int    `json:"pid"`
	Data    string `json:"data"` // the data folder served
	Desktop bool   `json:"desktop"`
}

// Empty is the type of missing parameters or results.
type Empty struct{}

// ProjectRef names a project by root or registered name. If Project is empty, it means the session's project, or, where
// documented, all projects.
type ProjectRef struct {
	Project string `json:"project,omitempty"`
}

type CancelJob struct {
	JobID string `json:"jobId"`
}

type AnswerQuestion struct {
	ID     string     `json:"id"`
	Answer api.Answer `json:"answer"`
}

// RootChange names a project and Dir: a folder to add or to remove, or the new path of the project's root.
type RootChange struct {
	Project string `json:"project,omitempty"`
	Dir     string `json:"dir"`
	Name    string `json:"name,omitempty"`
}

// ConfigText is a project's config.json as text.
type ConfigText struct {
	Project  string   `json:"project,omitempty"`
	Text     string   `json:"text"`
	Problems []string `json:"problems,omitempty"` // each a sentence with the field, the error and the value used instead
}

// ConfigTried is the preview of indexing a project with a configuration.
type ConfigTried struct {
	Preview  api.Preview `json:"preview"`
	Problems []string    `json:"problems,omitempty"`
}

// LogQuery asks for the last lines of a project's log, or of the app's log if Project is empty.
type LogQuery struct {
	Project string `json:"project,omitempty"`
	Lines   int    `json:"lines,omitempty"`
	Level   string `json:"level,omitempty"`
}

// Search searches the session's project, or Projects: roots, registered names, or "all".
type Search struct {
	Projects []string  `json:"projects,omitempty"`
	Query    api.Query `json:"query"`
}

// Files finds files by a pattern. Projects are as in Search.
type Files struct {
	Projects []string      `json:"projects,omitempty"`
	Query    api.FileQuery `json:"query"`
}

type FileText struct {
	Project string `json:"project"`
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
}

// Symbol asks for a name's definitions and uses. Projects are as in Search.
type Symbol struct {
	Projects []string        `json:"projects,omitempty"`
	Query    api.SymbolQuery `json:"query"`
}

// Grep asks for matching lines. Projects are as in Search.
type Grep struct {
	Projects []string      `json:"projects,omitempty"`
	Query    api.GrepQuery `json:"query"`
}

// Outline asks for the outline of a file, a folder or a project, by default the session's.
type Outline struct {
	Project string           `json:"project,omitempty"`
	Query   api.OutlineQuery `json:"query"`
}

// PagePalette is the page of Show that opens the palette, a separate window above all others.
const PagePalette = "palette"

// PageQuestion is the page of Show that notifies the user of open questions without taking the keyboard focus.
const PageQuestion = "question"

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
	Unread   []string       `json:"unread,omitempty"` // documents on which the document reader crashed
}

// Session describes one connection for the activity page and the status command.
type Session struct {
	ID      string    `json:"id"`
	Role    Role      `json:"role"`
	Client  string    `json:"client"`            // clientInfo: name and version
	Version string    `json:"version,omitempty"` // version of search-mcp at the other end
	Project string    `json:"project,omitempty"`
	Since   time.Time `json:"since"`
	Calls   int       `json:"calls"`
	Last    time.Time `json:"last,omitzero"` // time of the last tool call
}

// Quitting reports why the app ends. If ByUser is set, bridges do not start it again.
type Quitting struct {
	ByUser bool   `json:"byPerson"`
	Reason string `json:"reason,omitempty"`
}

// Outcomes in an api.Activity in place of an error code: the user declined a question, did not answer it, or the
// request was cancelled.
const (
	ActivityDeclined   = "DECLINED"
	ActivityUnanswered = "UNANSWERED"
	ActivityCancelled  = "CANCELLED"
)

// Asked reports that the user searched in the window, or opened a result of the last search.
type Asked struct {
	Project string        `json:"project,omitempty"` // root, if exactly one was searched
	Took    time.Duration `json:"took,omitempty"`
	Opened  bool          `json:"opened,omitempty"`
}
