package connect

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"searchmcp/engine/api"
)

// Position is a line and column in a file. Line and Column count from 1, and are 0 if unknown.
type Position struct {
	Path         string
	Line, Column int
}

type Opener struct {
	ID, Name  string
	Connected bool
}

const (
	OpenerDesktop = "desktop" // opens the file, but not at a line
	// OpenerCommand begins the ID of a command line that the user entered, such as "command:kate -l {line} {file}".
	OpenerCommand = "command:"
)

type opener struct {
	id, name string
	editor   string
	programs []string // names of the program, also for Toolbox and Flatpak; the first installed program is used
	args     string
	scheme   string
	bundle   string
	exe      string // path below %LOCALAPPDATA%\Programs
	toolbox  bool   // JetBrains Toolbox creates a script named programs[0]
	launched bool   // on macOS, start the program with args instead of opening a URL
}

// Arguments with the placeholders of Position.expand.
const (
	gotoArgs  = "--goto " + colonArgs
	colonArgs = "{file}:{line}:{column}"
	lineArgs  = "--line {line} --column {column} {file}"
	plusArgs  = "+{line} {file}"
	kateArgs  = "-l {line} -c {column} {file}"
)

func (p Position) expand(args ...string) []string {
	fill := strings.NewReplacer("{file}", p.Path, "{line}", strconv.Itoa(max(1, p.Line)), "{column}",
		strconv.Itoa(max(1, p.Column)))
	list := make([]string, len(args))
	for i, arg := range args {
		list[i] = fill.Replace(arg)
	}
	return list
}

func jetBrains(id, name string, programs ...string) opener {
	return opener{id: id, name: name, editor: "jetbrains", programs: append([]string{id, id + ".sh",
		id + "64"}, programs...),
		args: lineArgs, bundle: name, toolbox: true, launched: true}
}

// openers lists the supported programs with their command lines, as documented in 2026.
var openers = []opener{
	{id: "vscode", name: "VS Code", editor: "vscode", programs: []string{"code", "com.visualstudio.code"}, args: gotoArgs,
		scheme: "vscode", bundle: "Visual Studio Code", exe: `Microsoft VS Code\Code.exe`},
	{id: "vscode-insiders", name: "VS Code Insiders", editor: "vscode",
		programs: []string{"code-insiders"}, args: gotoArgs,
		scheme: "vscode-insiders", bundle: "Visual Studio Code - Insiders",
		exe: `Microsoft VS Code Insiders\Code - Insiders.exe`},
	{id: "vscodium", name: "VSCodium", editor: "vscode", programs: []string{"codium",
		"com.vscodium.codium"}, args: gotoArgs,
		scheme: "vscodium", bundle: "VSCodium", exe: `VSCodium\VSCodium.exe`},
	{id: "cursor", name: "Cursor", editor: "cursor", programs: []string{"cursor"}, args: gotoArgs,
		scheme: "cursor", bundle: "Cursor", exe: `cursor\Cursor.exe`},
	{id: "windsurf", name: "Windsurf", editor: "windsurf", programs: []string{"windsurf"}, args: gotoArgs,
		scheme: "windsurf", bundle: "Windsurf", exe: `Windsurf\Windsurf.exe`},
	{id: "antigravity", name: "Antigravity", editor: "antigravity", programs: []string{"antigravity"}, args: gotoArgs,
		scheme: "antigravity", bundle: "Antigravity", exe: `Antigravity\Antigravity.exe`},
	{id: "zed", name: "Zed", editor: "zed", programs: []string{"zed", "zeditor", "dev.zed.Zed"}, args: colonArgs,
		scheme: "zed", bundle: "Zed"},
	jetBrains("idea", "IntelliJ IDEA", "intellij-idea-ultimate", "intellij-idea-community"),
	jetBrains("goland", "GoLand"),
	jetBrains("pycharm", "PyCharm", "pycharm-professional", "pycharm-community"),
	jetBrains("webstorm", "WebStorm"),
	jetBrains("phpstorm", "PhpStorm"),
	jetBrains("rubymine", "RubyMine"),
	jetBrains("clion", "CLion"),
	jetBrains("rider", "Rider"),
	jetBrains("rustrover", "RustRover"),
	{id: "sublime", name: "Sublime Text", programs: []string{"subl"}, args: colonArgs},
	{id: "kate", name: "Kate", programs: []string{"kate"}, args: kateArgs},
	{id: "gvim", name: "GVim", programs: []string{"gvim"}, args: plusArgs},
	{id: "gedit", name: "gedit", programs: []string{"gedit"}, args: plusArgs},
}

func (m *Machine) Openers() []Opener {
	connected := map[string]bool{}
	for _, s := range m.List() {
		connected[s.ID] = s.State == Connected || s.State == Outdated
	}
	var first, rest []Opener
	for _, o := range openers {
		switch found := (Opener{ID: o.id, Name: o.name, Connected: connected[o.editor]}); {
		case m.launch(o) == nil:
		case found.Connected:
			first = append(first, found)
		default:
			rest = append(rest, found)
		}
	}
	return append(first, rest...)
}

// launch returns a function that makes the command line for a place. It returns nil if o is not installed.
func (m *Machine) launch(o opener) func(p Position) []string {
	start := func(program ...string) func(p Position) []string {
		return func(p Position) []string {
			return append(slices.Clone(program), p.expand(strings.Fields(o.args)...)...)
		}
	}
	for _, name := range o.programs {
		if path, err := m.LookPath(name); err == nil {
			if batch(path) && o.scheme != "" {
				return m.byAddress(o)
			}
			return start(path)
		}
	}
	if o.toolbox {
		if script := m.toolboxScript(o.programs[0]); exists(script) {
			return start(script)
		}
	}
	switch {
	case m.OS == "darwin" && m.bundle(o) && o.launched:
		return start("open", "-na", o.bundle+".app", "--args")
	case m.OS == "darwin" && m.bundle(o),
		m.OS == "windows" && o.exe != "" && exists(filepath.Join(m.localData(), "Programs", o.exe)):
		return m.byAddress(o)
	}
	return nil
}

func (m *Machine) localData() string {
	return m.env("LOCALAPPDATA", m.inHome("AppData", "Local"))
}

func (m *Machine) bundle(o opener) bool {
	return o.bundle != "" && (exists("/Applications/"+o.bundle+".app") ||
		exists(m.inHome("Applications", o.bundle+".app")))
}

func (m *Machine) toolboxScript(name string) string {
	switch m.OS {
	case "windows":
		return filepath.Join(m.localData(), "JetBrains", "Toolbox", "scripts", name+".cmd")
	case "darwin":
		return m.inHome("Library", "Application Support", "JetBrains", "Toolbox", "scripts", name)
	}
	return m.inHome(".local", "share", "JetBrains", "Toolbox", "scripts", name)
}

// byAddress is like launch, but its command lines open URLs such as vscode://file/home/ada/main.go:12:1.
func (m *Machine) byAddress(o opener) func(p Position) []string {
	return func(p Position) []string {
		path := "/" + strings.TrimPrefix(filepath.ToSlash(p.Path), "/")
		p.Path = (&url.URL{Scheme: o.scheme, Host: "file", Path: path}).String()
		return m.desktopOpen(p.expand(colonArgs)[0])
	}
}

func (m *Machine) desktopOpen(what string) []string {
	switch m.OS {
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", what}
	case "darwin":
		return []string{"open", what}
	}
	return []string{"xdg-open", what}
}

// shown lists the extensions of files that every desktop opens in a viewer. Other files might be executed.
var shown = []string{".md", ".markdown", ".txt", ".text", ".log", ".json", ".yaml", ".yml", ".toml", ".pdf", ".html",
	".htm", ".png", ".jpg", ".jpeg", ".gif", ".webp"}

// textEditors lists Linux editors, because no command opens the user's preferred one.
var textEditors = []string{"gnome-text-editor", "gedit", "kate", "kwrite", "xed", "pluma", "mousepad", "featherpad"}

// desktopFile returns the command line that opens path in a viewer, or else opens the file's folder. The file is never
// executed.
func (m *Machine) desktopFile(path string) []string {
	info, err := os.Stat(path)
	program := err == nil && m.OS != "windows" && info.Mode()&0o111 != 0
	if slices.Contains(shown, strings.ToLower(filepath.Ext(path))) && !program {
		return m.desktopOpen(path)
	}
	switch m.OS {
	case "windows":
		return []string{"notepad", path}
	case "darwin":
		return []string{"open", "-t", path}
	}
	for _, name := range textEditors {
		if editor, err := m.LookPath(name); err == nil {
			return []string{editor, path}
		}
	}
	return m.desktopOpen(filepath.Dir(path))
}

// OpenArgs returns the program and arguments that open p. They must be run without a shell.
func (m *Machine) OpenArgs(id string, p Position) ([]string, error) {
	if !filepath.IsAbs(p.Path) && m.OS != "windows" {
		return nil, fmt.Errorf("open file: %q is no absolute path", p.Path)
	}
	var argv []string
	switch line, own := strings.CutPrefix(id, OpenerCommand); {
	case own:
		var err error
		if argv, err = ownCommand(line, p); err != nil {
			return nil, err
		}
	case id == OpenerDesktop:
		argv = m.desktopFile(p.Path)
	default:
		if i := slices.IndexFunc(openers, func(o opener) bool { return o.id == id }); i >= 0 {
			if build := m.launch(openers[i]); build != nil {
				argv = build(p)
			}
		}
	}
	if len(argv) == 0 {
		return nil, api.New(CodeMissing, "That editor is not on this computer.", "no program for opener "+id, nil)
	}
	if batch(argv[0]) && !harmless.MatchString(p.Path) {
		return nil,
			api.New(CodeTool, "That editor can't open files with these characters in their names. Choose another editor.",
				"a batch file would read the path as a command", nil)
	}
	return argv, nil
}

// batch reports whether path is a batch file, which Windows runs with cmd.exe.
func batch(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".cmd" || ext == ".bat"
}

// harmless matches an argument without characters that cmd.exe interprets.
var harmless = regexp.MustCompile(`^[\pL\pN _.,:+=@~\\/-]+$`)

var (
	// options matches the text around {file} in an argument such as --file={file}.
	options = regexp.MustCompile(`^[\w.,:+=@~/-]*$`)
	oneWord = regexp.MustCompile(`^[\pL\pN_.,:+=@/-]+$`)
)

// ownCommand returns the arguments of the user's command line with the placeholders replaced. It refuses a path in an
// argument that a shell might run as a script.
func ownCommand(line string, p Position) ([]string, error) {
	named := false
	argv := arguments(line)
	for _, part := range argv {
		if strings.Contains(part, "{file}") {
			named = true
			around := strings.NewReplacer("{file}", "", "{line}", "", "{column}", "").Replace(part)
			if !options.MatchString(around) && !oneWord.MatchString(p.Path) {
				return nil, api.New(CodeTool, "A script can't take a file with this kind of name. Name the file "+
					`behind the script instead: sh -c 'vi "$0"' {file}`, "a shell would read the path as a command", nil)
			}
		}
	}
	if len(argv) > 0 && !named {
		argv = append(argv, "{file}")
	}
	return p.expand(argv...), nil
}

func arguments(line string) []string {
	var parts []string
	var part strings.Builder
	quote, begun := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			part.WriteRune(r)
		case r == '"' || r == '\'':
			quote, begun = r, true
		case r == ' ' || r == '\t':
			if begun {
				parts = append(parts, part.String())
				part.Reset()
				begun = false
			}
		default:
			part.WriteRune(r)
			begun = true
		}
	}
	if begun {
		parts = append(parts, part.String())
	}
	return parts
}
