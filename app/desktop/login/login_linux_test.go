package login

import (
	"os"
	"path/filepath"
	"testing"
)

// TestEntry enables and disables the entry without a package, with the packaged entry, and with a packaged entry that
// an administrator has enabled.
func TestEntry(t *testing.T) {
	installed, err := os.ReadFile("../../../packaging/linux/autostart.desktop")
	must(t, err)
	for name, c := range map[string]struct {
		packaged string
		before   bool
	}{
		"no package":       {"", false},
		"as installed":     {string(installed), false},
		"on for everybody": {"[Desktop Entry]\nType=Application\nExec=search-mcp-app\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("XDG_CONFIG_HOME", t.TempDir())
			old := packaged
			t.Cleanup(func() { packaged = old })
			packaged = filepath.Join(t.TempDir(), "packaged.desktop")
			if c.packaged != "" {
				must(t, os.WriteFile(packaged, []byte(c.packaged), 0o600))
			}
			if on, ok := Enabled(); on != c.before || !ok {
				t.Errorf("at first: %v, %v", on, ok)
			}
			for _, want := range []bool{true, false, false, true} {
				must(t, SetEnabled(want, "/usr/bin/search-mcp-app"))
				if on, ok := Enabled(); on != want || !ok {
					t.Errorf("set to %v: %v, %v", want, on, ok)
				}
			}
		})
	}
}
