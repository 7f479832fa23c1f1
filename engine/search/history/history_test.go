package history

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/engine/files/repo"
	"searchmcp/engine/files/repo/repotest"
	"searchmcp/engine/host/native"
	"searchmcp/engine/search/commit"
)

func TestFiles(t *testing.T) {
	log := NewLog([]repo.Commit{
		{Message: "net: retry when the connection is reset", Files: []string{"net/dial.go", "net/retry.go"}},
		{Message: "net: retries back off\n\nConnections were reset by a busy server.", Files: []string{"net/retry.go"}},
		{Message: "parser: take an empty line for white space\n\nReviewed-by: Retry Connection",
			Files: []string{"parse/line.go"}},
		{Message: "tidy up", Files: []string{"cmd/main.go", "net/connection_pool.go"}},
	})
	for _, tt := range []struct {
		about string
		words []string
		want  []string // best first
	}{
		{"a file of more commits is before one of fewer", []string{"retry", "connection"},
			[]string{"net/retry.go", "net/dial.go", "cmd/main.go", "net/connection_pool.go"}},
		{"words count in all of their forms", []string{"parsing", "lines"}, []string{"parse/line.go"}},
		{"names of files are words", []string{"pool"}, []string{"cmd/main.go", "net/connection_pool.go"}},
		{"nothing is about it", []string{"zebra"}, nil},
		{"no words", nil, nil},
	} {
		scores := log.Files(tt.words)
		var got []string
		for f, s := range scores {
			if s <= 0 || s >= 1 {
				t.Errorf("%s: %s has %v", tt.about, f, s)
			}
			got = append(got, f)
		}
		slices.SortFunc(got, func(a, b string) int {
			return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
		})
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.about, got, tt.want)
		}
	}
	if got := NewLog(nil).Files([]string{"retry"}); len(got) != 0 {
		t.Errorf("without commits: %v", got)
	}
}

func FuzzFiles(f *testing.F) {
	f.Add("fix: a thing\n\nSigned-off-by: A", "a/b.go", "thing")
	f.Add("x: ", "a/b.go", "thing") // which is no scope without its blank
	f.Fuzz(func(t *testing.T, message, file, word string) {
		log := NewLog([]repo.Commit{{Message: message, Files: []string{file}}, {Message: word, Files: []string{file}}})
		if word == "" {
			return // text.Analyse gives none
		}
		for file, s := range log.Files([]string{word}) {
			if !(s > 0 && s < 1) {
				t.Errorf("%q: %v", file, s)
			}
		}
		for _, scope := range commit.Scope(strings.TrimSpace(message)) {
			changed, n := log.Scope([]string{scope, scope})
			if s := changed(file); n == 0 || !(s > 0.999 && s < 1.001) {
				t.Errorf("%q changed %q by %v in %d commits", scope, file, s, n)
			}
		}
	})
}

// The commits of a scope raise the files that they changed, and their neighbours.
func TestScope(t *testing.T) {
	log := NewLog([]repo.Commit{
		{Message: "gpg: repair the keys", Files: []string{"g10/keys.c", "doc/gpg.texi"}},
		{Message: "gpg, scd: ask again", Files: []string{"g10/keys.c"}},
		{Message: "feat(gpg): sign twice\n\nscd: is another thing", Files: []string{"g10/sign.c"}},
		{Message: "scd: read on", Files: []string{"scd/gpg.c"}},
		{Message: "repair gpg: all of it", Files: []string{"all.c"}},
	})
	changed, n := log.Scope([]string{"gpg"})
	if n != 3 {
		t.Fatalf("%d commits, want 3", n)
	}
	for file, want := range map[string]float64{"g10/keys.c": 0.7 + 0.3, "g10/sign.c": 0.7 + 0.15, "g10/gpg.c": 0.7,
		"doc/gpg.texi": 0.7/3 + 0.15, "scd/gpg.c": 0, "all.c": 0} {
		if got := changed(file); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
	if _, n = log.Scope([]string{"scd", "gpg"}); n != 4 {
		t.Errorf("%d commits of two scopes, want 4: one is of both", n)
	}
	if changed, n = log.Scope([]string{"agent"}); n != 0 || changed("g10/keys.c") != 0 {
		t.Errorf("%d commits of a scope that none has", n)
	}
}

func record(t testing.TB, dir, file, message string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, file), []byte(message), 0o600); err != nil {
		t.Fatal(err)
	}
	repotest.Git(t, dir, "add", "-A")
	repotest.Git(t, dir, "commit", "-q", "-m", message)
}

// The commits, also of a nested repository, are read once and then cached. A much later question finds a new commit.
func TestSource(t *testing.T) {
	repotest.Need(t)
	main, further, none := t.TempDir(), t.TempDir(), t.TempDir()
	nested, folder := filepath.Join(main, "nested"), filepath.Join(further, "folder")
	for _, dir := range []string{nested, folder} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{main, further} {
		repotest.Git(t, dir, "init", "-q")
	}
	record(t, main, "a.go", "repair the parser")
	record(t, further, "b.go", "repair the printer")
	record(t, folder, "e.go", "mend the printer")
	repotest.Git(t, nested, "init", "-q")
	record(t, nested, "d.go", "repair the linker")
	synctest.Test(t, func(t *testing.T) {
		s := NewSource(t.Context(), func(f func()) { go f() }, func() []Folder {
			return []Folder{{Path: main}, {Path: further, Prefix: "@more/"}, {Path: none, Prefix: "@none/"},
				{Path: nested, Prefix: "nested/", Nested: true},
				{Path: folder, Prefix: "none/", Nested: true}}
		}, slog.New(slog.DiscardHandler))
		has := func(when, word string, want ...string) {
			t.Helper()
			var got []string
			for f := range s.Ask().Files([]string{word}) {
				got = append(got, f)
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%s: %s is about %v, want %v", when, word, got, want)
			}
		}
		if log := s.Ask(); log != nil {
			t.Error("the first question waited")
		}
		synctest.Wait()
		has("first", "repair", "@more/b.go", "a.go", "nested/d.go")
		has("a folder of a repository", "mend", "@more/folder/e.go")
		record(t, main, "c.go", "add a lexer")
		has("at once", "lexer")
		time.Sleep(fresh + time.Second)
		has("when it is read anew", "lexer")
		synctest.Wait()
		has("afterwards", "lexer", "c.go")
	})
}

// A project without a repository is not read with every question.
func TestSourceWithoutHistory(t *testing.T) {
	dir, started := t.TempDir(), 0
	synctest.Test(t, func(t *testing.T) {
		s := NewSource(t.Context(), func(f func()) { started++; go f() },
			func() []Folder { return []Folder{{Path: dir}} }, slog.New(slog.DiscardHandler))
		for range 3 {
			if got := s.Ask().Files([]string{"repair"}); got != nil {
				t.Errorf("no repository knows %v", got)
			}
		}
	})
	if started != 1 {
		t.Errorf("read %d times", started)
	}
}

func TestNote(t *testing.T) {
	repotest.Need(t)
	dir := t.TempDir()
	repotest.Git(t, dir, "init", "-q")
	record(t, dir, "a.go", "repair the parser")
	synctest.Test(t, func(t *testing.T) {
		s := NewSource(t.Context(), func(f func()) { go f() }, func() []Folder { return []Folder{{Path: dir}} },
			slog.New(slog.DiscardHandler))
		s.Ask()
		synctest.Wait()
		if note := s.Note(); note != "" {
			t.Errorf("of a whole repository: %q", note)
		}
	})
	for err, want := range map[error]string{repo.ErrNoGit: "not installed", &native.CrashError{Cause: "SIGSEGV"}: "'work'",
		context.Canceled: ""} {
		if note := noteOf(Folder{Path: "/home/work"}, err); !strings.Contains(note, want) || want == "" && note != "" {
			t.Errorf("%v: %q", err, note)
		}
	}
}
