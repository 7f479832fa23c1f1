package login

import (
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestAgent writes the agent in a temporary home folder and reads it as a property list.
func TestAgent(t *testing.T) {
	home := t.TempDir()
	const program = "/Applications/Tools & <more>/Search MCP.app/Contents/MacOS/search-mcp-app"
	for _, on := range []bool{false, true, true, false} {
		must(t, setAgent(home, on, program))
		if hasAgent(home) != on {
			t.Errorf("set to %v, and is not", on)
		}
		if !on {
			continue
		}
		text, err := os.ReadFile(filepath.Join(home, "Library", "LaunchAgents", "io.searchmcp.app.plist"))
		must(t, err)
		var plist struct {
			Dict struct {
				Keys    []string `xml:"key"`
				Strings []string `xml:"string"`
				Program []string `xml:"array>string"`
			} `xml:"dict"`
		}
		must(t, xml.Unmarshal(text, &plist))
		if d := plist.Dict; !slices.Equal(d.Program, []string{program, QuietFlag}) || len(d.Strings) < 2 ||
			d.Strings[0] != id || d.Strings[1] != id ||
			!slices.Contains(d.Keys, "RunAtLoad") || slices.Contains(d.Keys, "KeepAlive") {
			t.Errorf("%+v", plist.Dict)
		}
	}
}

// TestAgentOfPassingProgram checks that a temporary path is not written, and an existing agent stays.
func TestAgentOfPassingProgram(t *testing.T) {
	home := t.TempDir()
	const program = "Search MCP.app/Contents/MacOS/search-mcp-app"
	must(t, setAgent(home, true, "/Applications/"+program))
	before, err := os.ReadFile(agentIn(home))
	must(t, err)
	for _, dir := range []string{"/Volumes/Search MCP/", "/Volumes/Search MCP 1/",
		"/private/var/folders/x/T/AppTranslocation/0B2D/d/"} {
		if err := setAgent(home, true, dir+program); !errors.Is(err, errNotInstalled) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if after, err := os.ReadFile(agentIn(home)); err != nil || string(after) != string(before) {
		t.Errorf("%s, %v", after, err)
	}
	if err := setAgent(home, true, "/Volumes/Work/Applications/"+program); err != nil { // on the user's disk
		t.Error(err)
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
