package ui

import (
	"context"
	"errors"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// Backend is the window's connection to the app. Its methods may be called from any goroutine, block until the app
// answers, and return an *api.Error for errors with a user message.
type Backend interface {
	wire.Caller
	// Agreed performs an action on a project or folder that the user has confirmed in this window, and answers the app's
	// confirmation with it. It returns when the work has started, or a deletion has finished.
	Agreed(ctx context.Context, a api.Action, root string) error
	// Reporting returns a Caller that reports progress. total is 0 while it is unknown.
	Reporting(progress func(done, total int)) wire.Caller
}

// ofEditor reports whether a connection belongs to an editor, not to a window or terminal.
func ofEditor(s wire.Session) bool { return s.Role != wire.RoleWindow && s.Role != wire.RoleTerminal }

// Desktop is the window's interface to the operating system.
type Desktop interface {
	// Openers lists the programs that can open a file at a line, connected editors first.
	Openers(ctx context.Context) ([]connect.Opener, error)
	// OpenFile opens a file in an opener by its ID, in the desktop's default program (OpenerDesktop), or by a command
	// line (OpenerCommand). line counts from 1, and 0 means none. It waits a moment in case the program fails, and
	// returns ErrFileGone for a missing file.
	OpenFile(opener, path string, line int) error
	// OpenPage opens an https address in the browser.
	OpenPage(address string) error
	// Reveal shows a file or folder in the file manager.
	Reveal(path string) error
	Autostart() (on, ok bool)
	SetAutostart(on bool) error
	// Notify shows n with its buttons until ctx ends. It calls pressed with the pressed button, or with
	// present.NoticeGone if n is closed. It reports whether the desktop supports notifications with buttons.
	Notify(ctx context.Context, n present.Notice, pressed func(button string)) bool
	// Start starts the app if it is not running.
	Start(ctx context.Context) error

	// Editors lists the known editors, including those that are not installed.
	Editors(ctx context.Context) ([]connect.Status, error)
	// Connect and Disconnect plan the change that adds Search MCP to an editor's configuration or removes it.
	Connect(ctx context.Context, editor string) (Change, error)
	Disconnect(ctx context.Context, editor string) (Change, error)
	// Note plans the change that adds the paragraph for assistants to a project or removes it.
	Note(ctx context.Context, project, editor string, remove bool) ([]Change, error)
	// Snippet returns the configuration for an editor in its format; "" means the most common format.
	Snippet(editor string) string
}

var ErrFileGone = errors.New("the file is gone")

type Change struct {
	Title string   // name of the editor or file
	Run   []string // command lines of the editor
	File  string   // file to write, or ""
	Lines []string // of the file; the first two characters are "- ", "+ " or, for context, spaces
	After string   // the user's next step
	Empty bool     // no change is necessary
	// Apply makes the change and returns the path of the backup, or "".
	Apply func(ctx context.Context) (backup string, err error)
}
