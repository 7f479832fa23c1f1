package ui

import (
	"context"
	"errors"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// Backend is what the window needs of the app. All methods may be called from any goroutine, wait for the app's answer
// and give an *api.Error where the app has words for a person. project is a root or a registered name.
type Backend interface {
	Status(ctx context.Context) (wire.Status, error)
	Preview(ctx context.Context, dir string) (api.Preview, error)

	// Create, Reindex and Delete are called after the person has agreed in this window: the question that the app then
	// asks everybody is answered with their word. They return when the work has begun (Create, Reindex) or is done
	// (Delete).
	Create(ctx context.Context, dir string) error
	Reindex(ctx context.Context, project string) error
	Delete(ctx context.Context, project string) error

	Pause(ctx context.Context, project string) error  // "": everything
	Resume(ctx context.Context, project string) error // "": everything
	Cancel(ctx context.Context, jobID string) error
	Answer(ctx context.Context, questionID string, a api.Answer) error
	Revoke(ctx context.Context, project string) error
	AddRoot(ctx context.Context, project, dir string) error
	RemoveRoot(ctx context.Context, project, dir string) error
	Locate(ctx context.Context, project, dir string) error

	// Search and Files look into one project or several. With several each hit names its project, and each file begins
	// with the project's name and a colon.
	Search(ctx context.Context, projects []string, q api.Query) (api.Results, error)
	Files(ctx context.Context, projects []string, q api.FileQuery) (api.FileResults, error)
	// SearchSources looks into what is served beside the projects.
	SearchSources(ctx context.Context, s wire.SourceSearch) (wire.SourceResults, error)
	// FileText is what is around a line of a project's file, as it is now.
	FileText(ctx context.Context, project, path string, line int) (api.FileText, error)
	// Symbol tells where a name of a project is defined and used, Outline what a file declares.
	Symbol(ctx context.Context, project string, q api.SymbolQuery) (api.SymbolResults, error)
	Outline(ctx context.Context, project, path string) (api.Outline, error)

	Config(ctx context.Context, project string) (text string, problems []string, err error)
	SetConfig(ctx context.Context, project, text string) (saved string, problems []string, err error)
	// TryConfig says what a text that is not saved would index, and what is wrong with it.
	TryConfig(ctx context.Context, project, text string) (p api.Preview, problems []string, err error)
	Settings(ctx context.Context) (map[string]any, error)
	SetSettings(ctx context.Context, changes map[string]any) (map[string]any, error)
	Logs(ctx context.Context, project string, lines int, level string) ([]string, error)
	Activity(ctx context.Context) ([]api.Activity, error)
	// Today is what assistants did since midnight.
	Today(ctx context.Context) (api.Today, error)
	Sessions(ctx context.Context) ([]wire.Session, error)
	Doctor(ctx context.Context) ([]api.Finding, error)
	Quit(ctx context.Context) error

	SourceBackend
}

// SourceBackend is the part of the Backend that is about what is served beside the projects.
type SourceBackend interface {
	Sources(ctx context.Context) (wire.Sources, error)
	AddDocuments(ctx context.Context, dir string) error
	RemoveDocuments(ctx context.Context, dir string) error
	CheckSite(ctx context.Context, at api.SiteLocation) (api.SiteReport, error)
	// AddSite adds a site; prefix "" leaves the name of its tool to the index.
	AddSite(ctx context.Context, at api.SiteLocation, prefix string) (api.Site, error)
	RemoveSite(ctx context.Context, site string) error
	RefreshSites(ctx context.Context) error
	RemoveNamed(ctx context.Context, index string) error
	// ImportArchive tells progress as it goes, done of total documents, total 0 while it is unknown.
	ImportArchive(ctx context.Context, dir string, progress func(done, total int)) (api.ArchiveReport, error)
	RemoveFromArchive(ctx context.Context, folder string) error

	// AddShared lays the index at a location under a project's own; it is fetched when this returns. From then on there
	// are connections to that storage: the person has been asked.
	AddShared(ctx context.Context, project, location string) error
	RemoveShared(ctx context.Context, project string) error
}

// ofEditor reports whether a connection is an editor's, not a window's or a terminal's.
func ofEditor(s wire.Session) bool { return s.Role != wire.RoleWindow && s.Role != wire.RoleTerminal }

// Desktop is what the window needs of the machine it runs on.
type Desktop interface {
	// Openers lists the programs that show a file at a line, those whose assistant is connected first.
	Openers(ctx context.Context) ([]Opener, error)
	// OpenFile shows a file in one of them by its ID, in what the desktop opens it with (OpenerDesktop), or by a command
	// line (OpenerCommand), at a line from 1 if it is not 0. It waits a moment to see whether that fails, and gives
	// ErrFileGone for a file that is not there.
	OpenFile(opener, path string, line int) error
	// OpenPage opens an https address in the browser.
	OpenPage(address string) error
	// Reveal shows a file or folder in the file manager.
	Reveal(path string) error
	// Autostart reports whether the app starts at login; ok is false where that can't be set from here.
	Autostart() (on, ok bool)
	SetAutostart(on bool) error
	// Notify shows a notification with its buttons until ctx ends, and tells which of them was pressed. It reports whether
	// this desktop has such.
	Notify(ctx context.Context, n present.Notice, pressed func(button string)) bool
	// Start starts the app if it does not run.
	Start(ctx context.Context) error
	// Recent are folders that editors of this computer opened last, newest first.
	Recent(ctx context.Context) []Recent

	// Editors lists the editors that are known, those that are not on this computer too.
	Editors(ctx context.Context) ([]Editor, error)
	// Connect and Disconnect plan to enter Search MCP into an editor's configuration, and to take it out.
	Connect(ctx context.Context, editor string) (Change, error)
	Disconnect(ctx context.Context, editor string) (Change, error)
	// Note plans to add the paragraph for assistants to a project, or to take it out of it.
	Note(ctx context.Context, project, editor string, remove bool) ([]Change, error)
	// Snippet is what belongs into an editor's configuration, in its own form; "" asks for the one that most others read.
	Snippet(editor string) string
}

// ErrFileGone is why a file that was found is not opened: it is not there any more.
var ErrFileGone = errors.New("the file is gone")

// Opener is a program that shows a file at a line.
type Opener struct {
	ID, Name  string
	Connected bool // its assistant has Search MCP
}

// The IDs of openers that are not in the list, as app/desktop/connect has them.
const (
	OpenerDesktop = "desktop"
	OpenerCommand = "command:" // what follows is a command line with {file} and {line}
)

// Recent is a folder that a person has worked in.
type Recent struct {
	Dir, Editor string
}

// Editor is one editor or assistant that can be connected.
type Editor struct {
	ID, Name string
	State    EditorState
	File     string // its configuration, whether it is there or not
	Command  string // what it runs as Search MCP
	Problem  string // why it can't be connected, a sentence
}

// EditorState is how an editor stands to Search MCP.
type EditorState string

// The states.
const (
	EditorMissing   EditorState = "missing" // not on this computer
	EditorFree      EditorState = "free"
	EditorConnected EditorState = "connected"
	EditorOutdated  EditorState = "outdated" // it runs another copy
	EditorBlocked   EditorState = "blocked"  // its configuration can't be read, or another server has our name
)

// Change is what would be done to a file, before it is done.
type Change struct {
	Title string   // the editor, or the file
	Run   []string // command lines of the editor's own
	File  string   // what is written, if a file is
	Lines []string // of the file, those that go with "- " and those that come with "+ " in front
	After string   // what the person does then, a sentence
	Empty bool     // there is nothing to do
	// Apply does it and returns where a copy of the old file is, if one is kept.
	Apply func(ctx context.Context) (backup string, err error)
}
