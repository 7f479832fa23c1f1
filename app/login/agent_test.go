package login

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestAgent writes what launchd reads, in a home folder of our own, and reads it as a property list.
func TestAgent(t *testing.T) {
	home := t.TempDir()
	const program = "/Applications/Tools & <more>/Search MCP.app/Contents/MacOS/search-mcp-app"
	for _, on := range []bool{false, true, true, false} {
		if err := setAgent(home, on, program); err != nil {
			t.Fatal(err)
		}
		if hasAgent(home) != on {
			t.Errorf("set to %v, and is not", on)
		}
		if !on {
			continue
		}
		text, err := os.ReadFile(filepath.Join(home, "Library", "LaunchAgents", "io.searchmcp.app.plist"))
		if err != nil {
			t.Fatal(err)
		}
		var plist struct {
			Dict struct {
				Keys    []string `xml:"key"`
				Strings []string `xml:"string"`
				Program []string `xml:"array>string"`
			} `xml:"dict"`
		}
		if err := xml.Unmarshal(text, &plist); err != nil {
			t.Fatal(err)
		}
		if d := plist.Dict; !slices.Equal(d.Program, []string{program}) || !slices.Contains(d.Strings, id) ||
			!slices.Contains(d.Keys, "RunAtLoad") || slices.Contains(d.Keys, "KeepAlive") {
			t.Errorf("%+v", plist.Dict)
		}
	}
}
