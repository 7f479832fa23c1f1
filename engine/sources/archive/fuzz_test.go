package archive

import (
	"testing"

	"searchmcp/engine/sources/markup"
)

func FuzzBibliography(f *testing.F) {
	f.Add("@article{a,\n title = {M{\\\"u}ller},\n doi = {10.1/x},\n}\n@book{b,\n url = \"https://b.example/\"\n}")
	f.Add("@a{b,@a{c,\n doi={{{{}}}}\n\\ss{}\\'{\\i}\\`")
	f.Fuzz(func(t *testing.T, s string) {
		for _, e := range bibEntries(letters(s)) {
			if e.key == "" || e.address != "" && !markup.IsWebURL(e.address) {
				t.Fatalf("%+v", e)
			}
			webKey(e.address)
		}
	})
}
