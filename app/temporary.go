package app

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// ownTemporary sets the environment variables for temporary files to a folder in data, for this process and its
// children, because the system may remove files in its own folder. It first removes the files that a killed run left
// there. put sets an environment variable.
func ownTemporary(data string, put func(name, value string) error) error {
	dir := filepath.Join(data, "tmp")
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove old temporary files: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("make folder of temporary files: %w", err)
	}
	names := []string{"TMPDIR"}
	if runtime.GOOS == "windows" {
		names = []string{"TMP", "TEMP"}
	}
	for _, name := range names {
		if err := put(name, dir); err != nil {
			return fmt.Errorf("name folder of temporary files: %w", err)
		}
	}
	return nil
}
