package cli

import (
	"strings"

	"searchmcp/app/cli/term"
	"searchmcp/app/highlight"
)

// found is a result of a source beside the projects.
type found struct {
	address string   // a path or URL
	title   string   // with the section behind it
	texts   []string // of one line each, marked
}

// lineOf is a text as found has it.
func (v *invocation) lineOf(text string, words highlight.Terms) string {
	return v.screen.Marked(term.OneLine(strings.Join(strings.Fields(text), " ")), words)
}

// under is a title with the section that a text stands in.
func under(title, section string) string {
	if section == "" {
		return title
	}
	return title + " › " + section
}

// printFound prints results as a search of projects does: to a person the address, what it is, and the text below it;
// to a program a line each, ADDRESS:TEXT.
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
