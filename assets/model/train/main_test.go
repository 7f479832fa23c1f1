package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/app/bench/quality"
)

const source = `package store

// Open opens a store and waits until nobody else holds it.
func Open(path string) error {
	return lock(path)
}

// Compact throws away what was deleted.
func Compact(path string) error {
	return rewrite(path)
}
`

func put(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRun: a question's answer is the chunk at its line, of a file of code that is no test; packages that were not
// fetched are left out.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("// Other lines of the file say other things about other matters than these.\n", 60)
	put(t, filepath.Join(dir, "p", "store.go"), source+long+"\nfunc last() {}\n")
	put(t, filepath.Join(dir, "p", "store_test.go"), source)
	folders := put(t, filepath.Join(dir, "folders"), "go:p@v1\t"+filepath.Join(dir, "p")+"\n")
	questions := put(t, filepath.Join(dir, "questions"), "go:p@v1\tstore.go\t1\tget rid of removed entries\t\n"+
		"go:p@v1\tgone.go\t1\ta file that is not there\tnor this\n"+
		"go:other@v1\tstore.go\t1\tnever fetched\tnever\n")
	if err := run(t.Context(), folders, questions, dir); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "packages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if r.Package != "go:p@v1" || len(r.Questions) != 1 || len(r.Questions[0]) != 6+1 {
		t.Fatalf("package %s, questions %v", r.Package, r.Questions)
	}
	answer := r.Answer[0]
	if r.Outline[answer] || len(r.Chunks[answer]) < 20 || r.File[answer] != r.File[0] {
		t.Errorf("answer %d of %d chunks, outlines %v", answer, len(r.Chunks), r.Outline)
	}
	for i, f := range r.File {
		if f != 0 {
			t.Errorf("chunk %d is of file %d: tests are no answers", i, f)
		}
	}
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	fine := put(t, filepath.Join(dir, "fine"), "p\tfolder\n")
	for name, files := range map[string][2]string{
		"no tab":     {put(t, filepath.Join(dir, "a"), "p folder\n"), put(t, filepath.Join(dir, "b"), "")},
		"few fields": {fine, put(t, filepath.Join(dir, "c"), "p\tfile.go\t3\n")},
		"no number":  {fine, put(t, filepath.Join(dir, "d"), "p\tfile.go\tx\tone\ttwo\n")},
		"no file":    {fine, filepath.Join(dir, "none")},
	} {
		if err := run(t.Context(), files[0], files[1], dir); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestQuestions: what is in the repository can be read, names no place of a machine, and asks of no project that the
// benchmark asks of.
func TestQuestions(t *testing.T) {
	asked := map[string][]question{}
	for _, file := range []string{"questions.tsv", "more.tsv"} {
		some, err := readQuestions(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) < 700 {
			t.Errorf("%s: %d packages", file, len(some))
		}
		maps.Copy(asked, some)
	}
	projects, err := quality.Projects()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range projects {
		for name := range asked {
			if p.Family() != "h2" && // README.md
				(strings.Contains(name, ":"+p.Package+"@") || strings.Contains(name, ":"+p.Package+":")) {
				t.Errorf("%s is a project of the benchmark", name)
			}
		}
	}
	clients := []string{"apt", "cargo", "go", "maven", "npm", "pip"}
	for name, list := range asked {
		client, _, ok := strings.Cut(name, ":")
		if !ok || !slices.Contains(clients, client) || strings.Contains(name, "?") {
			t.Errorf("package %q", name)
		}
		for _, q := range list {
			if filepath.IsAbs(q.path) || q.line < 1 || len(q.texts) == 0 {
				t.Errorf("%s: %+v", name, q)
			}
		}
	}
}
