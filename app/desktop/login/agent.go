package login

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const id = "io.searchmcp.app"

func agentIn(home string) string { return filepath.Join(home, "Library", "LaunchAgents", id+".plist") }

func hasAgent(home string) bool {
	info, err := os.Stat(agentIn(home))
	return err == nil && info.Mode().IsRegular()
}

var errNotInstalled = errors.New("start at login: move Search MCP to the Applications folder first, and open it there")

// passing reports whether program will disappear, because it is on a disk image or in a random folder of App
// Translocation.
func passing(program string) bool {
	return strings.HasPrefix(program, "/Volumes/Search MCP") || strings.Contains(program, "/AppTranslocation/")
}

// setAgent writes or removes the launch agent. launchd does not restart the app after the user quits it.
func setAgent(home string, on bool, program string) error {
	if !on {
		return removeFile(agentIn(home))
	}
	if passing(program) {
		return errNotInstalled
	}
	var name strings.Builder
	if err := xml.EscapeText(&name, []byte(program)); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return writeFile(agentIn(home), `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>Label</key><string>`+id+`</string>
<key>AssociatedBundleIdentifiers</key><string>`+id+`</string>
<key>ProgramArguments</key><array><string>`+name.String()+`</string><string>`+QuietFlag+`</string></array>
<key>LimitLoadToSessionType</key><string>Aqua</string>
<key>ProcessType</key><string>Interactive</string>
<key>RunAtLoad</key><true/>
</dict></plist>
`)
}

func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return nil
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("start at login: %w", err)
	}
	return nil
}
