//go:build unix

package app

import (
	"fmt"
	"os"
	"syscall"
)

// Restart becomes the program that stands in this one's place now, in the same process: a service manager sees no end.
// It returns only with an error. Run must have returned.
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
