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

// DetachFlag makes the app start a detached copy of itself and exit. An editor that kills all its descendants then does
// not find the app.
const DetachFlag = "-detach"

const detachPause = 3 * time.Millisecond

// Detach starts program in its own session. It returns 0 when program has locked the data folder, or the exit code if
// program exits first.
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
	go func() { ended <- cmd.Wait() }() // runs until the child or this process exits
	tick := time.NewTicker(detachPause)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			var bad *exec.ExitError
			if errors.As(err, &bad) && bad.ExitCode() > 0 {
				return bad.ExitCode(), nil
			}
			if err != nil {
				return 1, fmt.Errorf("detach: %w", err)
			}
			return 0, nil
		case <-ctx.Done():
			return 1, context.Cause(ctx)
		case <-tick.C:
			if _, locked, err := ipc.Locked(dataDir); locked {
				return 0, nil
			} else if err != nil {
				return 1, fmt.Errorf("detach: %w", err)
			}
		}
	}
}

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
