package lang

var _ = add(Language{Name: "matlab",
	Extensions: "m",
	Layout: &Layout{Comments: []string{"%"}, Defs: symbols(`^\s*function\s+(?:[^=]*=\s*)?(\w+)`,
		`^classdef\s+(?:\([^)]*\)\s*)?(\w+)`)},
})
