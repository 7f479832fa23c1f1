package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"searchmcp/app/socket/ipc"
)

const AppName = "search-mcp-app"

const (
	launchPause  = 25 * time.Millisecond // polling interval
	launchTries  = 2                     // a program that failed twice will fail again
	launchLogMax = 1 << 20               // maximum size of start.log before it is truncated
)

const LaunchTimeout = 10 * time.Second

type Launcher struct {
	// Program is the path of the app's executable. If it is empty, find determines the path.
	Program string
	Env     []string
}

var ErrNoApp = errors.New(AppName + " was not found")

// Dial connects to the app of dataDir. If the app is not listening and l is not nil, Dial starts the app and waits at
// most LaunchTimeout.
func (l *Launcher) Dial(ctx context.Context, dataDir string) (net.Conn, error) {
	address, err := ipc.Address(dataDir)
	if err != nil {
		return nil, err
	}
	conn, err := ipc.Dial(ctx, address)
	if err == nil || l == nil || !errors.Is(err, ipc.ErrNotListening) {
		return conn, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, LaunchTimeout, errTooSlow)
	defer cancel()
	for tries := 0; ; {
		release, mine, err := ipc.TryStarter(dataDir)
		if err != nil {
			return nil, err
		}
		if mine {
			started, conn, err := l.start(ctx, dataDir, address)
			if rerr := release(); rerr != nil && err == nil {
				err = rerr
			}
			if err == nil {
				return conn, nil
			}
			if started {
				tries++
			}
			if tries >= launchTries || !errors.Is(err, errEnded) {
				return nil, err
			}
			continue
		}
		if conn, err := ipc.Dial(ctx, address); err == nil || !errors.Is(err, ipc.ErrNotListening) {
			return conn, err
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

var (
	errTooSlow = fmt.Errorf("Search MCP did not listen within %d seconds", int(LaunchTimeout.Seconds()))
	errEnded   = errors.New("Search MCP ended before it listened")
)

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(launchPause):
		return nil
	}
}

// start connects to the app, and starts it if it does not run. The caller must own the start lock.
func (l *Launcher) start(ctx context.Context, dataDir, address string) (started bool, conn net.Conn, err error) {
	var ended <-chan error
	for {
		conn, err = ipc.Dial(ctx, address)
		if err == nil || !errors.Is(err, ipc.ErrNotListening) {
			return started, conn, err
		}
		owner, locked, err := ipc.Locked(dataDir)
		switch {
		case err != nil:
			return started, nil, err
		case locked, !started && ipc.Restarting(dataDir):
			ended = nil // another app has the data folder
		case !started:
			if ended, err = l.spawn(dataDir); err != nil {
				return false, nil, err
			}
			started = true
		}
		select {
		case err := <-ended:
			how := "exit status 0"
			if err != nil {
				how = err.Error()
			}
			return started, nil, fmt.Errorf("%w (%s); its messages are in %s", errEnded, how, launchLog(dataDir))
		default:
		}
		if err := pause(ctx); err != nil {
			if locked && errors.Is(err, errTooSlow) {
				err = fmt.Errorf("%w: %w; process %d is running", ErrHung, err, owner.PID)
			}
			return started, nil, err
		}
	}
}

func launchLog(dataDir string) string { return filepath.Join(dataDir, "logs", "start.log") }

// spawn starts the app as a detached process. The channel receives nil once the app has locked the data folder, or an
// error.
func (l *Launcher) spawn(dataDir string) (<-chan error, error) {
	program, err := l.find()
	if err != nil {
		return nil, err
	}
	log, err := openLaunchLog(dataDir)
	if err != nil { // without this log, the app still works in a read-only or full folder
		log, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", AppName, err)
	}
	defer log.Close()
	if err := keepToOurselves(); err != nil {
		return nil, fmt.Errorf("start %s: %w", AppName, err)
	}
	cmd, err := startDetached(func() *exec.Cmd {
		cmd := exec.Command(program, DetachFlag)
		cmd.Stdout, cmd.Stderr = log, log
		cmd.Dir = filepath.VolumeName(program) + string(filepath.Separator) // Windows can't remove a working directory
		cmd.Env = append(environment(os.Environ(), dataDir), l.Env...)
		return cmd
	})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return ended, nil
}

// environment removes the variables of the editor's session from env, and adds HOME and the data folder.
func environment(env []string, dataDir string) []string {
	drop := []string{ipc.DataEnv, "CLAUDE_PROJECT_DIR", "SEARCH_DB_PATH", "PWD", "OLDPWD"}
	var kept []string
	hasHome := false
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		if slices.Contains(drop, name) {
			continue
		}
		hasHome = hasHome || (name == "HOME" && value != "")
		kept = append(kept, e)
	}
	if home, err := ipc.Home(); err == nil && !hasHome {
		kept = append(kept, "HOME="+home)
	}
	return append(kept, ipc.DataEnv+"="+dataDir)
}

func openLaunchLog(dataDir string) (*os.File, error) {
	path := launchLog(dataDir)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	switch info, err := os.Lstat(path); {
	case err == nil && !info.Mode().IsRegular(): // never write through a link or to a pipe
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	case err == nil && info.Size() > launchLogMax:
		flags |= os.O_TRUNC
	}
	return os.OpenFile(path, flags, 0o600)
}

// find returns the path of the app. It searches this program's folder and the folders of installers, but not PATH,
// which a project may have changed.
func (l *Launcher) find() (string, error) {
	if l.Program != "" {
		return l.Program, nil
	}
	var places []string
	if self, err := os.Executable(); err == nil {
		places = append(places, filepath.Dir(self))
		if real, err := filepath.EvalSymlinks(self); err == nil {
			places = append(places, filepath.Dir(real))
		}
	}
	if home, err := ipc.Home(); err == nil {
		places = append(places, installed(home)...)
	}
	for _, dir := range places {
		path := filepath.Join(dir, AppName+suffix)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w beside this program nor where it is usually installed", ErrNoApp)
}
