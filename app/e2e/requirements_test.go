package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// unasked begins the message of a command that must ask but has no terminal.
const unasked = "This needs your approval and there is no terminal"

// TestNothingChangesWithoutConsent: a refusal, a dismissed question and a command without a terminal leave the index
// unchanged, for each of the three actions; the question has the RFC's sentence and names project, files and requester.
func TestNothingChangesWithoutConsent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{"go.mod": "module p\n",
		"wombat.go": "package p\n\n// DigWombat digs.\nfunc DigWombat() {}\n"})
	e := w.connect(root)
	ask := func(tool, title, sentence string) {
		t.Helper()
		for _, answer := range []mcp.ElicitationResponseAction{"decline", "cancel"} {
			e.say(answer)
			var got struct{ Status string }
			r := e.call(tool, nil, &got)
			asked := strings.Join(e.questions(), "\n")
			if r.IsError || got.Status != "cancelled" || len(e.questions()) != 1 {
				t.Errorf("%s, %s: %s; asked %q", tool, answer, said(r), asked)
			}
			for _, part := range []string{title, sentence, "Project: " + root, "2 files", "Asked by: test-editor"} {
				if !strings.Contains(asked, part) {
					t.Errorf("%s: no %q in %q", tool, part, asked)
				}
			}
		}
	}
	ask("create_index", "test-editor wants to index code", "Index this project so that it can be searched? "+
		"Its files are read on this computer only and nothing is sent anywhere.")
	if found, err := filepath.Glob(filepath.Join(w.data, "indexes", "*")); err != nil || len(found) > 0 {
		t.Errorf("there is an index after all: %q, %v", found, err)
	}
	w.mustCLI("index", root, "--yes")
	index, err := filepath.Glob(filepath.Join(w.data, "indexes", "*", "index.bleve"))
	if err != nil || len(index) != 1 {
		t.Fatal(index, err)
	}
	before, err := os.Stat(index[0])
	if err != nil {
		t.Fatal(err)
	}
	ask("reindex_project", "test-editor wants to rebuild the index of code",
		"This will rebuild the entire index. Continue?")
	ask("delete_index", "test-editor wants to delete the index of code",
		"Delete the index for this project? This cannot be undone.")
	for _, command := range []string{"reindex", "delete"} {
		if out, code := w.cli(command, "--project", root); code != 1 || !strings.Contains(out, unasked) {
			t.Errorf("%s without a terminal: exit %d, %s", command, code, out)
		}
	}
	if after, err := os.Stat(index[0]); err != nil || !os.SameFile(before, after) {
		t.Errorf("the index is another one: %v", err)
	}
	var h hits
	if e.call("search_code", map[string]any{"query": "DigWombat"}, &h); h.rank("wombat.go") != 1 {
		t.Errorf("search: %s", h.paths())
	}
}

// TestFilesThatAreNotThere: an empty match suggests similar paths, and unknown arguments are named.
func TestFilesThatAreNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{"src/login.go": "package src\n\nfunc Login() {}\n"})
	w.mustCLI("index", root, "--yes")
	e := w.connect(root)
	var paths struct {
		Matches, Similar, Notes []string
	}
	e.call("search_by_path", map[string]any{"pattern": "src/logn.go", "bogus": 1}, &paths)
	if len(paths.Matches) != 0 || !slices.Equal(paths.Similar, []string{"src/login.go"}) ||
		!slices.Contains(paths.Notes, "Unknown arguments were ignored: bogus.") ||
		!slices.Contains(paths.Notes, "No path matches the pattern. Those in 'similar' do not match it, but may be meant.") {
		t.Errorf("%+v", paths)
	}
	if text, failed := e.text("search_code", map[string]any{"query": "Login", "path": "src/login.go:1-3"}); failed ||
		!strings.Contains(text, "No indexed file matches the path src/login.go:1-3.") {
		t.Error(text)
	}
	text, failed := e.text("search_create_index", map[string]any{"index_name": "x",
		"tokenizer_config": map[string]any{"stemmer": "porter"}})
	if failed || !strings.Contains(text, "Unknown arguments were ignored: tokenizer_config.stemmer.") {
		t.Error(text)
	}
}

// TestInvalidConfigurationIsTold: the status names an invalid and an unknown field of a configuration, and the other
// fields apply.
func TestInvalidConfigurationIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{"a.go": "package a\n", "b.py": "x = 1\n"})
	w.mustCLI("index", root, "--yes")
	e := w.connect(root)
	w.configure(`{"maxFiles": "many", "exlude": ["x"], "exclude": ["**/*.py"]}`)
	var status struct {
		TotalFiles int
		Warnings   []string
	}
	w.await("the configuration", func() bool {
		e.call("get_index_status", nil, &status)
		return len(status.Warnings) > 1 && status.TotalFiles == 1
	})
	warned := strings.Join(status.Warnings, "\n")
	if !strings.Contains(warned, "maxFiles") || !strings.Contains(warned, "exlude") ||
		!strings.Contains(warned, "exclude") {
		t.Errorf("%q", status.Warnings)
	}
}
