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

// Limits bound a child process. A zero is no bound.
type Limits struct {
	// Memory is how many bytes of its own a process may have; what it maps of files does not count. Linux refuses more
	// (RLIMIT_DATA), Windows too (a job object); elsewhere a worker looks at itself (see Watch).
	Memory int64
	// Apart is for programs of others: no file of theirs may grow and no core is dumped, where the system has such bounds.
	Apart bool
}

// pipeWait is how long the end of a program waits for its output to be closed by what it may have started.
const pipeWait = time.Second

// Run runs another program under limits, at the priority of work that nobody waits for, and hands its standard output
// to read. It is killed when ctx ends, and when read returns an error, which Run returns then. A program that fails is
// *Died, with the status in it.
func Run(ctx context.Context, cmd *exec.Cmd, l Limits, read func(io.Reader) error) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	told := &tail{}
	cmd.Stderr, cmd.WaitDelay = told, pipeWait
	ended := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and not given back, see start
		ended <- runAttached(ctx, cmd, l, told, func() error { return read(out) })
	}()
	return <-ended
}

func runAttached(ctx context.Context, cmd *exec.Cmd, l Limits, told *tail, read func() error) error {
	release, err := startAttached(cmd, true, l)
	if err != nil {
		return fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	defer release()
	kill := func() { _ = cmd.Process.Kill() } // it may have ended this moment
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
		return diedOf(exit.ExitCode(), signal, killed, told.text())
	case err != nil:
		return fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	return nil
}
