package app

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// ownTemporary has this process and those that it starts keep temporary files in the data folder: a shell may remove
// the folder that TMPDIR names while the app goes on. What a killed run left is removed. put changes a variable.
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
