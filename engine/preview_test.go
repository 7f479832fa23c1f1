package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/repo/repotest"
	"searchmcp/engine/store/files"
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

// The build indexes the files that the walk for the question found. The scan that follows finds changes made between
// question and build.
func TestChangesDuringTheQuestion(t *testing.T) {
	t.Parallel()
	for _, strategy := range []string{"realtime", "lazy", "git"} {
		t.Run(strategy, func(t *testing.T) {
			t.Parallel()
			data, root := t.TempDir(), tree(t, shop)
			write(t, filepath.Join(data, files.ConfigName), `{"indexingStrategy": "`+strategy+`"}`)
			repotest.Git(t, root, "init", "-q")
			repotest.Git(t, root, "add", ".")
			repotest.Git(t, root, "commit", "-q", "-m", "one")
			e := openOpt(t, data, nil)
			must(t, second(e.Preview(t.Context(), root)))
			write(t, filepath.Join(root, "pay/new.go"), "package pay\n\nfunc Fresh() {}\n")
			write(t, filepath.Join(root, "pay/refund.go"), "package pay\n\nfunc Refunded() {}\n")
			write(t, filepath.Join(root, ".gitignore"), "ship/\n")
			must(t, os.Remove(filepath.Join(root, "pay/charge.go")))
			create(t, e, root)
			becomesTrue(t, e, root)
		})
	}
}
