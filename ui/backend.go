package ui

import (
	"context"
	"errors"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// Backend is what the window needs of the app. It may be called from any goroutine, waits for the app's answer and
// gives an *api.Error where the app has words for a person.
type Backend interface {
	wire.Caller
	// Agreed does to a project, or a folder, what the person has agreed to in this window: the question that the app then
	// asks everybody is answered with their word. It returns when the work has begun, or a deletion is done.
	Agreed(ctx context.Context, a api.Action, root string) error
	// Reporting is the Caller that tells progress as it goes, done of total, total 0 while it is unknown.
	Reporting(progress func(done, total int)) wire.Caller
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
	// Notify shows n with its buttons until ctx ends. It calls pressed with the button that is pressed, or with
	// present.NoticeGone if n is closed before. It reports whether this desktop has notifications with buttons.
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
