//go:build walk

package main

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/engine/api"
)

// look is the appearance of a desktop.
type look struct {
	theme, locale string
	scale         int
}

func (l look) name(page string) string {
	return fmt.Sprintf("%s-%s-%d-%s", page, l.locale[:2], 100*l.scale, l.theme)
}

// walker is a user who visits the whole window with the real programs.
type walker struct {
	*desk
	look
	out    string
	window *exec.Cmd
	id     string
}

// TestWalk draws every page with the real programs, under a window manager and with a tray, in light and dark, at 100 %
// and 200 %, in English and German, for review in $WALK (docs/review-window.md):
//
// WALK=/tmp/walk go test -tags walk -run TestWalk -timeout 40m ./app/cmd/search-mcp-window
func TestWalk(t *testing.T) {
	out := os.Getenv("WALK")
	if out == "" {
		t.Fatal("WALK names no folder for the pictures")
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SEARCH_MCP_WALK_SCREEN", filepath.Join(out, "screen"))
	if err := os.MkdirAll(filepath.Join(out, "screen"), 0o755); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	var looks []look
	for _, theme := range []string{"dark", "light"} {
		for _, locale := range []string{"en_US.UTF-8", "de_DE.UTF-8"} {
			looks = append(looks, look{theme, locale, 1}, look{theme, locale, 2})
		}
	}
	if only := os.Getenv("WALK_LOOKS"); only == "1" {
		looks = looks[:1]
	}
	w := &walker{desk: d, out: out}
	roots := w.furnish()
	for _, l := range looks {
		w.look = l
		w.begin("projects")
		w.shot("first-start")
		w.wish("-add", roots["cobra"])
		w.shot("add-folder")
		w.end()
	}
	w.index(roots)
	for _, l := range looks {
		w.look = l
		w.pages(roots)
	}
	w.menu()
}

// menu saves the text of the tray's menu.
func (w *walker) menu() {
	w.t.Helper()
	var b strings.Builder
	var write func(e entry, depth int)
	write = func(e entry, depth int) {
		for _, sub := range e.entries {
			if sub.visible {
				fmt.Fprintf(&b, "%s%s\n", strings.Repeat("  ", depth), sub.label)
				write(sub, depth+1)
			}
		}
	}
	write(w.tray.layout(), 0)
	if err := os.WriteFile(filepath.Join(w.out, "tray.txt"), []byte(w.tray.tooltip()+"\n"+b.String()), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// furnish creates projects, editors and documents.
func (w *walker) furnish() map[string]string {
	w.t.Helper()
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		w.t.Fatal(err)
	}
	roots := map[string]string{}
	for name, module := range map[string]string{"cobra": "github.com/spf13/cobra@*",
		"doublestar": "github.com/bmatcuk/doublestar/v4@*",
		"fsnotify":   "github.com/fsnotify/fsnotify@*", "goldmark": "github.com/yuin/goldmark@v1*"} {
		found, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(cache)), filepath.FromSlash(module)))
		if len(found) == 0 {
			w.t.Fatalf("no %s in the module cache", module)
		}
		roots[name] = filepath.Join(w.home, "code", name)
		w.run("cp", "-r", found[len(found)-1], w.parent(roots[name]))
	}
	roots["long"] = filepath.Join(w.home, "code", "infrastructure-as-code-of-the-whole-company-with-a-very-long-name")
	w.run("cp", "-r", roots["doublestar"], w.parent(roots["long"]))
	roots["away"] = filepath.Join(w.home, "stick", "notes")
	w.run("cp", "-r", roots["fsnotify"], w.parent(roots["away"]))
	w.run("chmod", "-R", "u+w", w.home)
	for i, name := range []string{"cobra", "fsnotify", "goldmark"} {
		w.write(fmt.Sprintf(".config/Code/User/workspaceStorage/%d/workspace.json", i),
			`{"folder": "file://`+roots[name]+`"}`)
	}
	w.write("code/bare/.git/HEAD", "ref: refs/heads/main\n")
	w.write(".config/Code/User/workspaceStorage/9/workspace.json", `{"folder": "file://`+filepath.Join(w.home,
		"code", "bare")+`"}`)
	w.write(".cursor/mcp.json", "{\n  \"mcpServers\": {}\n}\n")
	w.write(".codeium/windsurf/mcp_config.json", "{ not json")
	w.write("manuals/deploy.md",
		"# Deploying\n\nRoll back a release by the previous tag; tokens are rotated afterwards.\n")
	return roots
}

func (w *walker) parent(path string) string {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func (w *walker) run(program string, args ...string) {
	w.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Dir = w.env, w.home
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
}

func (w *walker) cli(args ...string) { w.run(filepath.Join(bin, "search-mcp"), args...) }

// index indexes the projects and brings one into each state that a page shows.
func (w *walker) index(roots map[string]string) {
	w.t.Helper()
	for _, root := range roots {
		w.cli("index", root, "--yes")
	}
	w.cli("documents", "add", filepath.Join(w.home, "manuals"))
	await(w.t, "all to be ready", func() bool {
		for _, root := range roots {
			if !w.ready(root) {
				return false
			}
		}
		return true
	})
	w.cli("pause", "--project", roots["doublestar"])
	if err := os.Rename(roots["away"], filepath.Join(w.home, "unplugged")); err != nil {
		w.t.Fatal(err)
	}
	await(w.t, "the folder to be missed", func() bool {
		for _, p := range w.state().Projects {
			if p.Root() == roots["away"] && p.State == api.StateOffline {
				return true
			}
		}
		return false
	})
	e := w.editor(roots["cobra"])
	for _, q := range []string{"generate zsh completion", "suggest a similar command", "bind a flag to the environment",
		"deprecated flags"} {
		w.ask(e, "get_index_status", nil)
		w.ask(e, "search_code", map[string]any{"query": q})
	}
	w.ask(e, "list_projects", nil)
}

// ask calls a tool and ignores its answer.
func (w *walker) ask(e *mcpclient.Client, tool string, args map[string]any) {
	w.t.Helper()
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, args
	if _, err := e.CallTool(w.t.Context(), request); err != nil {
		w.t.Fatal(err)
	}
}

// begin opens the window with the look.
func (w *walker) begin(args ...string) {
	w.t.Helper()
	w.write(".config/fyne/"+appID+"/preferences.json", fmt.Sprintf(`{"theme": %q, "closed.told": true}`, w.theme))
	w.window = exec.Command(filepath.Join(bin, "search-mcp-window"), "-page", args[0])
	w.window.Env = append(w.env, "LANG="+w.locale, "FYNE_SCALE="+fmt.Sprint(w.scale))
	w.window.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := w.window.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.id = w.desk.window("Search MCP")
	await(w.t, "the window to connect", func() bool { return w.windows() == 1 })
	w.settle()
}

func (w *walker) end() {
	w.t.Helper()
	_ = w.window.Process.Signal(syscall.SIGKILL)
	_ = w.window.Wait() // it was killed
	await(w.t, "the window to go", func() bool { return w.windows() == 0 })
}

// wish sends a request to the window, as a second start does.
func (w *walker) wish(args ...string) {
	w.t.Helper()
	w.run(filepath.Join(bin, "search-mcp-window"), args...)
	w.settle()
}

// settle waits until a page has been drawn by software.
func (w *walker) settle() { <-time.After(reading) }

func (w *walker) tap(x, y int) {
	w.t.Helper()
	w.click(w.id, x*w.scale, y*w.scale)
	w.settle()
}

func (w *walker) press(names ...string) {
	w.t.Helper()
	w.keys(names...)
	w.settle()
}

func (w *walker) text(s string) {
	w.t.Helper()
	if out, err := w.xdotool("type", "--delay", "20", s); err != nil {
		w.t.Fatalf("type: %v\n%s", err, out)
	}
	w.settle()
}

// pages visits all pages.
func (w *walker) pages(roots map[string]string) {
	t := w.t
	t.Helper()
	w.begin("projects")
	w.shot("projects")
	w.wish("-page", "projects", "-project", roots["cobra"])
	w.shot("details")
	w.tap(1012, 748) // like the others, within the label in either language
	w.shot("project-settings")
	w.xdotool("mousemove", "--window", w.id, fmt.Sprint(1000*w.scale), fmt.Sprint(300*w.scale))
	w.xdotool("click", "--repeat", "30", "5")
	w.settle()
	w.shot("project-settings-end")
	w.press("Escape")
	w.wish("-page", "projects", "-project", roots["away"])
	w.shot("details-away")
	w.press("Escape")
	w.wish("-page", "search", "-project", roots["cobra"])
	w.text("generate zsh completion")
	w.shot("search")
	w.press("ctrl+a")
	w.text("where is the shopping cart total computed")
	w.shot("search-weak")
	w.press("ctrl+a")
	w.text("sourdough bread recipe with rye flour")
	w.shot("search-none")
	w.press("ctrl+a")
	w.text("suggested commands")
	w.press("Down", "Down")
	w.shot("search-stems")
	w.press("Return")
	w.shot("open-result")
	w.press("Escape")
	w.wish("-page", "activity")
	w.shot("activity")
	w.tap(325, 86)
	w.shot("activity-indexing")
	w.tap(400, 86)
	w.shot("activity-log")
	w.wish("-page", "editors")
	w.shot("editors")
	w.tap(706, 99)
	w.shot("connect")
	w.press("Escape")
	w.wish("-page", "sources")
	w.shot("sources")
	w.wish("-page", "settings")
	w.shot("settings")
	w.xdotool("mousemove", "--window", w.id, fmt.Sprint(500*w.scale), fmt.Sprint(300*w.scale))
	w.xdotool("click", "--repeat", "60", "5")
	w.settle()
	w.shot("settings-end")
	w.wish("-page", "search")
	w.press("ctrl+a")
	w.text(">")
	w.press("Down", "Return") // the second action: check everything
	w.shot("check")
	w.press("Escape")
	w.wish("-page", "palette")
	w.text("rate limit")
	w.whole("palette")
	w.press("Escape")
	if w.scale == 1 { // at 2 the screen is too small
		w.xdotool("windowsize", "--sync", w.id, "1920", "1080")
		for _, p := range []string{"search", "projects", "activity", "editors", "sources", "settings"} {
			w.wish("-page", p)
			w.shot("wide-" + p)
		}
		w.xdotool("windowsize", "--sync", w.id, "1280", "780")
	}
	w.wish("-page", "projects")
	for tool, name := range map[string]string{"reindex_project": "confirm-rebuild", "delete_index": "confirm-delete"} {
		asked := call(t.Context(), w.editor(roots["cobra"]), tool)
		await(t, "the question", func() bool { return len(w.desk.state().Open) > 0 })
		<-time.After(reading)
		w.shot(name)
		w.press("Escape")
		<-asked
	}
	fresh := filepath.Join(w.home, "code", "fresh-"+w.name("x"))
	w.run("cp", "-r", roots["doublestar"], fresh)
	asked := call(t.Context(), w.editor(fresh), "create_index")
	await(t, "the question", func() bool { return len(w.desk.state().Open) > 0 })
	<-time.After(reading)
	w.shot("confirm-create")
	w.press("Escape")
	<-asked
	w.press("Escape")
	w.end()
}

// shot saves a picture of the window.
func (w *walker) shot(page string) {
	w.t.Helper()
	// Get the window's corner from the pointer: the reported position counts the frame twice.
	corner, err := w.xdotool("mousemove", "--window", w.id, "0", "0", "getmouselocation", "--shell")
	if err != nil {
		w.t.Fatal(err, corner)
	}
	out, err := w.xdotool("getwindowgeometry", "--shell", w.id)
	if err != nil {
		w.t.Fatal(err, out)
	}
	at := map[string]int{}
	for line := range strings.Lines(out + corner) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		var n int
		if _, err := fmt.Sscan(value, &n); err == nil {
			at[name] = n
		}
	}
	w.keep(page, image.Rect(at["X"], at["Y"], at["X"]+at["WIDTH"], at["Y"]+at["HEIGHT"]))
}

// whole saves a picture of the screen.
func (w *walker) whole(page string) { w.keep(page, image.Rect(0, 0, 1<<15, 1<<15)) }

// keep writes a part of the screen, which Xvfb stores as an X window dump.
func (w *walker) keep(page string, part image.Rectangle) {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.out, "screen", "Xvfb_screen0"))
	if err != nil {
		w.t.Fatal(err)
	}
	field := func(i int) int { return int(binary.BigEndian.Uint32(data[4*i:])) }
	width, height, stride := field(4), field(5), field(12)
	pixels := data[field(0)+12*field(19):]
	part = part.Intersect(image.Rect(0, 0, width, height))
	img := image.NewRGBA(image.Rect(0, 0, part.Dx(), part.Dy()))
	for y := range part.Dy() {
		for x := range part.Dx() {
			p := pixels[(part.Min.Y+y)*stride+4*(part.Min.X+x):]
			img.SetRGBA(x, y, color.RGBA{p[2], p[1], p[0], 0xff})
		}
	}
	f, err := os.Create(filepath.Join(w.out, w.name(page)+".png"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		w.t.Fatal(err)
	}
}
