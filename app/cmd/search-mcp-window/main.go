// Command search-mcp-window is the window of Search MCP. It connects package ui to app/socket/client and the desktop.
// It runs only while the window is open. A second start raises the existing window.
//
// Fyne's loop runs on the main goroutine. The connection has a goroutine, for which main waits.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/driver/desktop"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/gofrs/flock"

	"searchmcp/app/cmd/search-mcp-window/locale"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
	"searchmcp/app/version"
	"searchmcp/engine/api"
	"searchmcp/ui"
	"searchmcp/ui/page"
)

const appID = "io.searchmcp.app"

func main() {
	on := flag.String("page", "",
		"page to show: projects, search, activity, editors, sources, settings, palette or question")
	project := flag.String("project", "", "project to show, by its folder")
	add := flag.String("add", "", "folder to index: shows a preview, and asks")
	data := flag.String("data", "", "data folder (default: $SEARCH_MCP_HOME, else ~/.mcp/search)")
	showVersion := flag.Bool("version", false, "print the version and exit")
	flag.Parse()
	if *showVersion {
		fmt.Println("search-mcp-window", version.Version)
		return
	}
	show := wire.Show{Page: *on, Project: *project}
	if *on == "" && *project == "" {
		show.Page = string(page.PageHome)
	}
	if *add != "" {
		dir, err := filepath.Abs(*add)
		if err != nil {
			fmt.Fprintln(os.Stderr, "search-mcp-window:", err)
			os.Exit(1)
		}
		show = wire.Show{Page: string(page.PageAdd), Project: dir}
	}
	if err := run(*data, show); err != nil {
		fmt.Fprintln(os.Stderr, "search-mcp-window:", err)
		os.Exit(1)
	}
}

func run(data string, show wire.Show) error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" {
		return errors.New("there is no display to open a window on (DISPLAY is not set)")
	}
	if data == "" {
		var err error
		if data, err = ipc.DataDir(); err != nil {
			return fmt.Errorf("find data folder: %w", err)
		}
	}
	if err := os.Setenv(ipc.DataEnv, data); err != nil { // package connect reads it
		return fmt.Errorf("set data folder: %w", err)
	}
	lock, first, err := only(data)
	if err != nil {
		return err
	}
	if !first {
		return raise(data, show)
	}
	defer lock.Close()
	return serve(data, show)
}

func only(data string) (*flock.Flock, bool, error) {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, false, fmt.Errorf("make data folder: %w", err)
	}
	lock := flock.New(filepath.Join(data, "window.lock"), flock.SetPermissions(0o600))
	ok, err := lock.TryLock()
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	return lock, ok, nil
}

const (
	raiseTime  = 10 * time.Second // the existing window and the app may still be starting
	raisePause = 100 * time.Millisecond
)

// raise asks the app to bring the running window to the front. It waits until that window has connected to the app.
func raise(data string, show wire.Show) error {
	ctx, cancel := context.WithTimeout(context.Background(), raiseTime)
	defer cancel()
	c, err := client.Connect(ctx, client.Options{
		DataDir: data, Hello: wire.Hello{Role: api.RoleTerminal}, Name: "search-mcp-window",
		Launcher: &client.Launcher{Env: locale.Child},
	})
	if err != nil {
		return err
	}
	defer c.Close()
	for {
		sessions, err := wire.MethodSessions.Call(ctx, c, wire.Empty{})
		if err != nil {
			return fmt.Errorf("find the window: %w", err)
		}
		for _, s := range sessions {
			if s.Role == api.RoleWindow {
				return wire.MethodShow.Do(ctx, c, show)
			}
		}
		select {
		case <-ctx.Done():
			return errors.New("a window is open already but does not answer")
		case <-time.After(raisePause):
		}
	}
}

func palette(a fyne.App) fyne.Window {
	d, ok := a.Driver().(desktop.Driver)
	if !ok {
		return a.NewWindow("")
	}
	w := d.CreateSplashWindow()
	glfw.WindowHint(glfw.Floating, glfw.True)
	return floating{w}
}

// floating is the palette's window, with round corners. Show places it at a third of the screen's height.
type floating struct{ fyne.Window }

func (f floating) Show() {
	f.Window.Show()
	glfw.WindowHint(glfw.Floating, glfw.False)
	f.round(f.Canvas().Size())
	native, ok := f.Window.(driver.NativeWindow)
	screen := glfw.GetPrimaryMonitor()
	if !ok || screen == nil {
		return
	}
	left, top, width, height := screen.GetWorkarea()
	size := f.Canvas().PixelCoordinateForPosition
	wide, _ := size(fyne.NewPos(f.Canvas().Size().Width, 0))
	_, tall := size(fyne.NewPos(0, ui.PaletteHeight))
	native.RunNative(func(at any) { hang(at, left+(width-wide)/2, top+max(0, min(height/3, height-tall))) })
}

func (f floating) Resize(size fyne.Size) {
	f.Window.Resize(size)
	f.round(size)
}

func (f floating) round(size fyne.Size) {
	if native, ok := f.Window.(driver.NativeWindow); ok {
		pixels := f.Canvas().PixelCoordinateForPosition
		width, height := pixels(fyne.NewPos(size.Width, size.Height))
		radius, _ := pixels(fyne.NewPos(ui.PaletteRadius, 0))
		native.RunNative(func(at any) { roundCorners(at, width, height, radius) })
	}
}

func window(s wire.Show) bool { return s.Page != wire.PagePalette && s.Page != wire.PageQuestion }

func serve(data string, show wire.Show) error {
	calm := &steady{App: app.NewWithID(appID)}
	fyne.SetCurrentApp(calm)
	a, loop := newQuitter(calm), &doze{app: calm}
	calm.kept = ui.OpenPreferences(calm.App.Preferences(), filepath.Join(data, "window.json"))
	_, err := exec.LookPath("xdg-open")
	w := ui.New(page.Options{App: a, Desktop: &machine{data: data}, Version: version.Version, Stir: loop.stir,
		NoOpener: runtime.GOOS == "linux" && err != nil, NoTray: noTray(),
		Palette: func() fyne.Window { return palette(a) }, Behind: showUnfocused})
	w.Want(page.Page(show.Page), show.Project)
	ctx, cancel := context.WithCancel(context.Background())
	var keeper sync.WaitGroup
	var byUser atomic.Bool
	options := client.Options{
		DataDir: data, Hello: wire.Hello{Role: api.RoleWindow}, Name: "search-mcp-window",
		Launcher: &client.Launcher{Env: locale.Child},
		Event:    w.Event,
		Raise: func(s wire.Show) {
			loop.do(func() {
				if window(s) {
					w.Show()
				}
				w.Want(page.Page(s.Page), s.Project)
			})
		},
		Quitting: func(q wire.Quitting) {
			byUser.Store(q.ByUser)
			if q.ByUser {
				loop.do(w.Leave)
			}
		},
	}
	keeper.Go(func() {
		client.Keep(ctx, options, func(c *client.Client) {
			byUser.Store(false)
			if err := wire.MethodSubscribe.Do(ctx, c, wire.Empty{}); err != nil {
				return // client.Keep reports the lost connection
			}
			loop.do(func() { w.Connected(backend{c}) })
		}, func(err error) {
			loop.do(func() { w.Lost(byUser.Load(), err) })
		})
	})
	if window(show) {
		w.Show()
	}
	a.Settings().AddListener(func(fyne.Settings) { loop.do(func() { titleBars(a) }) })
	loop.do(func() { titleBars(a) })
	loop.begin()
	a.Run()
	cancel()
	w.Close()
	keeper.Wait()
	return nil
}

type backend struct{ *client.Client }

// Agreed starts an action that the user has approved.
func (b backend) Agreed(ctx context.Context, a api.Action, root string) error {
	_, err := b.CallTool(ctx, string(a), map[string]any{"project": root}, api.Accept, nil)
	return err
}

func (b backend) Reporting(progress func(done, total int)) wire.Caller {
	return client.Reporting{Client: b.Client, Progress: func(p client.ToolProgress) {
		progress(int(p.Progress), int(p.Total))
	}}
}
