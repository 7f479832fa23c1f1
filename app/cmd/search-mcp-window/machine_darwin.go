package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// agentFile is read by launchd at login.
func agentFile() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, "Library", "LaunchAgents", appID+".plist"), nil
}

// Autostart reports whether the app starts at login.
func (*machine) Autostart() (on, ok bool) {
	path, err := agentFile()
	if err != nil {
		return false, false
	}
	_, err = os.Stat(path)
	return err == nil, true
}

// SetAutostart writes the agent for the login, or takes it away.
func (*machine) SetAutostart(on bool) error {
	path, err := agentFile()
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	if !on {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("start at login: %w", err)
		}
		return nil
	}
	var program strings.Builder
	if err := xml.EscapeText(&program, []byte(sibling("search-mcp-app"))); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	plist := `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>Label</key><string>` + appID + `</string>
<key>ProgramArguments</key><array><string>` + program.String() + `</string></array>
<key>RunAtLoad</key><true/>
</dict></plist>
`
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	if err := os.WriteFile(path, []byte(plist), 0o644); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return nil
}

func hideConsole(*exec.Cmd) {} // there is none

// reveal chooses a file or folder in the Finder.
func reveal(path string, _ bool) error { return start("open", "-R", path) }

// openByDesktop opens a file, a folder or an address with what the person has chosen for it.
func openByDesktop(path string) error { return start("open", path) }
