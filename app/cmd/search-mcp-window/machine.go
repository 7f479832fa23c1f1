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
	"searchmcp/ui/page"
)

type machine struct{ data string }

func (*machine) Openers(context.Context) ([]connect.Opener, error) {
	return locally(func(m *connect.Machine) ([]connect.Opener, error) { return m.Openers(), nil })
}

func (*machine) OpenFile(opener, path string, line int) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("open file: %w: %w", page.ErrFileGone, err)
	}
	argv, err := locally(func(m *connect.Machine) ([]string, error) {
		return m.OpenArgs(opener, connect.Position{Path: path, Line: line})
	})
	if err != nil {
		return err
	}
	return start(argv[0], argv[1:]...)
}

func (*machine) Reveal(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("show file: %w", err)
	}
	return reveal(path, info.IsDir())
}

const startTime = 2 * time.Second

func start(program string, args ...string) error {
	var stderr bytes.Buffer
	cmd := exec.Command(program, args...)
	hideConsole(cmd)
	cmd.Env = append(os.Environ(), locale.Child...)
	cmd.Stderr = &stderr
	cmd.WaitDelay = time.Second // a running editor may keep the pipe open
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", filepath.Base(program), err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // ends when the program exits
	select {
	case err := <-ended:
		if err != nil && !errors.Is(err, exec.ErrWaitDelay) && runtime.GOOS != "windows" { // explorer always exits with 1
			return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, bytes.TrimSpace(stderr.Bytes()))
		}
	case <-time.After(startTime):
	}
	return nil
}

// OpenPage opens an https address in the browser. It refuses other addresses.
func (*machine) OpenPage(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("open page: %q is no https address", address)
	}
	return openByDesktop(u.String())
}

func (*machine) Autostart() (on, ok bool) { return login.Enabled() }

func (*machine) SetAutostart(on bool) error { return login.SetEnabled(on, sibling("search-mcp-app")) }

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

func (m *machine) Start(ctx context.Context) error {
	conn, err := (&client.Launcher{}).Dial(ctx, m.data)
	if err != nil {
		return err
	}
	return conn.Close()
}
