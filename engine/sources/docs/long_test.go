package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/sources/markup"
)

func TestManual(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	filler := strings.Repeat("<p>Words that fill the pages of a manual without saying anything in particular.</p>", 20_000)
	put(t, root, map[string]string{
		"all.html": "<title>Manual</title><body><main><h1 id=top>Manual</h1>" + filler +
			"<h2 id=\"fs-quokka\">The quokka</h2><p>Quokkas are small.</p><h2>Last</h2><p>end</p></main>",
		"tags.md": "---\ntags: [wombat, first]\ndescription: About something\n---\n# Tags\n\nBody text\n",
		"bin.txt": "a\x00b", "wide.txt": "\xff\xfeW\x00i\x00d\x00e\x00 \x00\xe9\x00", "build/guide.md": "# G\n",
	})
	c := api.DefaultConfig()
	c.MaxFileSize = MaxFile
	p, err := policy.New(root, c)
	must(t, err)
	f := Open(p, markup.InProcess{})
	scan(t, f)
	found, _, err := f.Search(t.Context(), api.DocumentQuery{Text: "quokka", Limit: 1}, nil)
	if err != nil || len(found) != 1 || found[0].Anchor != "fs-quokka" {
		t.Fatalf("%+v %v", found, err)
	}
	if text, _ := Format(found, 1, api.MaxResult); !strings.Contains(text,
		"docs://all.html#fs-quokka - \"Manual › The quokka\"") {
		t.Error(text)
	}
	if text, _, err := f.Read(t.Context(), "all.html", "fs-quokka"); err != nil ||
		text != "## The quokka\n\nQuokkas are small." {
		t.Errorf("%q %v", text, err)
	}
	if _, _, err := f.Read(t.Context(), "all.html", "nowhere"); api.CodeOf(err) != api.FileNotFound {
		t.Error(err)
	}
	left := map[string]api.Reason{}
	for _, l := range f.LeftOut() {
		left[l.Path] = l.Reason
	}
	if len(left) != 2 || left["bin.txt"] != api.SkipBinary || left["build"] != api.SkipDenied {
		t.Errorf("%v", left)
	}
	tagged, _, err := f.Search(t.Context(), api.DocumentQuery{Text: "wombat", Limit: 1}, nil)
	if err != nil || len(tagged) != 1 || strings.Contains(tagged[0].Excerpt, "wombat") {
		t.Errorf("%+v %v", tagged, err)
	}
	if text, _ := Format(tagged, 1, api.MaxResult); !strings.Contains(text, "Tags: wombat, first") {
		t.Error(text)
	}
	if text, _, err := f.Read(t.Context(), "wide.txt", ""); err != nil || text != "Wide é" {
		t.Errorf("UTF-16: %q %v", text, err)
	}
	must(t, os.Remove(filepath.Join(root, "all.html")))
	found, _, err = f.Search(t.Context(), api.DocumentQuery{Text: "quokka", Limit: 1}, nil)
	if err != nil || len(found) != 0 {
		t.Errorf("a file that is gone is shown: %+v %v", found, err)
	}
}
