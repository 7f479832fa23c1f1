package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

var bin string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "search-mcp-window-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	bin = dir
	return m.Run()
}

func build(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(bin, "model")); err == nil {
		return
	}
	top, err := filepath.Abs("../../..")
	must(t, err)
	cmd := exec.Command("go", "build", "-pgo=off", "-o", bin+"/", "./app/cmd/...")
	cmd.Dir = top
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build the programs: %v\n%s", err, out)
	}
	must(t, os.Symlink(filepath.Join(top, "packaging", "native", runtime.GOOS+"-"+runtime.GOARCH, "lib"),
		filepath.Join(bin, "lib")))
	must(t, os.Symlink(filepath.Join(top, "assets", "model"), filepath.Join(bin, "model")))
}

type desk struct {
	*session
	home, data string
	env        []string
	app        *exec.Cmd
	ended      chan error
	tray       *tray
	seen       *client.Client // a connection to the app as a terminal
}

// homeDir returns a home folder for the test. Its removal is retried, because the window's process ends some time after
// its display.
func homeDir(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("", "search-mcp-desk-")
	must(t, err)
	t.Cleanup(func() {
		deadline, tick := time.After(patience), time.NewTicker(50*time.Millisecond)
		defer tick.Stop()
		for os.RemoveAll(home) != nil {
			select {
			case <-tick.C:
			case <-deadline:
				t.Errorf("%s is still being written to", home)
				return
			}
		}
	})
	return home
}

// hands serializes desks, because windows slow each other down.
var hands sync.Mutex

func newDesk(t *testing.T, path ...string) *desk {
	t.Helper()
	hands.Lock()
	t.Cleanup(hands.Unlock)
	home := homeDir(t) // made before the session, so that it is removed after it
	d := &desk{session: newSession(t), home: home}
	build(t)
	d.data = filepath.Join(d.home, ".mcp", "search")
	run := filepath.Join(d.home, "run")
	must(t, os.MkdirAll(run, 0o700))
	d.env = []string{
		"HOME=" + d.home, "PATH=" + strings.Join(append(path, os.Getenv("PATH")), ":"), "LANG=en_US.UTF-8",
		"DISPLAY=" + d.display, "XAUTHORITY=" + d.key, "XDG_RUNTIME_DIR=" + run,
		"DBUS_SESSION_BUS_ADDRESS=" + d.address, "LIBGL_ALWAYS_SOFTWARE=1",
		"SEARCH_MCP_DESKTOP=environment", // the desktop of the test, not of the caller
	}
	out, err := os.Create(filepath.Join(d.home, "stderr.log"))
	must(t, err)
	t.Cleanup(func() {
		out.Close()
		if t.Failed() {
			logs(t, d.home)
		}
	})
	d.app = exec.Command(filepath.Join(bin, "search-mcp-app"), "-quiet")
	d.app.Env, d.app.Dir, d.app.Stdout, d.app.Stderr = d.env, d.home, out, out
	d.app.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	must(t, d.app.Start())
	d.ended = make(chan error, 1)
	go func() { d.ended <- d.app.Wait() }()
	t.Cleanup(func() {
		_ = d.app.Process.Signal(syscall.SIGTERM) // the app may have ended
		select {
		case <-d.ended:
		case <-time.After(patience):
			_ = d.app.Process.Kill()
			t.Error("the app did not end")
		}
	})
	d.tray = d.session.tray()
	await(t, "the app to listen", func() bool {
		c, err := client.Connect(t.Context(), client.Options{DataDir: d.data,
			Hello: wire.Hello{Role: api.RoleTerminal}, Name: "test"})
		d.seen = c
		return err == nil
	})
	t.Cleanup(func() { d.seen.Close() })
	return d
}

func (d *desk) project(name string) string {
	d.t.Helper()
	dir := filepath.Join(d.home, name)
	must(d.t, os.MkdirAll(dir, 0o755))
	texts := map[string]string{"go.mod": "module " + name + "\n"}
	for i := range 3 {
		texts[fmt.Sprintf("file%d.go",
			i)] = fmt.Sprintf("package %s\n\n// Burrow%d is dug by a wombat.\nfunc Burrow%d() {}\n", name, i, i)
	}
	for file, text := range texts {
		must(d.t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
	}
	return dir
}

// editor starts an MCP client that runs the bridge as an editor does. Without options it can't ask the user itself.
func (d *desk) editor(dir string, options ...mcpclient.ClientOption) *mcpclient.Client {
	d.t.Helper()
	tr := transport.NewStdioWithOptions(filepath.Join(bin, "search-mcp"), nil, []string{"mcp"},
		transport.WithCommandFunc(func(ctx context.Context, command string, _, args []string) (*exec.Cmd, error) {
			cmd := exec.CommandContext(ctx, command, args...)
			cmd.Env, cmd.Dir = []string{"HOME=" + d.home, "PATH=" + os.Getenv("PATH")}, dir // the environment from editors
			return cmd, nil
		}))
	//lint:ignore SA1019 most editors still begin with initialize
	c := mcpclient.NewClient(tr, append(options, mcpclient.WithLegacyProtocolOnly())...)
	must(d.t, c.Start(context.WithoutCancel(d.t.Context())))
	d.t.Cleanup(func() { _ = c.Close() })
	request := mcp.InitializeRequest{}
	request.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	request.Params.ClientInfo = mcp.Implementation{Name: "Test Editor", Version: "1"}
	must(d.t, second(c.Initialize(d.t.Context(), request)))
	return c
}

type answer struct {
	Status, Message   string
	Code, UserMessage string
	err               error
}

func call(ctx context.Context, c *mcpclient.Client, tool string) <-chan answer {
	result := make(chan answer, 1)
	go func() {
		request := mcp.CallToolRequest{}
		request.Params.Name = tool
		request.Params.Meta = &mcp.Meta{ProgressToken: tool} // defers the answer until the job has ended
		r, err := c.CallTool(ctx, request)
		a := answer{err: err}
		if err == nil {
			text, _ := json.Marshal(r.StructuredContent)
			a.err = json.Unmarshal(text, &a)
		}
		result <- a
	}()
	return result
}

func (d *desk) expect(what string, result <-chan answer, within time.Duration, status, message string) {
	d.t.Helper()
	select {
	case a := <-result:
		if a.err != nil || a.Status != status || !strings.Contains(a.Message, message) {
			d.t.Fatalf("%s: %+v, want %s, %q", what, a, status, message)
		}
	case <-time.After(within):
		d.t.Fatalf("%s: no answer", what)
	}
}

func (d *desk) state() wire.Status {
	d.t.Helper()
	s, err := wire.MethodStatus.Call(d.t.Context(), d.seen, wire.Empty{})
	must(d.t, err)
	return s
}

func (d *desk) windows() int {
	d.t.Helper()
	all, err := wire.MethodSessions.Call(d.t.Context(), d.seen, wire.Empty{})
	must(d.t, err)
	n := 0
	for _, s := range all {
		if s.Role == api.RoleWindow {
			n++
		}
	}
	return n
}

func (d *desk) ready(root string) bool {
	for _, p := range d.state().Projects {
		if p.Root() == root && p.State == api.StateReady {
			return true
		}
	}
	return false
}

type asked struct{ t *testing.T }

func (a asked) Elicit(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	a.t.Error("the client was asked in the user's place")
	return nil, errors.New("not here")
}

// TestStart starts the app without a terminal on a new data folder and on a used one: only a start without -quiet opens
// the window.
func TestStart(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const greeting = "Search MCP is running. Opening its window.\n"
	text, err := os.ReadFile(filepath.Join(d.home, "stderr.log"))
	if err != nil || strings.Contains(string(text), greeting) {
		t.Errorf("a quiet start printed %q, %v", text, err)
	}
	if out, err := d.xdotool("search", "--name", "Search MCP"); err == nil {
		t.Errorf("a quiet start opened the window %s", out)
	}
	output, err := os.Create(filepath.Join(d.home, "first.log"))
	must(t, err)
	defer output.Close()
	app, other := exec.Command(filepath.Join(bin, "search-mcp-app")), filepath.Join(d.home, "other")
	must(t, os.Mkdir(other, 0o700))
	must(t, os.WriteFile(filepath.Join(other, "app.lock"), nil, 0o600))
	app.Env, app.Dir, app.Stdout = append(d.env, "SEARCH_MCP_HOME="+other), d.home, output
	d.start(app)
	d.window("Search MCP")
	if text, err := os.ReadFile(output.Name()); err != nil || string(text) != greeting {
		t.Errorf("printed %q, %v", text, err)
	}
}

func TestWindowIsKilled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	root := d.project("cellar")
	created := call(t.Context(), d.editor(root, mcpclient.WithElicitationHandler(asked{t})), "create_index")
	out, err := d.xdotool("getwindowpid", d.window("Test Editor wants to index cellar"))
	must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(out))
	must(t, err)
	must(t, syscall.Kill(pid, syscall.SIGKILL))
	select {
	case a := <-created:
		if a.err != nil || a.Code != string(api.ConfirmationRequired) ||
			!strings.HasSuffix(a.UserMessage, "search-mcp index "+root) {
			t.Errorf("%+v", a)
		}
	case <-time.After(patience):
		t.Error("no answer")
	}
}

func TestAssistantAsks(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.tray.sees("No projects yet")
	root := d.project("shelf")
	editor := d.editor(root)

	created := call(t.Context(), editor, "create_index")
	d.window("Test Editor wants to index shelf")
	d.tray.sees("Waiting for your answer")
	await(t, "the icon's tooltip", func() bool { return strings.Contains(d.tray.tooltip(), "Waiting for your answer") })
	d.reply("Test Editor wants to index shelf", "shift+Tab", "Return") // selects yes, the last button
	d.expect("create_index", created, patience, "success", "Index created")
	if !d.ready(root) {
		t.Errorf("after create_index: %+v", d.state().Projects)
	}
	d.tray.sees("● shelf")
	d.tray.sees("Ready")

	kept := call(t.Context(), editor, "delete_index")
	d.reply("Test Editor wants to delete the index of shelf", "Tab", "Return") // selects the first button, the safe answer
	d.expect("delete_index, declined", kept, patience, "cancelled", "The user refused")
	escaped := call(t.Context(), editor, "delete_index")
	d.reply("Test Editor wants to delete the index of shelf", "Escape")
	d.expect("delete_index, escaped", escaped, patience, "cancelled", "The user refused")
	if !d.ready(root) {
		t.Errorf("after two refusals: %+v", d.state().Projects)
	}

	deleted := call(t.Context(), editor, "delete_index")
	d.reply("Test Editor wants to delete the index of shelf", "shift+Tab", "Return")
	d.expect("delete_index", deleted, patience, "success", "deleted")
	wantEqual(t, len(d.state().Projects), 0, "after delete_index: projects")
	d.tray.misses("● shelf")
	must(t, second(os.Stat(filepath.Join(root, "file0.go"))))
}

func TestUserAddsProject(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.tray.click("Open Search MCP")
	d.window("Search MCP")
	await(t, "the window to connect", func() bool { return d.windows() == 1 })

	root := d.project("garden")
	d.confirm("the folder to be indexed", func() {
		second := exec.Command(filepath.Join(bin, "search-mcp-window"), "-add", root)
		second.Env, second.Dir = d.env, d.home
		if out, err := second.CombinedOutput(); err != nil { // the second process passes its request to the first
			t.Fatalf("second window: %v\n%s", err, out)
		}
	}, func() bool { return len(d.state().Projects) == 1 })
	wantEqual(t, d.windows(), 1, "windows")
	await(t, "the index to be whole", func() bool { return d.ready(root) })

	d.tray.click("● garden", "Pause")
	d.tray.sees("‖ garden · Paused")
	d.tray.click("‖ garden · Paused", "Resume")
	d.tray.sees("● garden")

	d.tray.click("Quit")
	select {
	case err := <-d.ended:
		d.ended <- err
		if err != nil {
			t.Errorf("the app ended with %v", err)
		}
	case <-time.After(patience):
		t.Fatal("the app did not end")
	}
	await(t, "the window to close", func() bool {
		out, err := d.xdotool("search", "--name", "Search MCP")
		return err != nil && strings.TrimSpace(out) == ""
	})
	await(t, "the window's size to be remembered", func() bool {
		text, err := os.ReadFile(filepath.Join(d.home, ".mcp", "search", "window.json"))
		return err == nil && strings.Contains(string(text), `"window.width"`)
	})
}

// confirm opens the preview of a folder and presses the focused button "Index folder". It waits until the preview
// should be shown, longer on each attempt, because an early key would go to the page below.
func (d *desk) confirm(what string, open func(), done func() bool) {
	d.t.Helper()
	wait := time.Duration(0)
	d.until(what, func() {
		d.window("Search MCP")
		d.keys("Escape", "Escape")
		open()
		wait += reading
		<-time.After(wait)
		d.window("Search MCP")
		d.keys("Return")
	}, done)
}
