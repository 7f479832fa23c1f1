package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// indexFile returns the path of a file in the index of the only project.
func (w *world) indexFile(name string) string {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.data, "indexes", "*", filepath.FromSlash(name)))
	if err != nil || len(found) != 1 {
		w.t.Fatal(name, found, err)
	}
	return found[0]
}

// TestUnreadableConfiguration checks that an unreadable configuration never includes more files: the last valid one
// applies, and without it the project is neither indexed nor searched.
func TestUnreadableConfiguration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.data, "config.json"), `{"exclude": ["private/**"]}`)
	root := w.folder(map[string]string{"main.go": "package main\n\nfunc DigWombat() {}\n",
		"private/key.go": "package private\n\nfunc DigQuokka() {}\n"})
	w.mustCLI("index", root, "--yes")
	own := w.indexFile("config.json")
	valid := filepath.Join(filepath.Dir(own), "config.valid.json")
	finds := func(name string) bool {
		return strings.Contains(w.mustCLI("search", "--project", root, "--json", name), "Dig"+name)
	}
	w.configure(`{"exclude": ["other/**", "private/**"]}`)
	w.await("the configuration to be copied", func() bool {
		text, err := os.ReadFile(valid)
		return err == nil && strings.Contains(string(text), "other/**")
	})
	w.stop()
	w.write(own, `{"exclude": [`)
	var status struct {
		Warnings []string
		Problem  struct{ UserMessage string }
	}
	w.connect(root).call("get_index_status", nil, &status)
	if !strings.Contains(strings.Join(status.Warnings, "\n"), "the last valid configuration stays in use") {
		t.Errorf("with the last valid configuration: %q", status.Warnings)
	}
	if p := w.project(root); p.Files != 1 || p.State != "ready" || finds("Quokka") || !finds("Wombat") {
		t.Errorf("with the last valid configuration: %+v", p)
	}
	w.stop()
	check(t, os.Remove(valid))
	w.write(filepath.Join(w.data, "config.json"), `{}`)
	w.connect(root).call("get_index_status", nil, &status)
	if !strings.HasPrefix(status.Problem.UserMessage, "This project isn't indexed or searched until its configuration is "+
		"fixed: config.json can't be read") || finds("Quokka") || finds("Wombat") {
		t.Errorf("without a valid configuration: %+v", status)
	}
	w.write(own, `{}`)
	w.await("the defaults", func() bool { return w.project(root).Files == 2 && finds("Quokka") && finds("Wombat") })
}
