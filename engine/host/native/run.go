package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// Limits are the limits of a process. A zero value means no limit.
type Limits struct {
	// Memory limits the private bytes, without mapped files. Linux enforces it with RLIMIT_DATA, and Windows with a job
	// object. macOS doesn't.
	Memory int64
	// Apart prevents the process from writing files and dumping core. Only Linux enforces it.
	Apart bool
}

// pipeWait is how long Run waits for the end of the output after its process has exited. Children of the process may
// keep the pipe open.
const pipeWait = time.Second

// TempDir returns the folder of temporary files. It creates the folder again if a user has removed it.
func TempDir() string {
	_ = os.MkdirAll(os.TempDir(), 0o700) // the use of the folder returns a better error
	return os.TempDir()
}

// Run runs cmd with low priority and passes its standard output to read. The error is that of read, *CrashError if the
// program fails, or context.Cause(ctx).
func Run(ctx context.Context, cmd *exec.Cmd, l Limits, read func(io.Reader) error) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	output := &tail{}
	cmd.Stderr, cmd.WaitDelay = output, pipeWait
	ended := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // never unlocked, because the thread has low priority
		ended <- runAttached(ctx, cmd, l, output, func() error { return read(out) })
	}()
	return <-ended
}

func runAttached(ctx context.Context, cmd *exec.Cmd, l Limits, output *tail, read func() error) error {
	release, err := startAttached(cmd, true, l)
	if err != nil {
		return fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	defer release()
	kill := func() { _ = cmd.Process.Kill() }
	stop := context.AfterFunc(ctx, kill)
	defer stop()
	failed := read()
	if failed != nil {
		kill()
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case failed != nil:
		return failed
	case errors.As(err, &exit):
		signal, killed := signalOf(exit)
		return diedOf(exit.ExitCode(), signal, killed, output.text())
	case err != nil:
		return fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	return nil
}
