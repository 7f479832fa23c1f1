package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// folder creates a project with the given files.
func (w *world) folder(files map[string]string) string {
	w.t.Helper()
	root := filepath.Join(w.home, "code")
	for name, text := range files {
		w.write(filepath.Join(root, name), text)
	}
	return root
}

// answerText returns the text of a tool's answer.
func answerText(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// wantError calls a tool that must fail with a code and both messages. developer is a pattern for the developer message
// after the code.
func (e *editor) wantError(tool string, args map[string]any, code, user, developer string) {
	e.t.Helper()
	var got struct{ Code, UserMessage, DeveloperMessage string }
	r := e.call(tool, args, &got)
	if !r.IsError || got.Code != code || got.UserMessage != user ||
		!regexp.MustCompile("^"+code+": "+developer+"$").MatchString(got.DeveloperMessage) {
		e.t.Errorf("%s %v: %+v\n%s", tool, args, got, answerText(r))
	}
}

// startWithoutOverride starts the app without the superuser's capability to read all files.
func (w *world) startWithoutOverride() {
	w.t.Helper()
	if os.Geteuid() != 0 {
		return // the first command starts the app
	}
	cmd := exec.Command("setpriv", "--bounding-set", "-dac_override,-dac_read_search", filepath.Join(w.bin,
		"search-mcp"), "projects")
	cmd.Env, cmd.Dir = w.env, w.home
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("start without the power to read everything: %v\n%s", err, out)
	}
}

// TestEveryErrorByItsCause causes the errors of RFC 6.2 with the real programs and checks the code and both messages.
// Other tests cause DISK_FULL and MODEL_DOWNLOAD_FAILED.
func TestEveryErrorByItsCause(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.folder(map[string]string{"main.go": "package main\n", "b.go": "package main\n\nfunc B() {}\n",
		"closed.go": "package main\n", "renamed.go": "package x\x00\x01\x02", "latin1.py": "# caf\xe9 cr\xe8me\n",
		"huge.go": "package x\n//" + strings.Repeat("x", 2<<20),
		"line.js": "var a = [" + strings.Repeat("1234567890,", 80000) + "];"})
	check(t, os.Symlink("main.go", filepath.Join(root, "link.go")))
	w.write(filepath.Join(w.data, "config.json"), `{"maxFiles": 2}`)
	w.startWithoutOverride()
	ed := w.connect(w.home)
	ed.answerWith("decline") // a user who does not choose a folder
	ed.wantError("search_code", map[string]any{"query": "x"},
		"PROJECT_NOT_DETECTED", "Could not detect project root. Please choose a directory.",
		`No markers found in path hierarchy\. No project is registered yet\. Pass a folder as the argument 'project'\.`)
	ed.wantError("search_code", map[string]any{"query": "x", "project": root},
		"INDEX_NOT_FOUND", "This project hasn't been indexed yet. Would you like to index it now?",
		`No index at .*/indexes/[0-9a-f]{32}/`)

	// Above the limit the user is asked before indexing.
	ed.answerWith("decline")
	ed.call("create_index", map[string]any{"project": root}, nil)
	const large = "This project is very large (6 files). Indexing may take several minutes. Continue?"
	if asked := strings.Join(ed.questions(), "\n"); !strings.Contains(asked, large) {
		t.Errorf("FILE_LIMIT_WARNING: asked %q", asked)
	}
	ed.answerWith("accept")
	if r := ed.call("create_index", map[string]any{"project": root}, nil); r.IsError {
		t.Fatalf("create_index: %s", answerText(r))
	}
	ed.wantText(`"developerMessage":"FILE_LIMIT_WARNING: 5 files exceeds soft limit of 2"`, "get_index_status",
		map[string]any{"project": root})

	check(t, os.Chmod(filepath.Join(root, "closed.go"), 0))
	with := func(key, value string) map[string]any { return map[string]any{"project": root, key: value} }
	ed.wantError("reindex_file", with("path", "closed.go"), "PERMISSION_DENIED",
		"Can't access some files in this project. Check folder permissions.", "EACCES reading closed.go")
	ed.wantError("reindex_file", with("path", "missing.go"), "FILE_NOT_FOUND",
		"The file 'missing.go' doesn't exist or isn't indexed.", "missing.go not in index")
	ed.wantError("reindex_file", with("path", "link.go"), "SYMLINK_NOT_ALLOWED",
		"Symbolic links are not allowed for security reasons.", "Symlink detected at path: link.go")
	for _, path := range []string{"renamed.go", "huge.go", "../../etc/passwd"} {
		if r := ed.call("reindex_file", with("path", path), nil); !r.IsError {
			t.Errorf("%s was indexed", path)
		}
	}
	ed.wantText(`"status":"success"`, "reindex_file", with("path", "line.js"))
	ed.wantError("search_by_path", with("pattern", "[a"), "INVALID_PATTERN",
		"The search pattern '[a' is invalid. Please check the syntax.", `.+`)
	ed.wantError("search_docs", with("query", "x"), "DOCS_INDEX_NOT_FOUND",
		"No documentation has been indexed yet. Run create_index to index your project.",
		`No docs index at .*/indexes/[0-9a-f]{32}/docs\.lancedb/\. .+`)

	// An index that this version can't read is neither used nor changed.
	w.stop()
	w.write(w.indexFile("store.json"), `{"format": 99}`)
	w.connect(w.home).wantError("search_code", with("query", "x"), "INDEX_CORRUPT",
		"This index was created by a newer version of the program.", `store.json has format 99, this program knows \d+`)
}

// TestFullDisk indexes on a disk that becomes full after the user was asked, and then on the full disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("mounting a small file system needs root on Linux")
	}
	check(t, os.MkdirAll(w.data, 0o700))
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=40m,mode=700", "none",
		w.data).CombinedOutput(); err != nil {
		t.Skipf("mounting a small file system is refused: %v %s", err, out)
	}
	t.Cleanup(func() {
		w.cli("stop")
		if out, err := exec.Command("umount", "-l", w.data).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	root := w.folder(map[string]string{"main.go": "package main\n"})
	e := w.connect(w.home)
	e.before = func() { w.write(filepath.Join(w.data, "filler"), strings.Repeat("x", 25<<20)) }
	for range 2 {
		e.wantError("create_index", map[string]any{"project": root}, "DISK_FULL",
			"Not enough disk space to create the search index. Free up some space and try again.",
			`ENOSPC - need ~2\dMB, have \d+MB`)
	}
	if asked := e.questions(); len(asked) != 1 {
		t.Errorf("asked %q", asked)
	}
	const sizes = `^Not enough disk space .+\nAbout \d+ MB are needed, but only \d+ MB are free\.\n$`
	if out, code := w.cli("index", root, "--yes"); code != 1 || !regexp.MustCompile(sizes).MatchString(out) {
		t.Errorf("at the terminal: exit %d, %s", code, out)
	}
}
