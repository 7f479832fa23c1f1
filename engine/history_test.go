package engine

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/repo/repotest"
)

// The history of a clone in a project counts.
func TestHistoryRanks(t *testing.T) {
	t.Parallel()
	repotest.Need(t)
	const folder = "clones/shop"
	project := t.TempDir()
	root := filepath.Join(project, folder)
	must(t, os.MkdirAll(root, 0o700))
	git := func(args ...string) { repotest.Git(t, root, args...) }
	git("init", "-q")
	for _, name := range []string{"alpha", "beta"} {
		write(t, filepath.Join(root, name+".go"), "package shop\n\n// "+name+" asks the server again.\nfunc "+name+"() {\n"+
			"\tfor range attempts() {\n\t\tsend()\n\t}\n}\n")
		git("add", "-A")
		git("commit", "-q", "-m", name)
	}
	write(t, filepath.Join(root, "beta.go"), "package shop\n\n// beta asks the server again.\nfunc beta() {\n"+
		"\tfor range attempts() {\n\t\tsend()\n\t\twait()\n\t}\n}\n")
	git("commit", "-q", "-a", "-m", "Ask an overloaded server again, but later")
	e := open(t, t.TempDir())
	create(t, e, project)
	eventually(t, e, "the history counts", func() bool { // it is read in the background
		r, err := e.Search(t.Context(), []string{project}, api.Query{Text: "asks the overloaded server again",
			Corpus: api.CorpusCode, TopK: 10, Explain: true})
		must(t, err)
		return len(r.Hits) > 1 && r.Hits[0].Path == path.Join(folder, "beta.go") &&
			slices.ContainsFunc(r.Hits[0].Explain, func(f api.Factor) bool { return f.Name == "history" && f.Value > 0 })
	})
}
