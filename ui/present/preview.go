package present

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
)

type Language struct {
	Name  string
	Files int
	Share float64
}

const shownLanguages = 5

func Languages(files map[string]int) []Language {
	total := sum(slices.Collect(maps.Values(files)))
	names := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return cmp.Or(cmp.Compare(files[b], files[a]), strings.Compare(a, b))
	})
	var list []Language
	rest := 0
	for _, n := range names {
		if n == "" || len(list) == shownLanguages {
			rest += files[n]
			continue
		}
		list = append(list, Language{Name: languageName(n), Files: files[n], Share: Share(files[n], total)})
	}
	if rest > 0 {
		list = append(list, Language{Name: T("Other text"), Files: rest, Share: Share(rest, total)})
	}
	return list
}

func languageName(n string) string {
	if s := languageNames[n]; s != "" {
		return s
	}
	return strings.ToUpper(n[:1]) + n[1:]
}

var languageNames = map[string]string{
	"cpp": "C++", "csharp": "C#", "css": "CSS", "html": "HTML", "javascript": "JavaScript", "json": "JSON", "php": "PHP",
	"sql": "SQL", "toml": "TOML", "tsx": "TSX", "typescript": "TypeScript", "xml": "XML", "yaml": "YAML", "scss": "SCSS",
	"objc": "Objective-C", "ocaml": "OCaml", "powershell": "PowerShell", "rst": "reStructuredText", "asciidoc": "AsciiDoc",
	"restructuredtext": "reStructuredText", "gomod": "Go modules",
}

func Estimate(p api.Preview) []Fact {
	files := Number(p.Files)
	if p.Truncated {
		files = T("at least %s", files)
	}
	facts := []Fact{{"Files", Join(files, Size(p.Bytes))}, {"Time", T("under a minute")}}
	if p.Duration >= time.Minute {
		facts[1].Value = T("about %s", Length(p.Duration))
		if p.Searchable > 0 && p.Searchable < p.Duration/2 {
			facts = append(facts, Fact{"Searchable", T("after %s", Length(max(p.Searchable, time.Second)))})
		}
	}
	return append(facts, Fact{"Space", T("about %s", Size(p.DiskBytes))})
}

func Caution(p api.Preview) string {
	switch {
	case p.Broad:
		return T("This is not a single project but everything below this folder. You will be asked once more.")
	case p.OverLimit:
		return T("This project is very large. Indexing may take several minutes; a subfolder may be enough.")
	case p.Files == 0:
		return T("Nothing to index: every file is excluded, or the folder is empty.")
	case len(p.Warnings) > 0:
		said := ""
		for _, w := range p.Warnings {
			said += " " + Sentence(w)
		}
		return said[1:]
	}
	return ""
}

// LeftOut describes excluded files. The figure comes from make bench-secrets.
const LeftOut Text = "Ignored files and files with passwords or keys are not indexed. Keys and " +
	"tokens in other files are masked. In our tests, 1 in 100 such keys was missed."

const Stays Text = "Nothing leaves this computer."
