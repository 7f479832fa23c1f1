package endpoint

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

var update = flag.Bool("update", false, "write testdata anew")

// TestToolsListGolden: the list of tools stays byte for byte, one tool per line; the first file has plain descriptions,
// the second enhancedToolDescriptions.
func TestToolsListGolden(t *testing.T) {
	for name, enhanced := range map[string]bool{"tools.jsonl": false, "tools-enhanced.jsonl": true} {
		f := newFake("a")
		f.documents, f.archive = []api.Document{{URI: "docs://a.md", Name: "a.md"}}, "/x.db"
		f.sites = []api.Site{{Tool: "search_blog", Name: "Blog", Domain: "blog.example", Description: "About bread"}}
		c := api.DefaultConfig()
		c.EnhancedToolDescriptions = enhanced
		f.config["/p/a"] = c
		p := serve(t, Options{Engine: f}).peer(t, &wire.Hello{Project: "/p/a"})
		p.handshake(nil)
		raw, failure := p.call("tools/list", map[string]any{})
		if failure != "" {
			t.Fatal(failure)
		}
		var r struct{ Tools []json.RawMessage }
		unmarshal(t, raw, &r)
		var got []byte
		for _, tool := range r.Tools {
			got = append(append(got, tool...), '\n')
		}
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf(
				"%s is another list than the tools give; go test ./app/endpoint -run Golden -update, and look at the difference",
				file)
		}
	}
}
