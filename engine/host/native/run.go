package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"time"
)

// Limits limits a child process. Zero means no limit.
type Limits struct {
	// Memory is the maximum number of private bytes, without mapped files. Linux (RLIMIT_DATA) and Windows (a job
	// object) enforce it. Elsewhere a worker checks itself (see Watch).
	Memory int64
	// Apart is for programs other than workers. They can't write to files or dump core, on systems with these limits.
	Apart bool
}

// pipeWait is the time to wait after a program's end for its children to close its output.
const pipeWait = time.Second

// Run runs another program with limits and low priority and passes its standard output to read. Run kills it when ctx
// ends or when read returns an error, which Run then returns. If the program fails, the error is *Died with its status.
func Run(ctx context.Context, cmd *exec.Cmd, l Limits, read func(io.Reader) error) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	output := &tail{}
	cmd.Stderr, cmd.WaitDelay = output, pipeWait
	ended := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // not unlocked, see start
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
	kill := func() { _ = cmd.Process.Kill() } // may have ended already
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
