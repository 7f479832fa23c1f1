package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func TestPaletteFromAnywhere(t *testing.T) {
	t.Parallel()
	tools, record := t.TempDir(), filepath.Join(t.TempDir(), "opened")
	editor := "#!/bin/sh\nprintf '%s\\n' \"$*\" >> '" + record + "'\n"
	must(t, os.WriteFile(filepath.Join(tools, "code"), []byte(editor), 0o755))
	d := newDesk(t, tools)
	root := d.project("den")
	text := "package den\n\n// Holt is where otters sleep through the day.\nfunc Holt() string { return \"reeds\" }\n"
	must(t, os.WriteFile(filepath.Join(root, "holt.go"), []byte(text), 0o644))
	must(t, second(d.seen.CallTool(t.Context(), "create_index", map[string]any{"project": root}, api.Accept, nil)))
	await(t, "the index", func() bool { return d.ready(root) })
	must(t, wire.MethodShow.Do(t.Context(), d.seen, wire.Show{Page: wire.PagePalette}))
	d.window("Search all projects")
	if out, err := d.xdotool("type", "--delay", "60", "where otters sleep"); err != nil {
		t.Fatalf("type: %v\n%s", err, out)
	}
	await(t, "the editor to get the line", func() bool {
		d.keys("Return")               // before the results are shown, Return searches
		data, _ := os.ReadFile(record) // the file is missing until a result is opened
		return strings.HasPrefix(string(data), "--goto "+root+"/holt.go:")
	})
}
