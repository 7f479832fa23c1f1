package e2e

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// unasked begins the message of a command that needs a terminal to ask.
const unasked = "This needs your approval, but no terminal is available"

// TestNothingChangesWithoutConsent checks for each of the three actions that a refusal, a dismissed question, no answer
// within two minutes and a command without a terminal leave the index unchanged. The question has the
// RFC's sentence and names project, files and requester.
func TestNothingChangesWithoutConsent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	answers := []mcp.ElicitationResponseAction{"decline", "cancel"}
	if runtime.GOOS != "windows" { // its tests run without a Go command
		w.quick()
		answers = append(answers, noAnswer)
	}
	root := w.folder(map[string]string{"go.mod": "module p\n",
		"wombat.go": "package p\n\n// DigWombat digs.\nfunc DigWombat() {}\n"})
	e := w.connect(root)
	ask := func(tool, title, sentence string) {
		t.Helper()
		for _, answer := range answers {
			e.answerWith(answer)
			began, closed := time.Now(), e.notified("notifications/cancelled")
			var got struct{ Status, Message string }
			r := e.call(tool, nil, &got)
			asked := strings.Join(e.questions(), "\n")
			if r.IsError || got.Status != "cancelled" || len(e.questions()) != 1 {
				t.Errorf("%s, %s: %s; asked %q", tool, answer, answerText(r), asked)
			}
			if took := time.Since(began); answer == noAnswer && (took < quickAnswer || took >= 2*quickAnswer ||
				got.Message != "The user did not answer within 2 minutes, so nothing was changed." ||
				e.notified("notifications/cancelled") != closed+1) {
				t.Errorf("%s without an answer: %s after %v", tool, answerText(r), took)
			}
			for _, part := range []string{title, sentence, "Project: " + root, "2 files", "Asked by: test-editor"} {
				if tool != "delete_index" && part == "2 files" {
					part = "\n2 files (59B), about 236B of index, done in about 1s\n"
				}
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
	index := w.indexFile("index.bleve")
	before := must(os.Stat(index))
	ask("reindex_project", "test-editor wants to rebuild the index of code",
		"This will rebuild the entire index. Continue?")
	ask("delete_index", "test-editor wants to delete the index of code",
		"Delete the index for this project? This cannot be undone.")
	for _, command := range [][]string{{"index", w.home}, {"reindex", "--project", root},
		{"delete", "--project", root}, {"index", w.home, "--yes"}} { // a home folder needs two confirmations
		out, code := w.cli(command...)
		if yes := len(command) == 3 && command[2] == "--yes"; code != 1 || !yes && !strings.Contains(out, unasked) {
			t.Errorf("%s without a terminal: exit %d, %s", command, code, out)
		}
	}
	if after, err := os.Stat(index); err != nil || !os.SameFile(before, after) {
		t.Errorf("the index is another one: %v", err)
	}
	var h hits
	if e.call("search_code", map[string]any{"query": "DigWombat"}, &h); h.rank("wombat.go") != 1 {
		t.Errorf("search: %s", h.paths())
	}
}

// TestFilesThatAreNotThere checks that an empty match suggests similar paths, and unknown arguments are named.
func TestFilesThatAreNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{"src/login.go": "package src\n\nfunc Login() {}\n"})
	e := w.indexed(root)
	var paths struct {
		Matches, Similar, Notes []string
	}
	e.call("search_by_path", map[string]any{"pattern": "src/logn.go", "bogus": 1}, &paths)
	if len(paths.Matches) != 0 || !slices.Equal(paths.Similar, []string{"src/login.go"}) ||
		!slices.Contains(paths.Notes, "Unknown arguments were ignored: bogus.") ||
		!slices.Contains(paths.Notes, "No path matches the pattern. 'similar' lists similar paths.") {
		t.Errorf("%+v", paths)
	}
	e.wantText("No indexed file matches the path src/login.go:1-3.", "search_code",
		map[string]any{"query": "Login", "path": "src/login.go:1-3"})
	text, failed := e.text("search_create_index", map[string]any{"index_name": "x",
		"tokenizer_config": map[string]any{"stemmer": "porter"}})
	if failed || !strings.Contains(text, "Unknown arguments were ignored: tokenizer_config.stemmer.") {
		t.Error(text)
	}
}

// TestLinesEndInCarriageReturns checks that all tools agree on the lines of a file without line feeds.
func TestLinesEndInCarriageReturns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{
		"den.py": "import os\r\rdef dig_wombat():\r    return 1\r\rdef rest_quokka():\r    return 2\r"})
	w.mustCLI("index", root, "--yes")
	e := w.connect(root, "--project", root)
	for tool, test := range map[string]struct {
		args map[string]any
		want string
	}{
		"search_code": {map[string]any{"query": "rest_quokka"}, `"startLine":6,"endLine":7`},
		"find_symbol": {map[string]any{"name": "rest_quokka"}, `"startLine":6,"endLine":7`},
		"grep_code":   {map[string]any{"pattern": "rest_quokka"}, "6: def rest_quokka():"},
		"outline":     {map[string]any{"path": "den.py"}, `"6-7 def rest_quokka()"`},
	} {
		e.wantText(test.want, tool, test.args)
	}
}

// TestProjectMarkers checks that the project of a working directory is the closest folder above with a repository, else
// the closest folder with another marker, and never a home folder (RFC 5.1).
func TestProjectMarkers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, file := range []string{"repo/.git/HEAD", "repo/pkg/go.mod", "store/HEAD", "tree/sub/package.json",
		"js/package.json", "js/py/pyproject.toml", "js/py/rs/Cargo.toml", "js/py/rs/src/x.rs", "both/go.mod",
		"both/package.json", "plain/x.txt", "package.json"} {
		w.write(filepath.Join(w.home, filepath.FromSlash(file)), "")
	}
	w.write(filepath.Join(w.home, "tree", ".git"), "gitdir: ../store\n")
	for dir, want := range map[string]string{"repo/pkg": "repo", "tree/sub": "tree", "js": "js", "js/py": "js/py",
		"js/py/rs/src": "js/py/rs", "both": "both", "plain": ""} {
		e := w.connect(filepath.Join(w.home, dir))
		e.answerWith(mcp.ElicitationResponseActionDecline) // refuses to choose a folder
		var got struct{ ProjectPath, Code, DeveloperMessage string }
		r := e.call("get_index_status", nil, &got)
		if want == "" {
			if got.Code != "PROJECT_NOT_DETECTED" || !strings.HasPrefix(got.DeveloperMessage,
				"PROJECT_NOT_DETECTED: No markers found in path hierarchy") {
				t.Errorf("%s: %s", dir, answerText(r))
			}
		} else if got.ProjectPath != filepath.Join(w.home, want) {
			t.Errorf("%s: %s, want %s", dir, answerText(r), want)
		}
	}
	plain := filepath.Join(w.home, "plain")
	e := w.connect(plain)
	e.wantText(`"projectPath":`+string(must(json.Marshal(plain))), "get_index_status", nil) // chooses the first
	if asked := strings.Join(e.questions(), "\n"); !strings.HasPrefix(asked, "Could not detect project root.\n"+
		"[1] Use current directory: "+plain+"\n[2] Enter a custom path") {
		t.Error(asked)
	}
}

// TestLeftOutIsNamedEverywhere checks that each reason for an omission has its count and an example in the answer that
// creates an index, in the status and at the terminal. include adds a file of secrets, but no file on the hard list
// (RFC 4.1, 5.2).
func TestLeftOutIsNamedEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{"go.mod": "module p\n", ".env": "A=1\n", "node_modules/x.js": "x\n",
		"logo.png": "\x89PNG\x00", "large.go": strings.Repeat("// wombat\n", 120_000), ".npmrc": "color=true\n",
		"credentials.json": "{}\n", "local.md": "# Local\n", ".gitignore": "local.md\n", "docs/a.go": "package docs\n",
		"own.go": "package p\n", strings.Repeat("d/", 20) + "in.go": "package d\n",
		strings.Repeat("d/", 21) + "out.go": "package d\n"})
	w.write(filepath.Join(w.home, "outside", "b.go"), "package outside\n")
	for name, target := range map[string]string{"file.go": filepath.Join(w.home, "outside", "b.go"),
		"folder": filepath.Join(w.home, "outside")} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil && runtime.GOOS != "windows" {
			t.Fatal(err)
		}
	}
	e := w.connect(root)
	for _, tool := range []string{"create_index", "get_index_status"} {
		text, failed := e.text(tool, nil)
		for _, want := range []string{`"reason":"deny_list","files":2,`, `"examples":[".env","node_modules"]`,
			`"reason":"secret","files":2,`, `"examples":[".npmrc","credentials.json"]`, `"reason":"binary","files":1,`,
			`"examples":["logo.png"]`, `"reason":"too_large","files":1,`, `"examples":["large.go"]`,
			`"reason":"gitignore","files":1,`, `"examples":["local.md"]`,
			`"reason":"too_deep","files":1,`, `"examples":["` + strings.Repeat("d/", 20) + `d"]`} {
			if failed || !strings.Contains(text, want) {
				t.Errorf("%s: no %s in %s", tool, want, text)
			}
		}
	}
	out := w.mustCLI("status", "--project", root)
	for want := range strings.FieldsSeq(".env node_modules .npmrc credentials.json logo.png large.go local.md") {
		if !strings.Contains(out, want) {
			t.Errorf("the terminal's status has no %s: %s", want, out)
		}
	}
	w.configure(`{"include": ["**/*", ".npmrc", ".env", "docs/a.go", "own.go"], "exclude": ["docs/**", "own.go"]}`)
	var files struct{ Matches []string }
	w.await("the file that include names", func() bool {
		e.call("search_by_path", map[string]any{"pattern": "**"}, &files)
		return slices.Contains(files.Matches, ".npmrc")
	})
	slices.Sort(files.Matches)
	want := []string{".gitignore", ".npmrc", strings.Repeat("d/", 20) + "in.go", "go.mod"}
	if !slices.Equal(files.Matches, want) {
		t.Errorf("indexed: %q, want %q", files.Matches, want)
	}
	if check(t, os.Remove(filepath.Join(root, "go.mod"))); runtime.GOOS != "windows" { // its links need a right
		check(t, os.Symlink(filepath.Join(w.home, "outside", "b.go"), filepath.Join(root, "go.mod")))
		e.wantText("No line of ", "grep_code", map[string]any{"pattern": "package outside"})
	}
	for _, path := range []string{"file.go", "folder/b.go", "go.mod", "../outside/b.go"} {
		if text, failed := e.text("reindex_file", map[string]any{"path": path}); !failed {
			t.Errorf("%s was indexed: %s", path, text)
		}
	}
}

// committed reports whether the index of the only project has a file of code with this text.
func (w *world) committed(text string) bool {
	files, err := filepath.Glob(filepath.Join(w.data, "indexes", "*", "fingerprints.j*"))
	check(w.t, err)
	return slices.ContainsFunc(files, func(file string) bool {
		prints, err := os.ReadFile(file) // the app may have removed it
		return err == nil && strings.Contains(string(prints), fmt.Sprintf("%x", sha256.Sum256([]byte(text))))
	})
}

// TestChangesAreFollowed checks that added, changed, renamed and removed files are followed, and a start finds the
// changes made meanwhile (RFC 5.5, 5.6). A file is read after it has not changed for 500 ms.
func TestChangesAreFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{"go.mod": "module p\n"})
	e := w.indexed(root)
	place := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	indexed := func(what string, paths ...string) {
		t.Helper()
		w.await(what, func() bool {
			var files struct{ Matches []string }
			e.call("search_by_path", map[string]any{"pattern": "**/*.go"}, &files)
			return slices.Equal(files.Matches, paths)
		})
	}
	finds := func(name, path string) {
		t.Helper()
		w.await(name+" in "+path, func() bool {
			var h hits
			e.call("search_code", map[string]any{"query": name}, &h)
			return h.rank(path) == 1 && strings.Contains(h.Results[0].Text, name)
		})
	}
	w.write(place("a/dig.go"), "package a\n\nfunc DigWombat() {}\n")
	indexed("an added file", "a/dig.go")
	w.write(place("a/dig.go"), "package a\n\nfunc RestQuokka() {}\n")
	finds("RestQuokka", "a/dig.go")
	check(t, os.Rename(place("a"), place("b")))
	indexed("a renamed folder", "b/dig.go")
	w.stop()
	w.write(place("b/dig.go"), "package b\n\nfunc SwimNumbat() {}\n")
	w.write(place("c/new.go"), "package c\n")
	e = w.connect(root)
	finds("SwimNumbat", "b/dig.go")
	indexed("a file added meanwhile", "b/dig.go", "c/new.go")
	check(t, os.RemoveAll(place("b")))
	indexed("a removed folder", "c/new.go")

	var saved []time.Time
	text := func(n int) string { return fmt.Sprintf("package p\n\nvar saved = %d\n", n) }
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	w.await("the last text", func() bool {
		if <-tick.C; len(saved) < 10 {
			saved = append(saved, time.Now())
			w.write(place("saved.go"), text(len(saved)))
		}
		for i, at := range saved {
			if w.committed(text(i+1)) && time.Since(at) < 500*time.Millisecond {
				t.Errorf("text %d was read within %v", i+1, time.Since(at))
			}
		}
		return w.committed(text(10))
	})
}

// TestLazyWaits checks that the lazy strategy keeps changed files waiting until a search, or a pause of
// lazyIdleThreshold seconds. It keeps them over a restart, and the start indexes them (RFC 5.6, 5.7).
// Without a repository, the git strategy works like lazy and reports it.
func TestLazyWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{"go.mod": "module p\n"})
	w.mustCLI("index", root, "--yes")
	var status struct {
		IndexingStrategy         string
		TotalFiles, PendingFiles int
	}
	e := w.connect(root)
	waits := func(what string, files, pending int) {
		t.Helper()
		w.await(what, func() bool {
			e.call("get_index_status", nil, &status)
			return status.IndexingStrategy == "lazy" && status.TotalFiles == files && status.PendingFiles == pending
		})
	}
	w.configure(`{"indexingStrategy": "lazy", "lazyIdleThreshold": 3600}`)
	waits("the strategy", 1, 0)
	files := 1
	w.await("a file to be pending", func() bool { // the scan for the new strategy may still index the first files
		if e.call("get_index_status", nil, &status); status.TotalFiles == files && status.PendingFiles == 0 {
			name := fmt.Sprintf("Wombat%d", files) // search merges declarations with the same text
			w.write(filepath.Join(root, name+".go"), "package p\n\nfunc Dig"+name+"() {}\n")
			files++
		}
		return status.PendingFiles == 1
	})
	name := fmt.Sprintf("Wombat%d", files-1)
	var h hits
	for tries := 0; h.rank(name+".go") == 0; tries++ { // on a busy machine the first search does not wait for the file
		if e.call("search_code", map[string]any{"query": "Dig" + name}, &h); tries == 300 {
			t.Fatal("no search released the file")
		}
	}
	w.write(filepath.Join(root, "quokka.go"), "package p\n")
	waits("a second file to be pending", files, 1)
	w.stop()
	if kept, err := os.ReadFile(w.indexFile("dirty-files.json")); err != nil || !strings.Contains(string(kept), `"quokka.go"`) {
		t.Errorf("%s, %v", kept, err)
	}
	e = w.connect(root)
	waits("the start to index it", files+1, 0)
	w.configure(`{"indexingStrategy": "lazy", "lazyIdleThreshold": 1}`)
	w.write(filepath.Join(root, "numbat.go"), "package p\n")
	waits("the pause", files+2, 0)
	w.configure(`{"indexingStrategy": "git"}`)
	w.await("the note", func() bool {
		text, _ := e.text("get_index_status", nil)
		return strings.Contains(text, `"watcherNote":"This folder has no git repository`)
	})
	w.wantCLI(0, "no git repository", "status", "--project", root)
	w.write(filepath.Join(root, "dugong.go"), "package p\n\nfunc RestDugong() {}\n")
	w.await("a search to release a file", func() bool {
		e.call("search_code", map[string]any{"query": "RestDugong"}, &h)
		return h.rank("dugong.go") == 1
	})
}
