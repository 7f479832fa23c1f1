package engine

import (
	"path/filepath"
	"slices"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/repo/repotest"
)

// TestHistoryRanks: of two files that both answer, the one comes first that commits were made to for what is asked.
func TestHistoryRanks(t *testing.T) {
	repotest.Need(t)
	root := t.TempDir()
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
	create(t, e, root)
	r, err := e.Search(t.Context(), []string{root}, api.Query{Text: "asks the overloaded server again",
		Corpus: api.CorpusCode, TopK: 10, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hits) < 2 || r.Hits[0].Path != "beta.go" {
		t.Fatalf("found %s", paths(r))
	}
	if !slices.ContainsFunc(r.Hits[0].Explain, func(f api.Factor) bool { return f.Name == "history" && f.Value > 0 }) {
		t.Errorf("no word of the history: %+v", r.Hits[0].Explain)
	}
}
