// Package licences contains the licences of the programs' components. It imports no package of this module.
package licences

import (
	"embed"
	"io/fs"
	"slices"
)

//go:embed *.txt
var texts embed.FS

// Texts returns the licence files, shortest first.
func Texts() ([]Text, error) {
	entries, err := fs.ReadDir(texts, ".")
	if err != nil {
		return nil, err
	}
	list := make([]Text, 0, len(entries))
	for _, e := range entries {
		data, err := texts.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		list = append(list, Text{Name: e.Name(), Text: string(data)})
	}
	slices.SortFunc(list, func(a, b Text) int { return len(a.Text) - len(b.Text) })
	return list, nil
}

// Text is the name and content of a licence file.
type Text struct{ Name, Text string }
