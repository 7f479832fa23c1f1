package cli

import (
	"strings"

	"searchmcp/app/cli/term"
	"searchmcp/app/highlight"
)

// found is a result of a source other than a project.
type found struct {
	address string   // a path or URL
	title   string   // followed by the section
	texts   []string // one line each, highlighted
}

// lineOf renders a text for found.texts.
func (v *invocation) lineOf(text string, words highlight.Terms) string {
	return v.screen.Marked(term.OneLine(strings.Join(strings.Fields(text), " ")), words)
}

// under joins a title and the section of a text.
func under(title, section string) string {
	if section == "" {
		return title
	}
	return title + " › " + section
}

// printFound prints results like a project search: for a user the address, the title, and the texts below; for a
// program one line ADDRESS:TEXT each.
func (v *invocation) printFound(all []found) {
	for i, f := range all {
		address := v.style.Path(term.OneLine(f.address))
		if !v.screen.Person {
			text := term.OneLine(f.title)
			if len(f.texts) > 0 {
				text = strings.Join(f.texts, " … ")
			}
			v.printf("%s:%s\n", address, text)
			continue
		}
		if i > 0 {
			v.printf("\n")
		}
		v.printf("%s\n", strings.TrimRight(address+"  "+term.OneLine(f.title), " "))
		for _, text := range f.texts {
			v.printf("      %s\n", text)
		}
	}
	switch {
	case len(all) == 0:
		v.note("Nothing found.")
	case v.screen.Person:
		v.printf("\n")
	}
}
