package project

import (
	"cmp"
	"strings"
)

type noteSet struct {
	order []string
	of    map[string][]string // maps a note to the names of its projects
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

// notedNames is the maximum number of project names at the beginning of a note. They fit on a line of a terminal.
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

// askEach calls search for each root, and merge for each result. It returns the notes of all projects. It fails only if
// all searches fail.
func askEach[T any](r *Registry, roots []string, search func(root string) (T, error),
	merge func(project string, result T) []string) (notes []string, err error) {
	var merged noteSet
	var failed error
	for _, root := range roots {
		result, err := search(root)
		if err != nil {
			failed = cmp.Or(failed, err)
			notes = append(notes, r.notSearched(root, err))
			continue
		}
		name := r.nameOf(root)
		merged.add(name, merge(name, result))
	}
	if len(notes) == len(roots) {
		return nil, failed
	}
	return append(notes, merged.all()...), nil
}
