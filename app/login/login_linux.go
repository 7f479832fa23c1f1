package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// packagedAutostart is the entry that packages install, switched off (packaging/linux/autostart.desktop). An administrator may have
// switched it on for everybody. A variable, for tests.
var packagedAutostart = "/etc/xdg/autostart/" + appID + ".desktop"

// autostartFile is the person's own entry. It stands before the packaged one of the same name (Desktop Application Autostart
// Specification).
func autostartFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "autostart", appID+".desktop"), nil
}

// Autostart reports whether the app starts at login.
func (*machine) Autostart() (on, ok bool) {
	path, err := autostartFile()
	if err != nil {
		return false, false
	}
	on, err = startsAtLogin(path)
	if errors.Is(err, fs.ErrNotExist) {
		on, err = startsAtLogin(packagedAutostart)
	}
	return on, err == nil || errors.Is(err, fs.ErrNotExist)
}

// startsAtLogin reports whether an entry is there and not hidden.
func startsAtLogin(path string) (bool, error) {
	text, err := os.ReadFile(path)
	return err == nil && !strings.Contains(string(text), "\nHidden=true"), err
}

// SetAutostart writes the person's entry for the login, or takes it away. Where the packaged one is switched on, a hidden entry of the
// person's own is what switches it off.
func (*machine) SetAutostart(on bool) error {
	path, err := autostartFile()
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	forAll, err := startsAtLogin(packagedAutostart)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("start at login: %w", err)
	}
	if !on && !forAll {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("start at login: %w", err)
		}
		return nil
	}
	program := sibling("search-mcp-app")
	entry := "[Desktop Entry]\nType=Application\nName=Search MCP\nExec=" + execQuote(program) + "\nTryExec=" + program +
		"\nIcon=" + appID + "\nX-GNOME-Autostart-enabled=true\n" // TryExec: without effect once the program is removed
	if !on {
		entry += "Hidden=true\n"
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	if err := os.WriteFile(path, []byte(entry), 0o600); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return nil
}
