// Package e2e tests the programs as a user and an editor use them: it builds and starts them, sends requests over
// standard input and the socket, and kills and restarts them. It contains only tests.
package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"searchmcp/app/socket/ipc"
)

// bin is the folder of the built programs.
var bin string

// suffix is the file extension of programs.
var suffix = map[bool]string{true: ".exe"}[runtime.GOOS == "windows"]

// binEnv passes bin to a child test process, which then does not build again.
const binEnv = "SEARCH_MCP_E2E_BIN"

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if bin = os.Getenv(binEnv); bin != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "search-mcp-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	defer os.RemoveAll(dir + quickSuffix)
	bin = dir
	if err := build(dir, "./app/cmd/search-mcp", "./app/cmd/search-mcp-app", "./app/cmd/search-mcp-worker"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	lib := filepath.Join(top, "packaging", "native", runtime.GOOS+"-"+runtime.GOARCH, "lib")
	for name, target := range map[string]string{"lib": lib, "model": filepath.Join(top, "assets", "model")} {
		must(0, os.Symlink(target, filepath.Join(dir, name)))
	}
	return m.Run()
}

// top is the folder of the sources.
var top = must(filepath.Abs(filepath.Join("..", "..")))

// build builds programs in dir with the flags of the tests.
func build(dir string, args ...string) error {
	cmd := exec.Command("go", append([]string{"build", "-pgo=off", "-o", dir + string(filepath.Separator)}, args...)...)
	cmd.Dir = top
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the programs: %w\n%s", err, out)
	}
	return nil
}

// buildApp copies the programs to dir, with an app that is built with other flags.
func buildApp(dir string, flags ...string) error {
	if err := os.CopyFS(dir, os.DirFS(bin)); err != nil { // links to libraries and model stay links
		return err
	}
	return build(dir, append(flags, "./app/cmd/search-mcp-app")...)
}

const quickSuffix = "-quick"

// Times of the app that quick builds.
const (
	quickAnswer = 5 * time.Second        // instead of two minutes
	quickHour   = 500 * time.Millisecond // of integrityInterval
)

// quick lets w use an app with shorter times, and with network shares by name. It fails if the product's times differ
// from the specification.
func (w *world) quick() {
	w.t.Helper()
	check(w.t, buildQuick())
	w.bin = bin + quickSuffix
}

var buildQuick = sync.OnceValue(func() error {
	replace, changed := map[string]string{}, filepath.Join(bin+quickSuffix, "changed")
	must(0, os.MkdirAll(changed, 0o700))
	for i, times := range [][3]string{
		{"app/endpoint/session/rounds.go", "AnswerTime = 2 * time.Minute", "AnswerTime = 5 * time.Second"},
		{"engine/files/watch/machine.go", "overdueDelay = 5 * time.Minute", "overdueDelay = time.Second"},
		{"engine/project/watch.go", "IntegrityInterval) * time.Hour", "IntegrityInterval) * time.Second / 2"},
		{"engine/files/watch/share_linux.go", "isShare(uint32(fs.Type), st.Dev)", `dir[max(0, len(dir)-6):] == "/share"`},
	} {
		file, short := filepath.Join(top, times[0]), filepath.Join(changed, fmt.Sprint(i, ".go"))
		before, after, found := strings.Cut(string(must(os.ReadFile(file))), times[1])
		if !found {
			return errors.New(times[0] + " lacks " + times[1])
		}
		must(0, os.WriteFile(short, []byte(before+times[2]+after), 0o600))
		replace[file] = short
	}
	overlay := filepath.Join(changed, "overlay.json")
	must(0, os.WriteFile(overlay, must(json.Marshal(map[string]any{"Replace": replace})), 0o600))
	return buildApp(bin+quickSuffix, "-overlay", overlay)
})

// desktopOff keeps the app from opening windows on the real desktop.
const desktopOff = "SEARCH_MCP_DESKTOP=off"

// homeOf returns the variables for a home folder.
func homeOf(dir string) []string {
	if runtime.GOOS == "windows" {
		return []string{"USERPROFILE=" + dir, "APPDATA=" + filepath.Join(dir, "AppData", "Roaming"),
			"LOCALAPPDATA=" + filepath.Join(dir, "AppData", "Local")}
	}
	return []string{"HOME=" + dir}
}

// kill ends a process at once, without cleanup.
func kill(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}

// world is a temporary home folder with the programs' data folder.
type world struct {
	t    *testing.T
	home string
	data string
	env  []string
	bin  string
	// fresh disables the cache of vectors.
	fresh bool
	// handshake makes editors begin with initialize; otherwise they use the stateless protocol.
	handshake bool
	// bridgeStarts lets connect start the app, without desktopOff.
	bridgeStarts bool
	// mute makes editors unable to ask their user.
	mute bool
}

// newWorld creates an empty home folder. At the end of the test its app is stopped, and must have ended.
func newWorld(t *testing.T) *world {
	t.Helper()
	home := t.TempDir()
	w := &world{t: t, home: home, bin: bin, handshake: true, data: filepath.Join(home, ".mcp", "search")}
	// An editor passes on even less (TestStrippedEnvironment).
	w.env = append(homeOf(home), "PATH="+os.Getenv("PATH"), "LANG=C.UTF-8", desktopOff)
	t.Cleanup(func() {
		if w.running() {
			w.mustCLI("stop")
		}
		w.await("the app to end", func() bool { return !w.running() })
		if t.Failed() {
			w.dumpLogs()
		}
	})
	return w
}

// running reports whether an app has locked the data folder.
func (w *world) running() bool {
	w.t.Helper()
	_, locked, err := ipc.Locked(w.data)
	check(w.t, err)
	return locked
}

// pid returns the PID of the app.
func (w *world) pid() int {
	w.t.Helper()
	owner, locked, err := ipc.Locked(w.data)
	if err != nil || !locked {
		w.t.Fatalf("no app runs: %v", err)
	}
	return owner.PID
}

// dataFiles returns all files of the data folder by path. It retries while the app writes files, which Windows can't
// read meanwhile.
func (w *world) dataFiles() map[string][]byte {
	w.t.Helper()
	var all map[string][]byte
	w.await("a moment in which all of the data folder can be read", func() bool {
		all = map[string][]byte{}
		err := filepath.WalkDir(w.data, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				all[path], err = os.ReadFile(path)
			}
			return err
		})
		return err == nil
	})
	return all
}

func (w *world) dumpLogs() {
	_ = filepath.WalkDir(w.data, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".log") {
			if text, err := os.ReadFile(path); err == nil {
				w.t.Logf("%s:\n%s", path, text)
			}
		}
		return nil
	})
}

// stop ends the app and waits for it.
func (w *world) stop() {
	w.t.Helper()
	w.mustCLI("stop")
	w.await("the app to end", func() bool { return !w.running() })
}

// await waits until ok, which another process fulfils. The limit of eight minutes is for a busy machine.
func (w *world) await(what string, ok func() bool) {
	w.t.Helper()
	deadline := time.NewTimer(8 * time.Minute)
	defer deadline.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline.C:
			w.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// cli runs search-mcp without a terminal and returns its output and exit code.
func (w *world) cli(args ...string) (string, int) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(w.bin, "search-mcp"), args...)
	cmd.Env = w.env
	cmd.Dir = w.home
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out.String(), 0
	case errors.As(err, &exit):
		return out.String(), exit.ExitCode()
	}
	w.t.Fatalf("search-mcp %v: %v", args, err)
	return "", -1
}

// mustCLI is cli for a command that must succeed. A search with --json may also return 1, for no results.
func (w *world) mustCLI(args ...string) string {
	w.t.Helper()
	out, code := w.cli(args...)
	if nothing := code == 1 && args[0] == "search" && !strings.Contains(out, "\"error\""); code != 0 && !nothing {
		w.t.Fatalf("search-mcp %v: exit %d\n%s", args, code, out)
	}
	return out
}

// wantCLI checks the exit code and a part of the output of a command.
func (w *world) wantCLI(code int, part string, args ...string) {
	w.t.Helper()
	if out, got := w.cli(args...); got != code || !strings.Contains(out, part) {
		w.t.Errorf("search-mcp %v: exit %d, want %d and %q in\n%s", args, got, code, part, out)
	}
}

// copyGo copies folders of Go's source, a real code base on every machine that runs this test.
func (w *world) copyGo(name string, folders ...string) string {
	w.t.Helper()
	if !w.fresh && !w.running() {
		w.remember()
	}
	root := filepath.Join(w.home, name)
	src := filepath.Join(goRoot(w.t), "src")
	for _, f := range folders {
		check(w.t, os.CopyFS(filepath.Join(root, f), os.DirFS(filepath.Join(src, f))))
	}
	w.write(filepath.Join(root, "go.mod"), "module example\n")
	return root
}

// remembered lists the folders of Go's source that tests index most often. Their vectors are cached, because embedding
// takes most of a test's time.
var remembered = []string{"container", "encoding/csv", "text/tabwriter"}

// vectorCache is the app's file of vectors in its data folder.
var vectorCache = filepath.Join("cache", "vectors", "vectors.db")

// vectors contains vectorCache after the app has indexed the remembered folders.
var vectors struct {
	once sync.Once
	file []byte
}

// remember copies another app's cached vectors to the app to be started.
func (w *world) remember() {
	w.t.Helper()
	file := filepath.Join(w.data, vectorCache)
	if _, err := os.Stat(file); err == nil {
		return
	}
	vectors.once.Do(func() {
		first := newWorld(w.t)
		first.fresh = true
		first.mustCLI("index", first.copyGo("shelf", remembered...), "--yes")
		first.stop()
		data, err := os.ReadFile(filepath.Join(first.data, vectorCache))
		check(w.t, err)
		vectors.file = data
	})
	if vectors.file == nil {
		w.t.Fatal("the remembered folders could not be indexed; another test reports the reason")
	}
	check(w.t, os.MkdirAll(filepath.Dir(file), 0o700))
	check(w.t, os.WriteFile(file, vectors.file, 0o600))
}

func decode(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// goRoot returns the folder of the Go distribution, from GOROOT if there is no go command.
func goRoot(t *testing.T) string {
	t.Helper()
	if root := os.Getenv("GOROOT"); root != "" {
		return root
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	check(t, err)
	return strings.TrimSpace(string(out))
}

func (w *world) write(path, text string) {
	w.t.Helper()
	check(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
	check(w.t, os.WriteFile(path, []byte(text), 0o644))
}

// check fails the test if err is not nil.
func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
