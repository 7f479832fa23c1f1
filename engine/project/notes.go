package project

import "strings"

// noteSet merges the notes of several projects, so that each is shown once with the names of its projects.
type noteSet struct {
	order []string
	of    map[string][]string // names of projects by note
}

func (n *noteSet) add(project string, notes []string) {
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

// notedNames is the maximum number of projects that a note names, to fit on a line of a terminal.
const notedNames = 3

// all returns the notes in the order of their addition.
func (n *noteSet) all() []string {
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
