package project

import "strings"

// noted gathers what several projects say of an answer: each note once, with the projects that it is about.
type noted struct {
	order []string
	of    map[string][]string // names of projects by note
}

func (n *noted) add(project string, notes []string) {
	if n.of == nil {
		n.of = map[string][]string{}
	}
	for _, note := range notes {
		if len(n.of[note]) == 0 {
			n.order = append(n.order, note)
		}
		n.of[note] = append(n.of[note], project)
	}
}

// notedNames is how many projects a note names: as many as fit beside it on a line of a terminal.
const notedNames = 3

// all returns the notes in the order they came in.
func (n *noted) all() []string {
	var out []string
	for _, note := range n.order {
		names, about := n.of[note], "Project "
		if len(names) > 1 {
			about = "Projects "
		}
		list := strings.Join(names[:min(notedNames, len(names))], ", ")
		if len(names) > notedNames {
			list += ", …"
		}
		out = append(out, about+list+": "+note)
	}
	return out
}
