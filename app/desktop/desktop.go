package desktop

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jeandeaual/go-locale"

	"searchmcp/app/desktop/tray"
	"searchmcp/app/endpoint"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

const (
	// desktopEnv disables the desktop with the value "off", for servers and for tests on a shared machine.
	desktopEnv = "SEARCH_MCP_DESKTOP"
	// sessionPause is the polling interval for a desktop session while none exists, which costs one stat(2).
	sessionPause = 15 * time.Second
	// windowName is the window's program, in the folder of this program.
	windowName = "search-mcp-window"
)

// Desktop is the user's desktop session. It finds the session by its user, because the editor that started the app may
// have reduced the environment.
type Desktop struct {
	data string
	mask int // umask of programs started for the user
	log  *slog.Logger
	// temporary are the variables of the app's start for the folder of temporary files, for the user's programs.
	temporary map[string]string

	windows sync.WaitGroup // goroutines that wait for windows to end
}

// New returns the desktop of a data folder. mask is the umask of programs started for the user.
func New(data string, mask int, log *slog.Logger) *Desktop {
	d := &Desktop{data: data, mask: mask, log: log, temporary: map[string]string{}}
	for _, name := range temporaryNames {
		if value, ok := os.LookupEnv(name); ok {
			d.temporary[name] = value
		}
	}
	return d
}

var temporaryNames = []string{"TMPDIR", "TMP", "TEMP"}

// environ returns a session's environment without the app's own temporary folder.
func (d *Desktop) environ(env []string) []string {
	own := filepath.Join(d.data, "tmp")
	back := map[string]string{}
	env = slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, value, _ := strings.Cut(e, "=")
		if value != own || !slices.Contains(temporaryNames, name) {
			return false
		}
		if before := d.temporary[name]; before != "" && before != own {
			back[name] = before
		}
		return true
	})
	return with(env, back)
}

// Present reports whether the user has a desktop session. Questions then go to the window, even if it can't be shown,
// and not to the client.
func (d *Desktop) Present() bool {
	_, ok := session()
	return ok
}

// Show starts the window on a page, or raises a running window. ended is closed when the new process has ended.
func (d *Desktop) Show(s wire.Show) (ended <-chan struct{}) {
	ended, err := d.start(s)
	if err != nil {
		d.log.Error("window not opened", "err", err)
		none := make(chan struct{})
		close(none)
		return none
	}
	return ended
}

func (d *Desktop) start(s wire.Show) (<-chan struct{}, error) {
	program, err := beside(windowName)
	if err != nil {
		return nil, err
	}
	args := []string{}
	if s.Page != "" {
		args = append(args, "-page", s.Page)
	}
	if s.Project != "" {
		args = append(args, "-project", s.Project)
	}
	return d.launch([]string{ipc.DataEnv + "=" + d.data}, program, args...)
}

// launch starts a program in the user's session with additional variables. ended is closed when it has ended.
func (d *Desktop) launch(set []string, program string, args ...string) (ended chan struct{}, err error) {
	env, ok := session()
	if !ok {
		return nil, errors.New("no desktop session")
	}
	cmd := command(d.mask, program, args...)
	cmd.Env = append(d.environ(env), set...)
	cmd.Dir = filepath.VolumeName(d.data) + string(filepath.Separator) // so that no folder stays in use
	Detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	ended = make(chan struct{})
	d.windows.Go(func() {
		defer close(ended)
		if err := cmd.Wait(); err != nil && program != "explorer" { // which always exits with 1
			d.log.Warn("program of the desktop ended with an error", "program", program, "err", err)
		}
	})
	return ended, nil
}

func (d *Desktop) reveal(path string) {
	name, args := "xdg-open", []string{path}
	switch runtime.GOOS {
	case "windows":
		name = "explorer"
	case "darwin":
		name, args = "open", []string{"-R", path} // -R, because open would run a folder named like a program
	}
	if _, err := d.launch(nil, name, args...); err != nil {
		d.log.Error("file manager not opened", "err", err)
	}
}

func beside(name string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find own program: %w", err)
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(filepath.Dir(self), name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("find %s: %w", name, err)
	}
	return path, nil
}

// Run shows the icon as soon as a session exists, until ctx ends. On macOS it must run on the main goroutine.
func (d *Desktop) Run(ctx context.Context, b trayEngine, s *endpoint.Server, quit func()) {
	for ctx.Err() == nil {
		if bus() {
			err := tray.Run(ctx, tray.Options{
				Source: b, Questions: s.Questions, Actions: trayActions{d, b, quit},
				Language: d.language(), Log: d.log,
			})
			if err == nil {
				return
			}
			if !errors.Is(err, tray.ErrNoTray) {
				d.log.Error("no icon in the tray", "err", err)
				break
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(sessionPause):
		}
	}
	<-ctx.Done()
}

// language returns the system's language, or English.
func (d *Desktop) language() translations.Language {
	locales, err := locale.GetLocales()
	if err != nil {
		d.log.Debug("language of the system not found", "err", err)
	}
	return translations.For(locales...)
}

// trayEngine is the part of the engine that the tray uses.
type trayEngine interface {
	tray.Source
	Pause(root string) error
	Resume(root string) error
}

type trayActions struct {
	d       *Desktop
	backend trayEngine
	quit    func()
}

func (a trayActions) Show(page, root string) { a.d.Show(wire.Show{Page: page, Project: root}) }
func (a trayActions) Reveal(root string)     { a.d.reveal(root) }
func (a trayActions) Quit()                  { a.quit() }
func (a trayActions) Pause(root string)      { a.report("not paused", a.backend.Pause(root)) }
func (a trayActions) Resume(root string)     { a.report("not resumed", a.backend.Resume(root)) }

func (a trayActions) report(failure string, err error) {
	if err != nil {
		a.d.log.Error(failure, "code", api.CodeOf(err), "err", err)
	}
}

// ShowWindow starts or raises the window when the app is started a second time.
func ShowWindow(data string) error {
	if data == "" {
		var err error
		if data, err = ipc.DataDir(); err != nil {
			return fmt.Errorf("find data folder: %w", err)
		}
	}
	mask := KeepPrivate()
	RestoreMask(mask)
	d := New(data, mask, slog.New(slog.DiscardHandler))
	_, err := d.start(wire.Show{}) // the window outlives this program
	return err
}

// with returns env with the variables of set.
func with(env []string, set map[string]string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		_, replaced := set[name]
		return replaced
	})
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	return env
}
