package login

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// packaged is the entry that packages install, switched off (packaging/linux/autostart.desktop). An administrator may
// have switched it on for everybody. A variable, for tests.
var packaged = "/etc/xdg/autostart/" + id + ".desktop"

// entryFile is the person's own entry. It stands before the packaged one of the same name (Desktop Application
// Autostart Specification).
func entryFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "autostart", id+".desktop"), nil
}

// Starts reports whether the app starts at login; ok is false where that can't be told.
func Starts() (on, ok bool) {
	path, err := entryFile()
	if err != nil {
		return false, false
	}
	on, err = isOn(path)
	if errors.Is(err, fs.ErrNotExist) {
		on, err = isOn(packaged)
	}
	return on, err == nil || errors.Is(err, fs.ErrNotExist)
}

// isOn reports whether an entry is there and not hidden.
func isOn(path string) (bool, error) {
	text, err := os.ReadFile(path)
	return err == nil && !strings.Contains(string(text), "\nHidden=true"), err
}

// Set writes the person's entry for a program, or takes it away. Where the packaged one is switched on, a hidden entry
// of the person's own is what switches it off.
func Set(on bool, program string) error {
	path, err := entryFile()
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	forAll, err := isOn(packaged)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("start at login: %w", err)
	}
	if !on && !forAll {
		return removeFile(path)
	}
	entry := "[Desktop Entry]\nType=Application\nName=Search MCP\nExec=" + execQuote(program) + "\nTryExec=" + program +
		"\nIcon=" + id + "\nX-GNOME-Autostart-enabled=true\n" // TryExec: without effect once the program is removed
	if !on {
		entry += "Hidden=true\n"
	}
	return writeFile(path, entry)
}

// execQuote quotes an argument as the Desktop Entry Specification says (The Exec key).
func execQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`, `%`, `%%`).Replace(s) + `"`
}
