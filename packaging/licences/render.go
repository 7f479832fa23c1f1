package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

type component struct {
	Name    string
	Version string
	Licence string   // SPDX expression, or "" if undeclared
	Texts   []string // licences and notices
}

func (c component) id() string { return strings.TrimSpace(c.Name + " " + c.Version) }

var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice|patents|authors)([-._].*)?$`)

// codeFile matches the names of code files, such as license.go.
var codeFile = regexp.MustCompile(`(?i)\.(go|rs|py|js|sh|json|toml|ya?ml|tmpl|tpl|html)$`)

func licenceTexts(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list licence files: %w", err)
	}
	var texts []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) || codeFile.MatchString(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read licence: %w", err)
		}
		if text := normal(string(data)); text != "" {
			texts = append(texts, text)
		}
	}
	return texts, nil
}

// normal converts line ends to LF and removes spaces before them.
func normal(text string) string {
	text = strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\ufffd")
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// render lists the components, then each distinct text under the names of its components.
func render(title string, list []component) []byte {
	slices.SortFunc(list, func(a, b component) int { return strings.Compare(a.id(), b.id()) })
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n\n", title, strings.Repeat("=", len(title)))
	users := map[string][]string{} // by words, because copies of a licence differ in line breaks
	var order []string             // the first copy of each text
	for _, c := range list {
		if c.Licence != "" {
			fmt.Fprintf(&b, "%s: %s\n", c.id(), c.Licence)
		} else {
			fmt.Fprintln(&b, c.id())
		}
		for _, text := range c.Texts {
			key := words(text)
			if users[key] == nil {
				order = append(order, text)
			}
			if !slices.Contains(users[key], c.id()) {
				users[key] = append(users[key], c.id())
			}
		}
	}
	for _, text := range order {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 78), strings.Join(users[words(text)], ", "), text)
	}
	return b.Bytes()
}
