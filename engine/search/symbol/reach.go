package symbol

import "slices"

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

// site tells a definition from others.
type site struct {
	path, name string
	line       int
}

func siteOf(c *Candidate) site { return site{c.Path, c.Name, c.NameLine} }

// bases are the types of the project that a type inherits from.
func (t *Types) bases(at *Candidate) []*Candidate {
	key := siteOf(at)
	if known, ok := t.basesOf[key]; ok {
		return known
	}
	var out []*Candidate
	for _, b := range at.Bases {
		for _, one := range t.types(value{from: from{at.Path, at.Language}, text: b}) {
			if one.At != nil && siteOf(one.At) != key {
				out = append(out, one.At)
			}
		}
	}
	if !t.project.Late() && t.nested == 0 { // within another step it may have been cut short
		t.basesOf[key] = out
	}
	return out
}

// maxAncestry is how many types one after the other are followed.
const maxAncestry = 7

// Ancestors are the types of the project that a type inherits from, at any distance, the nearest first.
func (t *Types) Ancestors(at *Candidate) []*Candidate {
	if known, ok := t.ancestors[siteOf(at)]; ok {
		return known
	}
	seen := map[site]bool{siteOf(at): true}
	var out []*Candidate
	for now, depth := []*Candidate{at}, 0; len(now) > 0 && depth < maxAncestry; depth++ {
		var next []*Candidate
		for _, c := range now {
			for _, b := range t.bases(c) {
				if !seen[siteOf(b)] {
					seen[siteOf(b)] = true
					next = append(next, b)
				}
			}
		}
		out, now = append(out, next...), next
	}
	t.ancestors[siteOf(at)] = out
	return out
}

// Inherits reports whether a type inherits from another, at any distance.
func (t *Types) Inherits(at, from *Candidate) bool {
	return slices.ContainsFunc(t.Ancestors(at), func(b *Candidate) bool {
		return b.Name == from.Name && (b.Path == from.Path || elsewhere[b.Language])
	})
}

// TypeName is the name under which a scope's type is defined: without its qualifiers and type parameters.
func TypeName(scope string) string { return generic(lastPart(scope)) }

// OwnerOf is the type that a member belongs to, nil if the project does not define it.
func (t *Types) OwnerOf(c *Candidate) *Candidate {
	owner := TypeName(c.Owner())
	if owner == "" {
		return nil
	}
	for _, one := range t.project.In(c.Path, owner) {
		if isType(&one) {
			return &one
		}
	}
	return t.resolve(owner, "", from{c.Path, c.Language})
}
