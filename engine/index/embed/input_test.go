package embed

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
)

func TestInput(t *testing.T) {
	for _, c := range []struct {
		name  string
		chunk api.Chunk
		want  string
	}{
		{"function", api.Chunk{
			Path: "engine/store/files/journal.go", Breadcrumb: []string{"Journal"}, Symbols: []string{"Append"},
			Text: "// Append adds an entry.\nfunc (j *Journal) Append(e Entry) error {\n\tif e.Path == \"\" {\n" +
				"\t\treturn errEmpty\n\t}\n\n\treturn j.write(e)\n}\n",
		}, "// Append adds an entry.\nfunc (j *Journal) Append(e Entry) error {\nif e.Path == \"\" {\nreturn errEmpty\n" +
			"return j.write(e)"},
		{"method whose class is elsewhere", api.Chunk{
			Path: "app/user.py", Breadcrumb: []string{"UserStore"}, Symbols: []string{"find"},
			Text: "    def find(self, name):\n        return self.rows[name]\n",
		}, "UserStore\ndef find(self, name):\nreturn self.rows[name]"},
		{"continuation", api.Chunk{
			Path: "app/user.py", Breadcrumb: []string{"UserStore", "find"}, Text: "        return self.rows[name]\n",
		}, "app user UserStore find\nreturn self.rows[name]"},
		{"document", api.Chunk{
			Path: "README.md", Breadcrumb: []string{"Guide", "Install"}, Text: "## Install\n\nRun make.\n---\n",
		}, "README Guide\n## Install\nRun make."},
		{"file without a folder or an extension", api.Chunk{Path: "Makefile", Text: "all:\n"}, "Makefile\nall:"},
		{"no words", api.Chunk{Path: "x/y.txt", Text: "{\n}\n---\n"}, "x y"},
		{"nothing", api.Chunk{}, ""},
	} {
		if got := Input(c.chunk); got != c.want {
			t.Errorf("%s: got\n%q, want\n%q", c.name, got, c.want)
		}
	}
}

// The input of a chunk with long parts includes text and has no truncated characters.
func TestInputBounds(t *testing.T) {
	for name, long := range map[string]string{"words": strings.Repeat("word ", 10_000),
		"no boundary": strings.Repeat("日本", 10_000)} {
		for where, c := range map[string]api.Chunk{
			"line":       {Path: "a.txt", Text: long},
			"lines":      {Path: "a.txt", Text: strings.Repeat("some words here\n", 5000)},
			"breadcrumb": {Path: "a.md", Breadcrumb: []string{long, long}, Text: "the text itself\n"},
			"path":       {Path: long + "/" + long, Text: "the text itself\n"},
			"symbols":    {Path: "a.go", Symbols: slices.Repeat([]string{"symbol"}, 5000), Text: "the text itself\n"},
		} {
			got := Input(c)
			if len(got) > inputBytes || !utf8.ValidString(got) {
				t.Errorf("long %s of %s: %d bytes, valid %v", where, name, len(got), utf8.ValidString(got))
			}
			if strings.HasPrefix(c.Text, "the") && !strings.HasSuffix(got, "the text itself") {
				t.Errorf("long %s of %s: the text is cut off", where, name)
			}
		}
	}
}
