package engine

import (
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// The effect of an edited config.json is shown before it is saved.
func TestPreviewOfAConfiguration(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir())
	root := tree(t, map[string]string{"go.mod": "module m\n", "a.go": "package m\n", "gen/b.go": "package gen\n",
		"gen/c.go": "package gen\n"})
	all, err := e.Preview(t.Context(), root)
	if err != nil || all.Files != 4 {
		t.Fatalf("%+v, %v", all, err)
	}
	p, problems, err := e.PreviewConfig(t.Context(), root, `{"exclude": ["gen/**"], "maxFileSize": "huge"}`)
	if err != nil || p.Files != 2 || p.Skipped[api.SkipExcluded] == 0 {
		t.Errorf("%+v, %v", p, err)
	}
	if len(problems) != 1 || !strings.HasPrefix(problems[0], "maxFileSize ") {
		t.Errorf("problems %q", problems)
	}
	if _, _, err := e.PreviewConfig(t.Context(), root, `{"exclude": [`); api.CodeOf(err) != api.InvalidArgument {
		t.Errorf("half a text: %v", err)
	}
	if again, err := e.Preview(t.Context(), root); err != nil || again.Files != 4 {
		t.Errorf("the preview left something behind: %+v, %v", again, err)
	}
}
