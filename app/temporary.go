package app

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// ownTemporary creates a folder for temporary files in data, because the system may remove files from its default
// folder.
func ownTemporary(data string, setenv func(name, value string) error) error {
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
		if err := setenv(name, dir); err != nil {
			return fmt.Errorf("name folder of temporary files: %w", err)
		}
	}
	return nil
}
