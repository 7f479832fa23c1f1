package term

import (
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"
)

type Mode string

const (
	Auto   Mode = "auto" // colours at a terminal, unless NO_COLOR is set or TERM is dumb
	Always Mode = "always"
	Never  Mode = "never"
)

func (m *Mode) String() string { return string(*m) }

func (m *Mode) Type() string { return "when" }

func (m *Mode) Set(typed string) error {
	switch Mode(typed) {
	case Auto, Always, Never:
		*m = Mode(typed)
		return nil
	}
	return errors.New("must be auto, always or never")
}

type Screen struct {
	// Interactive means that a user reads the output. Otherwise each result is a single line for programs.
	Interactive bool
	Width       int // in columns, or 0 for no limit
	Height      int // in lines, or 0 if unknown
	Style       Style
	Dumb        bool
}

const MaxProse = 100

const (
	DefaultWidth  = 80 // if the terminal does not report its width
	defaultHeight = 24
)

func Open(out io.Writer, mode Mode) Screen {
	s := Screen{Dumb: os.Getenv("TERM") == "dumb", Interactive: IsTerminal(out)}
	if s.Interactive {
		s.Width, s.Height = DefaultWidth, defaultHeight
		if w, h, err := term.GetSize(int(out.(*os.File).Fd())); err == nil && w > 0 && h > 0 {
			s.Width, s.Height = w, h
		}
	}
	s.Style.Links = s.Interactive && !s.Dumb && links(os.Getenv)
	s.Style.On = mode == Always || mode != Never && s.Interactive && !s.Dumb && os.Getenv("NO_COLOR") == "" && paints(out)
	return s
}

func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

type Style struct {
	On    bool
	Links bool
}

// links reports whether the terminal supports hyperlinks (OSC 8). Other terminals might show their codes.
func links(env func(string) string) bool {
	for _, name := range []string{"VTE_VERSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION", "DOMTERM"} {
		if env(name) != "" {
			return true
		}
	}
	return slices.Contains([]string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"},
		env("TERM_PROGRAM"))
}

func (s Style) Link(file, text string) string {
	if !s.Links || file == "" {
		return text
	}
	at := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
	at.Host, _ = os.Hostname()
	return "\x1b]8;;" + at.String() + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

func (s Style) paint(code, text string) string {
	if !s.On || text == "" || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s Style) Bold(text string) string { return s.paint("1", text) }

func (s Style) Dim(text string) string { return s.paint("2", text) }

func (s Style) Good(text string) string { return s.paint(codeGood, text) }

// Busy returns text in blue, the colour of projects that are being indexed.
func (s Style) Busy(text string) string { return s.paint(codeBusy, text) }

// Warning returns text in amber, the colour of projects that need an action of the user.
func (s Style) Warning(text string) string { return s.paint(codeWarning, text) }

func (s Style) Mark(text string) string { return s.paint(codeMark, text) }

func (s Style) Path(path string) string {
	if !s.On {
		return path
	}
	at := strings.LastIndexAny(path, `/\`) + 1
	return s.paint(codeDir, path[:at]) + s.paint(codeFile, path[at:])
}

// The colours of grep. Green, blue and amber are from the fixed palette, because most themes define shades that are
// illegible on white.
const (
	codeMark    = "1;31"
	codeDir     = "35"
	codeFile    = "1;35"
	codeGood    = "38;5;28"
	codeBusy    = "38;5;32"
	codeWarning = "38;5;130"
	codeBest    = "1"
	codeNumber  = "2"
)
