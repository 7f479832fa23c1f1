package search

import (
	"slices"
	"testing"

	"searchmcp/engine/api"
)

// Paths in answers are valid arguments: a pattern that is an existing name means this name.
func TestPlace(t *testing.T) {
	l := listing{
		api.CorpusCode: {" lead.go", "app/[[...opt]]/page.tsx", "app/[slug]/load.ts", "app/[slug]/page.tsx", "app/s/page.tsx",
			"lib/{a,b}.ts", "lib/a.ts", "main.go", "odd/what?.go", "odd/whats.go", "routes/*/x.go", "routes/a/x.go",
			"tools/main.go",
			"trail.go "},
		api.CorpusDocs: {"README.md"},
	}
	var all []string
	for _, c := range api.Corpora {
		all = append(all, l[c]...)
	}
	slices.Sort(all)
	for _, tc := range []struct {
		typed string
		want  []string
	}{
		{"", all}, {".", all}, {"./", all}, {"/", all}, {"**", all}, {" . ", all},
		{"app/[slug]", []string{"app/[slug]/load.ts", "app/[slug]/page.tsx"}},
		{"./app/[slug]/", []string{"app/[slug]/load.ts", "app/[slug]/page.tsx"}},
		{"app/[slug]/page.tsx", []string{"app/[slug]/page.tsx"}},
		{"app/[[...opt]]/page.tsx", []string{"app/[[...opt]]/page.tsx"}},
		{"app/[slug]/*.ts", []string{"app/[slug]/load.ts"}},
		{"**/[slug]/page.*", []string{"app/[slug]/page.tsx"}},
		{"[slug]", []string{"app/[slug]/load.ts", "app/[slug]/page.tsx"}},
		{"app/[rst]/page.tsx", []string{"app/s/page.tsx"}},
		{"lib/{a,b}.ts", []string{"lib/{a,b}.ts"}},
		{"lib/{a,c}.ts", []string{"lib/a.ts"}},
		{"odd/what?.go", []string{"odd/what?.go"}},
		{"odd/wha??.go", []string{"odd/what?.go", "odd/whats.go"}},
		{"routes/*/x.go", []string{"routes/*/x.go"}},
		{"routes/*/*.go", []string{"routes/*/x.go", "routes/a/x.go"}},
		{"main.go", []string{"main.go"}},
		{"tools/../main.go", []string{"main.go"}},
		{" lead.go", []string{" lead.go"}}, {"trail.go ", []string{"trail.go "}}, {" README.md ", []string{"README.md"}},
		{"page.tsx", []string{"app/[[...opt]]/page.tsx", "app/[slug]/page.tsx", "app/s/page.tsx"}},
		{"../main.go", nil}, {"nothing", nil},
	} {
		match, err := PathFilter(l, tc.typed)
		if err != nil {
			t.Errorf("%q: %v", tc.typed, err)
			continue
		}
		got := slices.DeleteFunc(slices.Clone(all), func(p string) bool { return match != nil && !match(p) })
		if !slices.Equal(got, tc.want) {
			t.Errorf("%q: %q, want %q", tc.typed, got, tc.want)
		}
	}
}
