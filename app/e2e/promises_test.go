package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// TestAlwaysAllow checks that an approval for a project is kept over a restart, and covers neither a rebuild nor a
// deletion. It ends when it is revoked or the index is deleted.
func TestAlwaysAllow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mute = true // without an approval, the editor's calls are refused
	root := w.folder(map[string]string{"go.mod": "module p\n"})
	e := w.connect(root)
	window := func() *client.Client {
		c := must(client.Connect(t.Context(), client.Options{DataDir: w.data, Hello: wire.Hello{Role: api.RoleWindow}}))
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	call := func(when, tool, want string) {
		t.Helper()
		var got struct{ Status, Code string }
		if e.call(tool, nil, &got); got.Status+got.Code != want {
			t.Errorf("%s, %s: %+v, want %s", when, tool, got, want)
		}
	}
	always := func() {
		must(window().CallTool(t.Context(), "create_index", map[string]any{"project": root}, api.Always, nil))
	}
	always()
	w.stop()
	e = w.connect(root)
	e.wantText(`"message":"Index brought up to date"`, "create_index", nil) // after a restart
	call("allowed", "reindex_project", "CONFIRMATION_REQUIRED")
	call("allowed", "delete_index", "CONFIRMATION_REQUIRED")
	if text, _ := e.text("delete_index", nil); !strings.Contains(text, "search-mcp delete --project "+root) {
		t.Errorf("no command to type: %s", text)
	}
	w.mustCLI("delete", "--project", root, "--yes")
	call("deleted", "create_index", "CONFIRMATION_REQUIRED")
	always()
	must(wire.MethodRevoke.Call(t.Context(), window(), wire.ProjectRef{Project: root}))
	w.stop()
	e = w.connect(root)
	call("revoked", "create_index", "ALREADY_INDEXED")
}

// TestDenyListWithThePrograms checks that no file of RFC 5.2's deny list is indexed, at the root or below, although
// include names all of them and there is no ignore file. The list ignores case on Windows and macOS, for secrets
// everywhere.
func TestDenyListWithThePrograms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	files, include := map[string]string{}, []string{`"**/*"`}
	for name := range strings.FieldsSeq("node_modules/ jspm_packages/ bower_components/ vendor/ .venv/ venv/ .hg/ .svn/ " +
		"dist/ build/ out/ target/ __pycache__/ .next/ .nuxt/ .idea/ .vscode/ coverage/ .nyc_output/ .pytest_cache/ " +
		".env .env.local a.pem a.key a.p12 a.pfx a.log a.lock package-lock.json yarn.lock pnpm-lock.yaml Gemfile.lock " +
		"poetry.lock .DS_Store a.swp a.swo .ENV .Env.Local B.PEM B.KEY B.P12 B.Pfx") {
		if strings.HasSuffix(name, "/") {
			name += "wombat.go"
		}
		for _, path := range []string{name, "a/b/" + name} {
			files[path] = "package wombat\n"
			include = append(include, `"`+path+`"`)
		}
	}
	want := []string{"a/b/wombat.go", "c/BUILD/wombat.go", "c/X.LOG", "c/Yarn.Lock"}
	for _, path := range want {
		files[path] = "package wombat\n"
	}
	root := w.folder(files)
	w.write(filepath.Join(root, ".git", "wombat.go"), "package wombat\n")
	w.write(filepath.Join(w.data, "config.json"), `{"include": [`+strings.Join(include, ",")+`]}`)
	e := w.indexed(root)
	var found struct{ Matches []string }
	e.call("search_by_path", map[string]any{"pattern": "**", "limit": 1000}, &found)
	if runtime.GOOS != "linux" {
		want = want[:1]
	}
	if !slices.Equal(found.Matches, want) {
		t.Errorf("indexed: %q, want %q", found.Matches, want)
	}
}

// TestStatusFigures checks the fields of get_index_status: they equal those of list_projects and the
// terminal, lastUpdated follows a change, and watcherActive is false while the project's folder is missing.
func TestStatusFigures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(authFiles)
	e := w.indexed(root)
	var status struct {
		Status, LastUpdated, LastFullIndex, StorageSize string
		TotalFiles, TotalChunks                         int
		WatcherActive                                   bool
	}
	await := func(what string, ok func() bool) {
		t.Helper()
		w.await(what, func() bool { e.call("get_index_status", nil, &status); return ok() })
	}
	await("the watcher", func() bool { return status.WatcherActive && status.Status == "ready" })
	next := time.Now().Truncate(time.Second).Add(time.Second)
	await("the next second", func() bool { return !time.Now().Before(next) }) // times have no fractions of a second
	w.write(filepath.Join(root, "src", "new.ts"), "export function wombat() {}\n")
	await("the new file", func() bool { return status.Status == "ready" && status.TotalFiles == len(authFiles)+1 })
	if updated := must(time.Parse(time.RFC3339, status.LastUpdated)); updated.Before(next) ||
		status.LastFullIndex >= status.LastUpdated {
		t.Errorf("%+v, changed after %v", status, next)
	}
	figures := fmt.Sprintf(`"status":"ready","totalFiles":%d,"totalChunks":%d,`, status.TotalFiles, status.TotalChunks)
	e.wantText(figures, "list_projects", nil)
	if p := w.project(root); p.Files != status.TotalFiles || p.Chunks != status.TotalChunks || p.State != "ready" {
		t.Errorf("at the terminal: %+v, want %+v", p, status)
	}
	w.await("the size of the index", func() bool {
		var size int64
		for name, data := range w.dataFiles() {
			if strings.HasPrefix(name, filepath.Dir(w.indexFile("metadata.json"))) && !strings.Contains(name, "logs") {
				size += int64(len(data))
			}
		}
		e.call("get_index_status", nil, &status)
		var shown int64
		_, err := fmt.Sscanf(status.StorageSize, "%dKB", &shown)
		return err == nil && max(shown-size>>10, size>>10-shown) <= 8 // metadata.json and the dirty files change
	})
	check(t, os.Rename(root, root+"-moved"))
	await("the watcher to stop", func() bool { return !status.WatcherActive })
}

// TestAnswersInWords checks that wrong arguments, cut queries, empty answers and repeated refusals are named.
func TestAnswersInWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{"go.mod": "module p\n", "a.go": "package p\n\nfunc DigWombat() {}\n"})
	e := w.connect(root)
	e.answerWith(mcp.ElicitationResponseActionDecline)
	for i := range 4 {
		text, failed := e.text("create_index", nil)
		if failed != (i == 3) || failed && !strings.Contains(text, "The user has refused this several times") ||
			len(e.questions()) != min(i+1, 3) {
			t.Errorf("refusal %d: %s; asked %q", i+1, text, e.questions())
		}
	}
	w.mustCLI("index", root, "--yes") // the user acts
	w.mustCLI("delete", "--project", root, "--yes")
	if e.wantText(`"status":"cancelled"`, "create_index", nil); len(e.questions()) != 4 {
		t.Errorf("after the user has acted: asked %q", e.questions())
	}
	w.mustCLI("index", root, "--yes")
	w.configure(`{"maxFiles": "many", "exlude": ["a.go"]}`)
	w.await("the warnings", func() bool {
		text, _ := e.text("get_index_status", nil)
		return strings.Contains(text, "maxFiles must be a whole number above 0") && strings.Contains(text, "exclude")
	})
	for want, call := range map[string][2]string{
		"must be a whole number from 1 to 50, not 0.":  {"search_code", `{"query": "dig", "top_k": 0}`},
		"must be a whole number from 1 to 50, not 51.": {"search_docs", `{"query": "dig", "top_k": 51}`},
		"first and the last 4096 were used.":           {"search_code", `{"query":"` + strings.Repeat("dig ", 2200) + `"}`},
		`{"results":[],"totalResults":0,`:              {"search_code", `{"query": "xyzzyq plughq"}`},
		"no file in it matches docPatterns":            {"search_docs", `{"query": "dig"}`},
	} {
		var args map[string]any
		decode(t, call[1], &args)
		if text, _ := e.text(call[0], args); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %s", call[0], want, text)
		}
	}
}
