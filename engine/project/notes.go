package project

import (
	"cmp"
	"strings"
)

type noteSet struct {
	order []string
	of    map[string][]string // projects' names by note
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

// notedNames is the maximum number of project names in a note, so that they fit on one line of a terminal.
const notedNames = 3

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

// askEach calls ask for each root, and add with each result. It returns the notes from add, each with its project's
// name, and a note for each project that failed. If all fail, it returns the first error.
func askEach[T any](r *Registry, roots []string, ask func(root string) (T, error),
	add func(project string, one T) []string) (notes []string, err error) {
	var merged noteSet
	var failed error
	for _, root := range roots {
		one, err := ask(root)
		if err != nil {
			failed = cmp.Or(failed, err)
			notes = append(notes, r.notSearched(root, err))
			continue
		}
		name := r.nameOf(root)
		merged.add(name, add(name, one))
	}
	if len(notes) == len(roots) {
		return nil, failed
	}
	return append(notes, merged.all()...), nil
}
