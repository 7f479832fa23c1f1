package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	// windowRounds is the number of times that the window is opened. The first time is not measured, because its
	// program is read from disk.
	windowRounds = 4
	// frameWithin is the time limit for the first frame.
	frameWithin = 30 * time.Second
	// frameLook is the interval at which the screen is read.
	frameLook = 5 * time.Millisecond
	// windowSettles is the time after which an open window is idle. Its caret has stopped blinking then.
	windowSettles = 15 * time.Second
	// watchedWindow is the time during which the load of the idle window is measured.
	watchedWindow = 10 * time.Second
)

// measureWindow measures the time until the window's first frame on a virtual screen, while the app is running, and
// the processor load of the idle window.
func measureWindow(ctx context.Context, p *process) error {
	if _, err := exec.LookPath("Xvfb"); err != nil {
		p.logf("not measured: %v", err)
		return nil
	}
	bin, err := p.build(ctx, "search-mcp", "search-mcp-app", "search-mcp-window")
	if err != nil {
		return err
	}
	x, err := startScreen(ctx, p.data)
	if err != nil {
		return err
	}
	defer x.stop()
	home := filepath.Join(p.data, "home")
	if err := os.MkdirAll(home, 0o700); err != nil { // the bridge refuses a data folder without a parent
		return err
	}
	env := append(os.Environ(), "HOME="+home, "SEARCH_MCP_HOME="+filepath.Join(home, "data"), "DISPLAY="+x.display,
		"LIBGL_ALWAYS_SOFTWARE=1",
		"DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent") // no other desktop services
	run := func(program string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, filepath.Join(bin, program), args...)
		cmd.Env = env
		return cmd
	}
	if _, err := initializeTime(run("search-mcp", "mcp")); err != nil { // the bridge starts the app
		return err
	}
	err = p.openWindows(ctx, x, run)
	if out, serr := run("search-mcp", "stop").CombinedOutput(); serr != nil {
		err = errors.Join(err, fmt.Errorf("stop the app: %w\n%s", serr, out))
	}
	return err
}

// openWindows opens the window windowRounds times. The last time it also measures the load of the idle window.
func (p *process) openWindows(ctx context.Context, x *screen,
	run func(program string, args ...string) *exec.Cmd) error {
	for round := range windowRounds {
		window := run("search-mcp-window")
		began := time.Now()
		if err := window.Start(); err != nil {
			return err
		}
		err := x.awaitFrame(ctx)
		if round > 0 && err == nil {
			p.millis("window.first", time.Since(began))
		}
		if err == nil && round == windowRounds-1 {
			err = p.idleWindow(ctx, window.Process.Pid)
		}
		_ = window.Process.Kill()
		_ = window.Wait() // returns the error of the kill
		if err := errors.Join(err, x.blank(ctx)); err != nil {
			return err
		}
	}
	return nil
}

func (p *process) idleWindow(ctx context.Context, pid int) error {
	if err := wait(ctx, windowSettles); err != nil {
		return err
	}
	before := processorOf(fmt.Sprint(pid))
	if err := wait(ctx, watchedWindow); err != nil {
		return err
	}
	p.emit("window.processor", 100*(processorOf(fmt.Sprint(pid))-before).Seconds()/watchedWindow.Seconds())
	return nil
}

// screen is an X server that draws to a file.
type screen struct {
	server  *exec.Cmd
	display string
	pixels  string // path of the file, in the format of xwd(1)
}

func startScreen(ctx context.Context, dir string) (*screen, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	x := &screen{pixels: filepath.Join(dir, "Xvfb_screen0")}
	x.server = exec.CommandContext(ctx, "Xvfb", "-displayfd", "3", "-screen", "0", "1280x800x24", "-noreset",
		"-nolisten", "tcp", "+extension", "GLX", "-fbdir", dir)
	x.server.ExtraFiles = []*os.File{w}
	err = x.server.Start()
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, fmt.Errorf("start Xvfb: %w", err)
	}
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		x.stop()
		return nil, fmt.Errorf("start Xvfb: read display number: %w", err)
	}
	x.display = ":" + strings.TrimSpace(number)
	return x, nil
}

func (x *screen) stop() {
	_ = x.server.Process.Kill()
	_ = x.server.Wait() // returns the error of the kill
}

// awaitFrame waits until a window is on the screen. The background is black, so at least a tenth of the bytes are not
// zero then.
func (x *screen) awaitFrame(ctx context.Context) error {
	return x.until(ctx, func(lit float64) bool { return lit > 0.1 })
}

// blank waits until no window is on the screen.
func (x *screen) blank(ctx context.Context) error {
	return x.until(ctx, func(lit float64) bool { return lit < 0.01 })
}

// until reads the screen until reached returns true for the share of bytes that are not zero.
func (x *screen) until(ctx context.Context, reached func(lit float64) bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, frameWithin,
		fmt.Errorf("no change of the screen within %s", frameWithin))
	defer cancel()
	for {
		pixels, err := os.ReadFile(x.pixels)
		if err != nil {
			return fmt.Errorf("read the screen: %w", err)
		}
		if reached(1 - float64(bytes.Count(pixels, []byte{0}))/float64(len(pixels))) {
			return nil
		}
		if err := wait(ctx, frameLook); err != nil {
			return err
		}
	}
}
