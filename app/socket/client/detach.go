package client

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"searchmcp/app/socket/ipc"
)

// DetachFlag is the app's first argument when a Launcher starts it: it then starts itself once more (Detach) and ends.
// Some editors end every descendant of theirs when they close, and find them by walking up from parent to parent; a
// process whose parent has ended is nobody's descendant. A session of its own alone does not help against that.
const DetachFlag = "-detach"

// detachPause is the pause between two looks whether the new process has taken over; it adds to every start.
const detachPause = 3 * time.Millisecond

// Detach starts program, the app's own, once more with args and returns when that process has the data folder, or with
// its exit code when it has ended before. The caller then ends with that code.
func Detach(ctx context.Context, dataDir, program string, args ...string) (exit int, err error) {
	cmd, err := startDetached(func() *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return cmd
	})
	if err != nil {
		return 1, fmt.Errorf("detach: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // ends with that process, or with this one
	tick := time.NewTicker(detachPause)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			var bad *exec.ExitError
			if errors.As(err, &bad) && bad.ExitCode() > 0 {
				return bad.ExitCode(), nil // it has said why
			}
			if err != nil {
				return 1, fmt.Errorf("detach: %w", err)
			}
			return 0, nil
		case <-ctx.Done():
			return 1, context.Cause(ctx)
		case <-tick.C:
			if _, held, err := ipc.Held(dataDir); held {
				return 0, nil
			} else if err != nil {
				return 1, fmt.Errorf("detach: %w", err)
			}
		}
	}
}

// startDetached starts a process in a session of its own, without a terminal. command makes it anew for each way of
// doing that.
func startDetached(command func() *exec.Cmd) (*exec.Cmd, error) {
	err := errors.ErrUnsupported
	for _, detach := range detachments {
		cmd := command()
		cmd.SysProcAttr = detach
		if err = cmd.Start(); err == nil {
			return cmd, nil
		}
	}
	return nil, err
}
