package term

import (
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/term"
)

// Mode is when there is colour.
type Mode string

// The modes. Auto is colour at a terminal, unless NO_COLOR is set or TERM is dumb.
const (
	Auto   Mode = "auto"
	Always Mode = "always"
	Never  Mode = "never"
)

// String returns the mode as it is typed.
func (m *Mode) String() string { return string(*m) }

// Type is what a help text calls the value.
func (m *Mode) Type() string { return "when" }

// Set reads a mode.
func (m *Mode) Set(typed string) error {
	switch Mode(typed) {
	case Auto, Always, Never:
		*m = Mode(typed)
		return nil
	}
	return errors.New("must be auto, always or never")
}

// Screen is where results are shown.
type Screen struct {
	// Person is whether a person looks at it: output is laid out for the eye. Otherwise it is for a program, a line each.
	Person bool
	Width  int // columns, 0: lines are not cut
	Height int // lines, 0: unknown
	Style  Style
	Dumb   bool // it can't move its cursor
}

// MaxProse is how wide a line of prose is at most.
const MaxProse = 100

// Columns and lines of a terminal that does not tell.
const (
	defaultWidth  = 80
	defaultHeight = 24
)

// Open looks at what out is.
func Open(out io.Writer, mode Mode) Screen {
	s := Screen{Dumb: os.Getenv("TERM") == "dumb", Person: IsTerminal(out)}
	if s.Person {
		s.Width, s.Height = defaultWidth, defaultHeight
		if w, h, err := term.GetSize(int(out.(*os.File).Fd())); err == nil && w > 0 && h > 0 {
			s.Width, s.Height = w, h
		}
	}
	s.Style.Links = s.Person && !s.Dumb && links(os.Getenv)
	s.Style.On = mode == Always || mode != Never && s.Person && !s.Dumb && os.Getenv("NO_COLOR") == "" && paints(out)
	return s
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Style paints text, or leaves it plain.
type Style struct {
	On    bool
	Links bool // the terminal opens hyperlinks
}

// links reports whether a terminal is known to open hyperlinks (OSC 8): others would show their escape codes.
func links(env func(string) string) bool {
	for _, name := range []string{"VTE_VERSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION", "DOMTERM"} {
		if env(name) != "" {
			return true
		}
	}
	return slices.Contains([]string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"},
		env("TERM_PROGRAM"))
}

// Link makes text lead to a file, which has an absolute path.
func (s Style) Link(file, text string) string {
	if !s.Links || file == "" {
		return text
	}
	at := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
	at.Host, _ = os.Hostname() // a terminal on another machine then knows that it can't
	return "\x1b]8;;" + at.String() + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

func (s Style) paint(code, text string) string {
	if !s.On || text == "" || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold is for what the eye looks for first: names, paths.
func (s Style) Bold(text string) string { return s.paint("1", text) }

// Dim is for what is secondary.
func (s Style) Dim(text string) string { return s.paint("2", text) }

// Good is for success, and for what is ready.
func (s Style) Good(text string) string { return s.paint(codeGood, text) }

// Needs is for what wants something of a person: amber, as in the window and the tray.
func (s Style) Needs(text string) string { return s.paint(codeNeeds, text) }

// Mark is for the words that were asked for.
func (s Style) Mark(text string) string { return s.paint(codeMark, text) }

// Path shows a path with its last part standing out.
func (s Style) Path(path string) string {
	if !s.On {
		return path
	}
	at := len(path)
	for at > 0 && path[at-1] != '/' && path[at-1] != '\\' {
		at--
	}
	return s.paint(codeDir, path[:at]) + s.paint(codeFile, path[at:])
}

// The escape codes. Marks and paths have the colours of grep and ripgrep. Green and amber are of the fixed palette,
// with a contrast of 4.4:1 and more on black and on white: a theme's own yellow and green can't be read on white as a
// rule, nor its blue on black.
const (
	codeMark   = "1;31"
	codeDir    = "35"
	codeFile   = "1;35"
	codeGood   = "38;5;28"
	codeNeeds  = "38;5;130"
	codeBest   = "1" // the number of the line that says most
	codeNumber = "2"
)
