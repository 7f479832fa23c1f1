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
	// Agreed performs the action a, which the user has confirmed in this window, on root, a project or folder. It returns
	// when the job has started or the deletion has finished.
	Agreed(ctx context.Context, a api.Action, root string) error
	// Reporting returns a Caller that calls progress. total is 0 while it is unknown.
	Reporting(progress func(done, total int)) wire.Caller
}

func ofEditor(s wire.Session) bool { return s.Role != wire.RoleWindow && s.Role != wire.RoleTerminal }

type Desktop interface {
	// Openers lists the programs that can open a file at a line, connected editors first.
	Openers(ctx context.Context) ([]connect.Opener, error)
	// OpenFile opens path at line, or without a line if line is 0. opener is the ID of an opener, OpenerDesktop, or
	// OpenerCommand followed by a command line. OpenFile waits a moment in case the program fails, and returns ErrFileGone
	// for a missing file.
	OpenFile(opener, path string, line int) error
	OpenPage(address string) error
	Reveal(path string) error
	Autostart() (on, ok bool)
	SetAutostart(on bool) error
	// Notify shows n with its buttons until ctx ends. It calls pressed with the pressed button, or with
	// present.NoticeGone if n is closed. It reports whether the desktop supports notifications with buttons.
	Notify(ctx context.Context, n present.Notice, pressed func(button string)) bool
	Start(ctx context.Context) error

	// Editors lists the known editors, including those that are not installed.
	Editors(ctx context.Context) ([]connect.Status, error)
	// Connect and Disconnect plan the change that adds Search MCP to an editor's configuration or removes it.
	Connect(ctx context.Context, editor string) (Change, error)
	Disconnect(ctx context.Context, editor string) (Change, error)
	// Note plans the changes that add the paragraph for assistants to a project or remove it.
	Note(ctx context.Context, project, editor string, remove bool) ([]Change, error)
	// Snippet returns the configuration for an editor in its format; "" means the most common format.
	Snippet(editor string) string
}

var ErrFileGone = errors.New("the file is gone")

type Change struct {
	Title string   // name of the editor or file
	Run   []string // command lines of the editor
	File  string   // file to write, or ""
	Lines []string // diff of File; a line starts with "- ", "+ " or, for context, two spaces
	After string   // describes the user's next step
	Empty bool
	// Apply makes the change and returns the path of the backup, or "".
	Apply func(ctx context.Context) (backup string, err error)
}
