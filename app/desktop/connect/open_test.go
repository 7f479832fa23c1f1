package connect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/api"
)

func (m *Machine) with(programs ...string) *Machine {
	m.LookPath = func(name string) (string, error) {
		for _, p := range programs {
			if base := filepath.Base(strings.ReplaceAll(p, `\`, "/")); strings.TrimSuffix(base, ".cmd") == name {
				return p, nil
			}
		}
		return "", fs.ErrNotExist
	}
	return m
}

// TestOpenArgs checks that each editor gets the line in its own syntax, and that an editor's URL replaces a batch file.
func TestOpenArgs(t *testing.T) {
	at := Position{Path: "/home/ada/my code/50%/a&b.go", Line: 12, Column: 3}
	plain := Position{Path: `C:\code\main.go`, Line: 12}
	for name, test := range map[string]struct {
		os, program, id string
		place           Position
		want            []string
	}{
		"VS Code": {"linux", "/usr/bin/code", "vscode", at, []string{"/usr/bin/code", "--goto", at.Path + ":12:3"}},
		"Cursor":  {"linux", "/opt/cursor", "cursor", at, []string{"/opt/cursor", "--goto", at.Path + ":12:3"}},
		"Windsurf": {"darwin", "/usr/local/bin/windsurf", "windsurf", at, []string{"/usr/local/bin/windsurf", "--goto",
			at.Path + ":12:3"}},
		"Zed": {"linux", "/usr/bin/zeditor", "zed", at, []string{"/usr/bin/zeditor", at.Path + ":12:3"}},
		"GoLand": {"linux", "/snap/bin/goland", "goland", at, []string{"/snap/bin/goland", "--line", "12",
			"--column", "3", at.Path}},
		"no line": {"linux", "/usr/bin/kate", "kate", Position{Path: "/a"}, []string{"/usr/bin/kate", "-l",
			"1", "-c", "1", "/a"}},
		"batch file": {"windows", `C:\bin\code.cmd`, "vscode", plain,
			[]string{"rundll32", "url.dll,FileProtocolHandler", "vscode://file/C:/code/main.go:12:1"}},
		"characters of a URL": {"windows", "/bin/code.cmd", "vscode", Position{Path: "/home/a b/c#d?e%f&g.go", Line: 3},
			[]string{"rundll32", "url.dll,FileProtocolHandler", "vscode://file/home/a%20b/c%23d%3Fe%25f&g.go:3:1"}},
		"own": {"linux", "", OpenerCommand + `emacsclient -n "+{line}:{column}" {file}`, at, []string{"emacsclient", "-n",
			"+12:3", at.Path}},
		"own with the file in an option": {"linux", "", OpenerCommand + `ed --at={file}:{line}`, at, []string{"ed",
			"--at=" + at.Path + ":12"}},
		"own script": {"linux", "", OpenerCommand + `sh -c 'vi "$0"' {file}`, at, []string{"sh", "-c", `vi "$0"`, at.Path}},
		"own script around a plain name": {"linux", "", OpenerCommand + `sh -c 'vi {file}'`, Position{Path: "/a/b.go"},
			[]string{"sh", "-c", "vi /a/b.go"}},
		"own without the file": {"linux", "", OpenerCommand + `'/opt/my editor/run' -x`, at,
			[]string{"/opt/my editor/run", "-x", at.Path}},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && test.os != "windows" {
				t.Skip("paths of another system are no paths there")
			}
			if test.os == "windows" {
				// this test's paths use slashes
				test.place.Path = filepath.ToSlash(strings.ReplaceAll(test.place.Path, `\`, "/"))
			}
			got, err := machine(t, test.os).with(test.program).OpenArgs(test.id, test.place)
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

// TestOpeningRunsNothing checks that a file that a desktop may execute opens in a text editor, or its folder is shown.
func TestOpeningRunsNothing(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		os, file, editor string
		mode             os.FileMode
		want             []string // FILE and DIR are replaced by the paths
	}{
		{"linux", "a.md", "", 0o644, []string{"xdg-open", "FILE"}},
		{"linux", "REPORT.PDF", "", 0o644, []string{"xdg-open", "FILE"}},
		{"linux", "a.md", "", 0o755, []string{"xdg-open", "DIR"}}, // an executable with a harmless name
		{"linux", "a.desktop", "", 0o644, []string{"xdg-open", "DIR"}},
		{"linux", "a.jar", "", 0o644, []string{"xdg-open", "DIR"}},
		{"linux", "install", "", 0o755, []string{"xdg-open", "DIR"}},
		{"linux", "a.sh", "/usr/bin/gedit", 0o755, []string{"/usr/bin/gedit", "FILE"}},
		{"windows", "a.md", "", 0o644, []string{"rundll32", "url.dll,FileProtocolHandler", "FILE"}},
		{"windows", "build.js", "", 0o644, []string{"notepad", "FILE"}},
		{"windows", "a.HTA", "", 0o644, []string{"notepad", "FILE"}},
		{"windows", "a.py", "", 0o644, []string{"notepad", "FILE"}},
		{"windows", "a.md.lnk", "", 0o644, []string{"notepad", "FILE"}},
		{"windows", "a.bat.", "", 0o644, []string{"notepad", "FILE"}},
		{"darwin", "a.md", "", 0o644, []string{"open", "FILE"}},
		{"darwin", "a.command", "", 0o755, []string{"open", "-t", "FILE"}},
		{"darwin", "a.terminal", "", 0o644, []string{"open", "-t", "FILE"}},
		{"darwin", "tool", "", 0o755, []string{"open", "-t", "FILE"}},
	} {
		path := filepath.Join(dir, test.file)
		check(t, os.WriteFile(path, nil, 0o600))
		check(t, os.Chmod(path, test.mode))
		for i, arg := range test.want {
			test.want[i] = strings.NewReplacer("FILE", path, "DIR", dir).Replace(arg)
		}
		got, err := machine(t, test.os).with(test.editor).OpenArgs(OpenerDesktop, Position{Path: path, Line: 3})
		if runtime.GOOS == "windows" && test.mode == 0o755 {
			continue // Windows has no such modes
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s, %s: %q, want %q; %v", test.os, test.file, got, test.want, err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of another system are no paths there")
	}
	m := machine(t, "linux")
	var shown *api.Error
	for id, path := range map[string]string{"vscode": "/a", "nobody": "/a", OpenerCommand: "/a", OpenerDesktop: "a"} {
		if argv, err := m.OpenArgs(id, Position{Path: path}); err == nil {
			t.Errorf("%s: %q", id, argv)
		}
	}
	if _, err := m.OpenArgs("vscode", Position{Path: "/a"}); !errors.As(err, &shown) || shown.Code != CodeMissing {
		t.Errorf("not installed: %v", err)
	}
	// A user's script never gets a name that a shell would execute.
	for _, path := range []string{"/a;id", "/$(id)", "/a b", "/a -S evil.vim", "/a'b", "/a\nb", "/a&b", `/a\b`} {
		for _, own := range []string{`sh -c 'vi {file}'`, `sh -c "vi '{file}'"`, `sh -c vi<{file}`} {
			if argv, err := m.OpenArgs(OpenerCommand+own, Position{Path: path}); err == nil {
				t.Errorf("%s: %q", own, argv)
			}
		}
	}
	// A batch file never gets characters that cmd.exe interprets.
	script := filepath.Join(m.Home, "AppData", "Local", "JetBrains", "Toolbox", "scripts", "idea.cmd")
	w := machine(t, "windows")
	w.Home = m.Home
	check(t, os.MkdirAll(filepath.Dir(script), 0o755))
	check(t, os.WriteFile(script, nil, 0o644))
	if argv, err := w.OpenArgs("idea", Position{Path: "/code/a b.go", Line: 2}); err != nil || argv[0] != script {
		t.Errorf("%q, %v", argv, err)
	}
	for _, path := range []string{"/a&calc.go", "/%PATH%.go", "/a|b", "/a^b", "/a;b", `/a"b`} {
		if argv, err := w.OpenArgs("idea", Position{Path: path}); err == nil {
			t.Errorf("a batch file gets %q", argv)
		}
	}
}

// TestOpeners checks that Openers lists the installed editors, the connected ones first.
func TestOpeners(t *testing.T) {
	m := machine(t, "linux").with("/usr/bin/code", "/usr/bin/cursor", "/usr/bin/kate")
	names := func() (list []string) {
		for _, o := range m.Openers() {
			list = append(list, o.Name)
		}
		return list
	}
	if got := names(); !slices.Equal(got, []string{"VS Code", "Cursor", "Kate"}) {
		t.Errorf("%q", got)
	}
	p, err := m.Connect("cursor", true)
	m.do(t, p, err)
	if got := m.Openers(); got[0].Name != "Cursor" || !got[0].Connected || got[1].Connected {
		t.Errorf("%+v", got)
	}
}
