package symbol

import (
	"slices"

	"searchmcp/engine/chunk"
)

// Reach are the candidates that a member of types means: their own, or the nearest inherited ones.
func (t *Types) Reach(types []Type, candidates []Candidate) (found []int, outside bool) {
	outside = len(types) > 0
	for _, one := range types {
		if one.At == nil {
			continue
		}
		outside = false
		for _, i := range t.reach(one.At, candidates, 0) {
			if !slices.Contains(found, i) {
				found = append(found, i)
			}
		}
	}
	return found, outside
}

func (t *Types) reach(at *Candidate, candidates []Candidate, depth int) []int {
	var out []int
	for i := range candidates {
		if owns(&candidates[i], at) {
			out = append(out, i)
		}
	}
	if len(out) > 0 || depth > 5 {
		return out
	}
	for _, b := range t.bases(at) {
		out = append(out, t.reach(b, candidates, depth+1)...)
	}
	return out
}

// bases are the types of the project that a type inherits from.
func (t *Types) bases(at *Candidate) []*Candidate {
	var out []*Candidate
	for _, b := range at.Bases {
		for _, one := range t.types(value{from: from{at.Path, at.Language}, text: b}) {
			if one.At != nil && one.At != at && (one.At.Path != at.Path || one.At.Line != at.Line || one.At.Name != at.Name) {
				out = append(out, one.At)
			}
		}
	}
	return out
}

// Inherits reports whether a type inherits from another, at any distance.
func (t *Types) Inherits(at, from *Candidate, depth int) bool {
	if depth > 6 {
		return false
	}
	for _, b := range t.bases(at) {
		if b.Name == from.Name && (b.Path == from.Path || elsewhere[b.Language]) || t.Inherits(b, from, depth+1) {
			return true
		}
	}
	return false
}

// OwnerOf is the type that a member belongs to, nil if the project does not define it.
func (t *Types) OwnerOf(c *Candidate) *Candidate {
	owner := generic(lastPart(c.Owner()))
	if owner == "" {
		return nil
	}
	for _, one := range t.project.In(c.Path, owner) {
		if isType(&one) || one.Kind == chunk.KindType {
			return &one
		}
	}
	return t.resolve(owner, "", from{c.Path, c.Language})
}
