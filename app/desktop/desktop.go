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
)

const (
	// desktopEnv, if "off", disables the desktop session on servers and in tests.
	desktopEnv   = "SEARCH_MCP_DESKTOP"
	sessionPause = 15 * time.Second
	windowName   = "search-mcp-window"
)

// Desktop is the user's desktop session. It finds the session's environment variables, which an editor that started the
// app may have removed.
type Desktop struct {
	data string
	mask int
	log  *slog.Logger
	// temporary contains the original TMPDIR and similar variables, for programs of the user.
	temporary map[string]string

	windows sync.WaitGroup
}

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

// Present reports whether the user has a desktop session.
func (d *Desktop) Present() bool {
	_, ok := session()
	return ok
}

// Show opens the window or brings it to the front. ended is closed when the process that Show started exits.
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

func (d *Desktop) launch(extra []string, program string, args ...string) (ended chan struct{}, err error) {
	env, ok := session()
	if !ok {
		return nil, errors.New("no desktop session")
	}
	cmd := command(d.mask, program, args...)
	cmd.Env = append(d.environ(env), extra...)
	cmd.Dir = filepath.VolumeName(d.data) + string(filepath.Separator) // Windows can't remove a working directory
	Detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	ended = make(chan struct{})
	d.windows.Go(func() {
		defer close(ended)
		if err := cmd.Wait(); err != nil && program != "explorer" { // explorer always exits with 1
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
		name, args = "open", []string{"-R", path} // without -R, open would execute a folder that is an application
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

// Run shows the tray icon until ctx ends. On macOS it must run on the main goroutine.
func (d *Desktop) Run(ctx context.Context, b tray.Engine, s *endpoint.Server, quit func()) {
	for ctx.Err() == nil {
		if prepareTray() {
			locales, err := locale.GetLocales()
			if err != nil {
				d.log.Debug("language of the system not found", "err", err)
			}
			err = tray.Run(ctx, tray.Options{
				Engine: b, Questions: s.Questions, Reveal: d.reveal, Quit: quit, Language: translations.For(locales...), Log: d.log,
				Show: func(page, root string) { d.Show(wire.Show{Page: page, Project: root}) },
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

// ShowWindow opens the window of an app that already runs.
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
