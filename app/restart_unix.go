//go:build unix

package app

import (
	"fmt"
	"os"
	"syscall"
)

// Restart replaces this process with the program that is now at its path, and returns only on error. Run must have
// returned.
func Restart(args []string) error {
	path, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find own program: %w", err)
	}
	if err := syscall.Exec(path, append([]string{path}, args...), os.Environ()); err != nil {
		return fmt.Errorf("restart %s: %w", path, err)
	}
	return nil
}
