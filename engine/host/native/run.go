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

// Limits limits a process. Zero values mean no limit.
type Limits struct {
	// Memory limits the private bytes, which exclude mapped files. Only Linux (RLIMIT_DATA) and Windows (a job object)
	// enforce it.
	Memory int64
	// Apart forbids writing to files and dumping core on systems that support this.
	Apart bool
}

// pipeWait is how long Run waits for end of file after the process exits. Its children may keep the pipe open.
const pipeWait = time.Second

// Run runs cmd with low priority and passes its standard output to read. It returns the error of read, *Died if the
// program fails, or ctx's cause.
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
	kill := func() { _ = cmd.Process.Kill() } // may have exited already
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
