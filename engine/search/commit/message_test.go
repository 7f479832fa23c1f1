package commit

import (
	"slices"
	"testing"
)

func TestScope(t *testing.T) {
	for text, want := range map[string][]string{
		"fix(router): close idle connections":  {"router"},
		"feat(core, vite)!: read the manifest": {"core", "vite"},
		"[iOS] Fixed the camera":               {"ios"},
		"cmd/api, Router: close idle ones":     {"cmd/api", "router"},
		"Request logger: add an example":       {"requestlogger"},
		"http: request body too large":         {"http"},
		"fix: close idle connections":          nil,
		"Error: cannot find the module":        nil,
		"close idle connections of the router": nil,
		"what does a::b do":                    nil,
		"how is the port chosen: a question":   nil,
	} {
		if got := Scope(text); !slices.Equal(got, want) {
			t.Errorf("%q has the scope %q, want %q", text, got, want)
		}
	}
}

func TestWithoutReferences(t *testing.T) {
	for text, want := range map[string]string{
		"Fix the cart's total (#123)":            "Fix the cart's total",
		"fix(cart): round totals, closes #12":    "fix(cart): round totals",
		"Add a cart\n\nSigned-off-by: A <a@b.c>": "Add a cart",
		"where is (#123) handled":                "where is (#123) handled",
		"fix #12":                                "fix #12",
	} {
		if got := WithoutReferences(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
