package symbol

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visibility is which files can use a definition, by the rules of its language.
type Visibility struct {
	// File: its own alone. Folder: those of its folder. Neither: any file.
	File, Folder bool
	// Words, where there are any: files beyond the folder that have one of them.
	Words []string
}

// Visible says which files can use a definition whose file has these import statements. What depends on types is
// visible everywhere.
func (c *Candidate) Visible(imports []string) Visibility {
	switch {
	case c.Inner && !c.member(), hidden(c):
		return Visibility{File: true}
	case c.Language != "go":
		return Visibility{}
	}
	if first, _ := utf8.DecodeRuneInString(c.Name); !unicode.IsUpper(first) || strings.HasSuffix(c.Path, "_test.go") {
		return Visibility{Folder: true}
	}
	if c.member() {
		return Visibility{}
	}
	for _, line := range imports {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "package" {
			continue
		}
		pkg := words[1]
		if pkg == "main" {
			return Visibility{Folder: true}
		}
		// A use names the package, or imports it by its path under another name.
		if folder := path.Base(path.Dir(c.Path)); folder != "." {
			return Visibility{Words: []string{pkg, folder}}
		}
		return Visibility{Words: []string{pkg}}
	}
	return Visibility{}
}
