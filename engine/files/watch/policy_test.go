package watch

import (
	"path/filepath"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
)

var _ Policy = (*policy.Policy)(nil)

func TestRealPolicy(t *testing.T) {
	root := t.TempDir()
	for _, p := range []string{
		".git/HEAD", ".git/info/exclude", ".git/objects/aa/x", "node_modules/a/b.js", "gen/deep/a.go", "src/a.go",
	} {
		write(t, filepath.Join(root, p), "ref: refs/heads/main\n")
	}
	write(t, filepath.Join(root, ".git/info/exclude"), "")
	write(t, filepath.Join(root, ".gitignore"), "gen/\n")
	p, err := policy.New(root, api.DefaultConfig())
	must(t, err)
	r := watchPolicy(t, p, nil, Options{}).started()
	wantList(t, outsideGit(r.watchedFolders(".", "src")), []string{".", "src"}, "watched")
	ignored := func(bs []Batch) bool { return has(bs, func(b Batch) bool { return b.Ignore }) }
	for _, step := range []struct {
		file, text string
		want       []string
	}{
		{".gitignore", "# nothing\n", []string{".", "gen", "gen/deep", "src"}},
		{".git/info/exclude", "deep/\n", []string{".", "gen", "src"}},
		{"src/.gitignore", "a.go\n", []string{".", "gen", "src"}},
		{".searchignore", "gen\n", []string{".", "src"}},
	} {
		r.forget()
		write(t, filepath.Join(root, step.file), step.text)
		r.await("an ignore batch for "+step.file, ignored)
		wantList(t, outsideGit(r.watchedFolders(step.want...)), step.want, "after %s: watched", step.file)
	}
	r.forget()
	r.write("src/a.go", "hidden by now")
	r.write("gen/deep/a.go", "too")
	if bs := r.sentinel(); contains(bs, "src/a.go") || contains(bs, "gen/deep/a.go") {
		t.Errorf("events for ignored files: %s", show(bs))
	}
}
