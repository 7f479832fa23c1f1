package app

import (
	"fmt"
	"os"
	"os/exec"

	"searchmcp/app/desktop"
)

// Restart starts the program that is now at this process's path. Run must have returned, and the caller must then exit.
func Restart(args []string) error {
	path, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find own program: %w", err)
	}
	cmd := exec.Command(path, args...)
	desktop.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("restart %s: %w", path, err)
	}
	return nil
}
