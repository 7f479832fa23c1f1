package login

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// packaged is the autostart entry that our packages install, disabled, for all users.
var packaged = "/etc/xdg/autostart/" + id + ".desktop"

func entryFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "autostart", id+".desktop"), nil
}

func Enabled() (on, ok bool) {
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

func isOn(path string) (bool, error) {
	text, err := os.ReadFile(path)
	return err == nil && !strings.Contains(string(text), "\nHidden=true"), err
}

// SetEnabled enables or disables the start of program at login. To disable an entry for all users, it adds a hidden
// entry for this user.
func SetEnabled(on bool, program string) error {
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
	entry := "[Desktop Entry]\nType=Application\nName=Search MCP\nExec=" + execQuote(program) + " " + QuietFlag +
		"\nTryExec=" + program + "\nIcon=" + id + "\nX-GNOME-Autostart-enabled=true\n" // TryExec skips a removed program
	if !on {
		entry += "Hidden=true\n"
	}
	return writeFile(path, entry)
}

// execQuote quotes s as an argument in an Exec line, according to the Desktop Entry Specification.
func execQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`, `%`, `%%`).Replace(s) + `"`
}
