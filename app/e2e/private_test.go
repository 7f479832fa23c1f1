package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConfigurationFailsClosed checks that files of an excluded folder stay unsearchable if the project's configuration
// is lost in any way, in the running app and after a restart, and that every output reports it.
func TestConfigurationFailsClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := filepath.Join(w.home, "project")
	w.write(filepath.Join(root, "open.go"), "package project\n\n// Wombat digs burrows.\nfunc Wombat() {}\n")
	w.write(filepath.Join(root, "private", "secret.go"),
		"package private\n\n// Wombat hides the treasure.\nfunc Treasure() {}\n")
	w.mustCLI("index", root, "--yes")
	dirs, err := filepath.Glob(filepath.Join(w.data, "indexes", "*", "config.json"))
	if err != nil || len(dirs) != 1 {
		t.Fatal(err, dirs)
	}
	config := dirs[0]
	valid := filepath.Join(filepath.Dir(config), "config.valid.json")
	finds := func() (open, private bool) {
		out := w.mustCLI("search", "wombat", "--project", root, "--json")
		return strings.Contains(out, "open.go"), strings.Contains(out, "secret.go")
	}
	put := func(text string) { w.write(config, text) }
	warned := func() string {
		var s struct {
			Project struct {
				Warnings []string
				Problem  struct{ UserMessage string }
			}
		}
		if err := json.Unmarshal([]byte(w.mustCLI("status", "--project", root, "--json")), &s); err != nil {
			t.Fatal(err)
		}
		return strings.Join(append(s.Project.Warnings, s.Project.Problem.UserMessage), "\n")
	}
	const good = `{"exclude": ["private/**"]}`
	for name, spoil := range map[string]func(){
		"string":    func() { put(`{"exclude": "private/**"}`) },
		"bad glob":  func() { put(`{"exclude": ["private/["]}`) },
		"capital":   func() { put(`{"Exclude": ["private/**"]}`) },
		"misspelt":  func() { put(`{"exlude": ["private/**"]}`) },
		"truncated": func() { put(good[:15]) },
		"removed": func() {
			if err := os.Remove(config); err != nil {
				t.Fatal(err)
			}
		},
	} {
		put(good)
		w.await("the good configuration", func() bool {
			open, private := finds()
			return open && !private && strings.TrimSpace(warned()) == ""
		})
		w.await("the copy of it", func() bool {
			text, _ := os.ReadFile(valid)
			return strings.Contains(string(text),
				"private/**")
		})
		spoil()
		w.await(name+": a warning", func() bool { return strings.TrimSpace(warned()) != "" })
		warning := strings.TrimSpace(warned())
		if open, private := finds(); !open || private {
			t.Errorf("%s: open %v, private %v", name, open, private)
		}
		if out, _ := w.cli("doctor", "--project", root); !strings.Contains(strings.Join(strings.Fields(out), " "),
			strings.SplitN(warning, "\n", 2)[0]) {
			t.Errorf("%s: doctor does not report %q:\n%s", name, warning, out)
		}
		w.mustCLI("stop")
		if open, private := finds(); !open || private { // starts the app again
			t.Errorf("%s, after a restart: open %v, private %v", name, open, private)
		}
		w.mustCLI("reindex", "open.go", "--project", root)
		if open, private := finds(); !open || private {
			t.Errorf("%s, after a file was indexed again: open %v, private %v", name, open, private)
		}
	}

	// Without any configuration the project pauses, and answers contain only the reason.
	w.mustCLI("stop")
	put(`{"exclude": "private/**"}`)
	if err := os.Remove(valid); err != nil {
		t.Fatal(err)
	}
	const why = "This project isn't indexed or searched until its configuration is fixed: exclude must be a " +
		"list of glob patterns."
	if open, private := finds(); open || private {
		t.Errorf("nothing is known: open %v, private %v", open, private)
	}
	e := w.connect(root)
	for _, tool := range []string{"search_code", "get_index_status"} {
		if text, _ := e.text(tool, map[string]any{"query": "wombat"}); !strings.Contains(text, why) {
			t.Errorf("%s: %s", tool, text)
		}
	}
	if s := w.state(root); s != "paused" || !strings.Contains(warned(), why) {
		t.Errorf("%s: %s", s, warned())
	}
	if out, _ := w.cli("doctor", "--project", root); !strings.Contains(strings.Join(strings.Fields(out), " "), why) {
		t.Errorf("doctor:\n%s", out)
	}
	w.mustCLI("resume", "--project", root) // has no effect
	if out, code := w.cli("reindex", "private/secret.go", "--project", root); code == 0 {
		t.Errorf("a file was indexed: %s", out)
	}
	if _, private := finds(); private {
		t.Error("resumed without a configuration")
	}
	put(good)
	w.await("the project to go on", func() bool {
		open, private := finds()
		return open && !private &&
			w.state(root) == "ready"
	})
}
