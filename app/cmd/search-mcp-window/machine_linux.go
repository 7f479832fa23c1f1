package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/rymdport/portal/filechooser"
)

// ChooseFolder asks by the desktop's own dialog, through its portal.
func (*machine) ChooseFolder(ctx context.Context, title string) (dir string, ok bool, err error) {
	type answer struct {
		uris []string
		err  error
	}
	answered := make(chan answer, 1)
	go func() { // ends with the dialog, at the latest with the process: the portal can't be called off
		uris, err := filechooser.OpenFile("", title, &filechooser.OpenFileOptions{Directory: true})
		answered <- answer{uris, err}
	}()
	select {
	case <-ctx.Done():
		return "", true, ctx.Err()
	case a := <-answered:
		if a.err != nil {
			return "", false, nil // no portal: the caller has a dialog of its own
		}
		if len(a.uris) == 0 {
			return "", true, nil
		}
		u, err := url.Parse(a.uris[0])
		if err != nil || u.Scheme != "file" {
			return "", true, fmt.Errorf("choose folder: %q is no folder of this computer", a.uris[0])
		}
		return u.Path, true, nil
	}
}

// autostartFile is read by the desktop at login.
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
	text, err := os.ReadFile(path)
	return err == nil && !strings.Contains(string(text), "\nHidden=true"), true
}

// SetAutostart writes the entry for the login, or takes it away.
func (*machine) SetAutostart(on bool) error {
	path, err := autostartFile()
	if err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	if !on {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("start at login: %w", err)
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	entry := "[Desktop Entry]\nType=Application\nName=Search MCP\nExec=" + execQuote(sibling("search-mcp-app")) +
		"\nIcon=" + appID + "\nX-GNOME-Autostart-enabled=true\n"
	if err := os.WriteFile(path, []byte(entry), 0o600); err != nil {
		return fmt.Errorf("start at login: %w", err)
	}
	return nil
}

// execQuote quotes an argument as the Desktop Entry Specification says (The Exec key).
func execQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`, `%`, `%%`).Replace(s) + `"`
}
