// Package wire defines the private methods that windows and terminals use on the socket in addition to MCP. It
// implements neither server nor client, and imports only engine/api.
//
// The first request of a connection is Hello. A connection without Hello belongs to a bridge and may call no other
// private method.
package wire

import (
	"context"
	"strings"
	"time"

	"searchmcp/engine/api"
)

const Prefix = "search-mcp/"

const (
	PingPause = 2 * time.Second // a client sends a ping if a request is not answered within this time
	PingTime  = 8 * time.Second // the app must answer a ping within this time
)

func Private(method string) bool { return strings.HasPrefix(method, Prefix) }

const (
	MethodHello       Method[Hello, Welcome]                 = Prefix + "hello"
	MethodStatus      Method[Empty, Status]                  = Prefix + "status"
	MethodSubscribe   Method[Empty, Empty]                   = Prefix + "subscribe"
	MethodPreview     Method[ProjectRef, api.Preview]        = Prefix + "preview"
	MethodPause       Method[ProjectRef, Empty]              = Prefix + "pause"  // no project means all
	MethodPurge       Method[ProjectRef, Empty]              = Prefix + "purge"  // no project means all; returns when done
	MethodResume      Method[ProjectRef, Empty]              = Prefix + "resume" // no project means all
	MethodCancel      Method[Ref, Empty]                     = Prefix + "cancel"
	MethodAnswer      Method[AnswerQuestion, Empty]          = Prefix + "answer"
	MethodRevoke      Method[ProjectRef, Empty]              = Prefix + "revoke"
	MethodRootAdd     Method[RootChange, api.Project]        = Prefix + "root/add"
	MethodRootDel     Method[RootChange, api.Project]        = Prefix + "root/remove"
	MethodLocate      Method[RootChange, api.Project]        = Prefix + "locate"
	MethodConfigGet   Method[ProjectRef, ConfigText]         = Prefix + "config/get"
	MethodConfigSet   Method[ConfigText, ConfigText]         = Prefix + "config/set"
	MethodConfigTry   Method[ConfigText, ConfigTried]        = Prefix + "config/try"
	MethodSettingsGet Method[Empty, map[string]any]          = Prefix + "settings/get"
	MethodSettingsSet Method[map[string]any, map[string]any] = Prefix + "settings/set"
	MethodLogs        Method[LogQuery, []string]             = Prefix + "logs"
	MethodActivity    Method[Empty, []api.Activity]          = Prefix + "activity"
	MethodUsage       Method[Empty, api.Usage]               = Prefix + "usage"
	MethodAsked       Method[SearchUse, Empty]               = Prefix + "asked" // records a search in the window
	MethodSessions    Method[Empty, []Session]               = Prefix + "sessions"
	MethodDoctor      Method[ProjectRef, []api.Finding]      = Prefix + "doctor"     // no project means all
	MethodSearch      Method[Search, api.Results]            = Prefix + "search"     // like search_code, but with Explain
	MethodFiles       Method[Files, api.FileResults]         = Prefix + "files"      // returns all files
	MethodFileText    Method[FileText, api.FileText]         = Prefix + "files/text" // the lines around a line of a file
	MethodLanguages   Method[Empty, []string]                = Prefix + "languages"  // valid values of Query.Language
	MethodSymbol      Method[Symbol, api.SymbolResults]      = Prefix + "symbol"     // returns all uses
	MethodGrep        Method[Grep, api.GrepResults]          = Prefix + "grep"
	MethodOutline     Method[Outline, api.Outline]           = Prefix + "outline"
	MethodQuit        Method[Empty, Empty]                   = Prefix + "quit" // bridges don't restart the app
	MethodShow        Method[Show, Empty]                    = Prefix + "show" // opens or raises the window

	NotifyEvent = Prefix + "event" // api.Event, sent to subscribed sessions
	NotifyShow  = Prefix + "raise" // sent to a window that is opened again
	NotifyQuit  = Prefix + "quitting"
)

// MetaConsent is the member of _meta that contains the user's consent, api.Accept or api.Always. The app ignores
// consent from bridges.
const MetaConsent = Prefix + "consent"

// Method is the name of a method. P and R are the types of its parameters and result.
type Method[P, R any] string

type Caller interface {
	Call(ctx context.Context, method string, params, result any) error
}

func (m Method[P, R]) Call(ctx context.Context, c Caller, params P) (result R, err error) {
	err = c.Call(ctx, string(m), params, &result)
	return result, err
}

func (m Method[P, R]) Do(ctx context.Context, c Caller, params P) error {
	_, err := m.Call(ctx, c, params)
	return err
}

type Hello struct {
	Role             api.Role `json:"role"`
	Version          string   `json:"version"`
	PID              int      `json:"pid"`
	Dir              string   `json:"dir,omitempty"`
	Project          string   `json:"project,omitempty"`
	Docs             string   `json:"docs,omitempty"`
	ClaudeProjectDir string   `json:"claudeProjectDir,omitempty"`
	SearchDBPath     string   `json:"searchDbPath,omitempty"`
}

type Welcome struct {
	Version string `json:"version"`
	PID     int    `json:"pid"`
	Desktop bool   `json:"desktop"`
}

type Empty struct{}

// ProjectRef is a project's root or registered name. An empty reference means the session's project or, for some
// methods, all projects.
type ProjectRef struct {
	Project string `json:"project,omitempty"`
}

func (p ProjectRef) Named() string { return p.Project }

// RefTo returns a reference to the project with the root or registered name ref.
func RefTo(ref string) ProjectRef { return ProjectRef{ref} }

// Ref names a job, a site, a named index, or a folder of documents.
type Ref struct {
	Ref string `json:"ref"`
}

func (r Ref) Named() string { return r.Ref }

type AnswerQuestion struct {
	ID     string     `json:"id"`
	Answer api.Answer `json:"answer"`
}

// RootChange changes the roots of a project. Dir is the folder to add or remove, or a root's new path.
type RootChange struct {
	ProjectRef
	Dir  string `json:"dir"`
	Name string `json:"name,omitempty"`
}

type ConfigText struct {
	ProjectRef
	Text     string   `json:"text"`
	Problems []string `json:"problems,omitempty"` // sentences that name the field, its error and the value used instead
}

type ConfigTried struct {
	Preview  api.Preview `json:"preview"`
	Problems []string    `json:"problems,omitempty"`
}

// LogQuery requests lines of a project's log, or of the app's log if Project is empty.
type LogQuery struct {
	ProjectRef
	Lines int    `json:"lines,omitempty"`
	Level string `json:"level,omitempty"`
}

// ProjectQuery is a query in several projects. Projects contains roots or registered names, or "all". An empty list
// means the session's projects.
type ProjectQuery[Q any] struct {
	Projects []string `json:"projects,omitempty"`
	Query    Q        `json:"query"`
}

type (
	Search = ProjectQuery[api.Query]
	Files  = ProjectQuery[api.FileQuery]
	Symbol = ProjectQuery[api.SymbolQuery]
	Grep   = ProjectQuery[api.GrepQuery]
)

type FileText struct {
	ProjectRef
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
}

type Outline struct {
	ProjectRef
	Query api.OutlineQuery `json:"query"`
}

// PagePalette is a separate window that stays above all others.
const PagePalette = "palette"

// PageQuestion shows the open questions without taking the keyboard focus.
const PageQuestion = "question"

type Show struct {
	Page    string `json:"page,omitempty"`
	Project string `json:"project,omitempty"`
}

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

type Session struct {
	ID      string    `json:"id"`
	Role    api.Role  `json:"role"`
	Client  string    `json:"client"`
	Version string    `json:"version,omitempty"`
	Project string    `json:"project,omitempty"`
	Since   time.Time `json:"since"`
	Calls   int       `json:"calls"`
	Last    time.Time `json:"last,omitzero"`
}

type Quitting struct {
	ByUser bool `json:"byPerson"`
}

// Values of api.Activity.Error that are not error codes.
const (
	ActivityDeclined   = "DECLINED"
	ActivityUnanswered = "UNANSWERED"
	ActivityCancelled  = "CANCELLED"
)

// SearchUse reports a search in the window. If Opened is set, the user opened a result.
type SearchUse struct {
	Projects []string      `json:"projects,omitempty"` // the roots that were searched
	Took     time.Duration `json:"took,omitempty"`
	Opened   bool          `json:"opened,omitempty"`
}
