package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"searchmcp/app/cmd/search-mcp-window/locale"
	"searchmcp/app/desktop/connect"
	"searchmcp/app/desktop/login"
	"searchmcp/app/socket/client"
	"searchmcp/ui"
)

// machine is the desktop that the window runs on.
type machine struct{ data string }

var _ ui.Desktop = (*machine)(nil)

// Openers lists the programs of this computer that show a file at a line.
func (*machine) Openers(context.Context) ([]ui.Opener, error) {
	m, err := local()
	if err != nil {
		return nil, err
	}
	var list []ui.Opener
	for _, o := range m.Openers() {
		list = append(list, ui.Opener(o))
	}
	return list, nil
}

// OpenFile shows a file at a line in a program of Openers, in what the desktop opens it with, or by a command of the
// person's.
func (*machine) OpenFile(opener, path string, line int) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("open file: %w: %w", ui.ErrFileGone, err)
	}
	m, err := local()
	if err != nil {
		return err
	}
	argv, err := m.OpenArgs(opener, connect.Place{Path: path, Line: line})
	if err != nil {
		return err
	}
	return start(argv[0], argv[1:]...)
}

// Reveal shows a file in the file manager, chosen where the desktop can do that.
func (*machine) Reveal(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("show file: %w", err)
	}
	return reveal(path, info.IsDir())
}

// startTime is how long a program may take to say that it can't do what it is asked: the desktop's opener does so
// within a moment, an editor goes on.
const startTime = 2 * time.Second

// start starts a program and lets it go, unless it fails at once.
func start(program string, args ...string) error {
	var said bytes.Buffer
	cmd := exec.Command(program, args...)
	hideConsole(cmd)
	cmd.Env = append(os.Environ(), locale.Child...)
	cmd.Stderr = &said
	cmd.WaitDelay = time.Second // an editor that goes on may keep the pipe
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", filepath.Base(program), err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // ends with the program
	select {
	case err := <-ended:
		if err != nil && !errors.Is(err, exec.ErrWaitDelay) && runtime.GOOS != "windows" { // explorer always says 1
			return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, bytes.TrimSpace(said.Bytes()))
		}
	case <-time.After(startTime):
	}
	return nil
}

// OpenPage opens an address in the browser. It comes from a signed feed, and all the same nothing but a page is opened.
func (*machine) OpenPage(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("open page: %q is no https address", address)
	}
	return openByDesktop(u.String())
}

// Autostart reports whether the app starts at login.
func (*machine) Autostart() (on, ok bool) { return login.Starts() }

// SetAutostart has the app start at login, or not.
func (*machine) SetAutostart(on bool) error { return login.Set(on, sibling("search-mcp-app")) }

// Recent are folders that editors opened last.
func (*machine) Recent(ctx context.Context) []ui.Recent {
	var list []ui.Recent
	for _, f := range connect.Recent(ctx) {
		list = append(list, ui.Recent{Dir: f.Dir, Editor: f.Editor})
	}
	return list
}

// sibling is the path of a program beside this one.
func sibling(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	self, err := os.Executable()
	if err != nil {
		return name
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	return filepath.Join(filepath.Dir(self), name)
}

// Start starts the app if it does not run.
func (m *machine) Start(ctx context.Context) error {
	conn, err := (&client.Launcher{}).Dial(ctx, m.data)
	if err != nil {
		return err
	}
	return conn.Close()
}
