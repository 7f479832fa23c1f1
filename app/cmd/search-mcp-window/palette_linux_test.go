package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/app/wire"
)

// TestPaletteFromAnywhere: the shortcut that a person chose brings the palette, whatever has the keyboard; what they find opens
// in their editor at its line; and then nothing of it is left. The command for desktops without shortcuts does the same.
func TestPaletteFromAnywhere(t *testing.T) {
	tools, record := t.TempDir(), filepath.Join(t.TempDir(), "opened")
	editor := "#!/bin/sh\nprintf '%s\\n' \"$*\" >> '" + record + "'\n"
	if err := os.WriteFile(filepath.Join(tools, "code"), []byte(editor), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", tools+":"+os.Getenv("PATH"))
	d := newDesk(t)
	root := d.project("den")
	if _, err := d.seen.CallAgreed(t.Context(), "create_index", map[string]any{"project": root}, nil); err != nil {
		t.Fatal(err)
	}
	await(t, "the index", func() bool { return d.ready(root) })
	if _, err := d.seen.SetSettings(t.Context(), map[string]any{wire.SettingShortcut: "Ctrl+Alt+Space"}); err != nil {
		t.Fatal(err)
	}
	await(t, "the shortcut to be in force", func() bool {
		s, err := d.seen.Shortcut(t.Context())
		return err == nil && s.By == "x11"
	})
	opened := func() int {
		data, _ := os.ReadFile(record) // nothing was opened yet
		return strings.Count(string(data), "--goto "+root+"/file1.go:")
	}
	for i, bring := range []func(){
		func() { d.keys("ctrl+alt+space") },
		func() {
			if err := d.seen.Show(t.Context(), wire.Show{Page: wire.PagePalette}); err != nil { // what `search-mcp palette` asks for
				t.Fatal(err)
			}
		},
	} {
		bring()
		d.window("Search all projects")
		if out, err := d.xdotool("type", "--delay", "60", "Burrow1"); err != nil {
			t.Fatalf("type: %v\n%s", err, out)
		}
		await(t, "the editor to be told the line", func() bool {
			if opened() > i {
				return true
			}
			d.keys("Return") // before the results are there it searches
			return opened() > i
		})
		await(t, "the palette to end", func() bool { return d.windows() == 0 })
	}
}
