package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector"
)

// Without a usable library, the project is searched lexically and reports the error. If the library fails every call,
// no table is damaged: tables are not quarantined and recreated forever.
func TestNoLibrary(t *testing.T) {
	for message, native := range map[string]vector.Native{"processor is too old": old{},
		"the vector library fails": broken{}} {
		dir := t.TempDir()
		s, err := Open(t.Context(), dir, Options{Tables: vector.NewDB(native), ModelHash: "model", ChunkerVersion: "1"})
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		commit(t, s, api.CorpusCode, file("a.go", "alpha beta"))
		for range 2 { // the second attempt finds the remains of the first
			var shown *api.Error
			if err := s.VectorProblem(); !errors.As(err, &shown) || shown.Code == api.IndexCorrupt ||
				!strings.Contains(shown.UserMessage, message) {
				t.Fatalf("problem: %v, want %s", err, message)
			}
			if err := s.RebuildVectors(t.Context()); err == nil || api.CodeOf(err) == api.IndexCorrupt {
				t.Fatalf("%s: rebuilt: %v", message, err)
			}
		}
		if moved, err := filepath.Glob(filepath.Join(dir, "*.bak")); err != nil || len(moved) != 0 {
			t.Errorf("%s: taken for damage: %q, %v", message, moved, err)
		}
		want(t, "by words", texts(t, s, api.CorpusCode, "alpha"), []string{"a.go: alpha beta"})
		v := s.View()
		_, err = v.Nearest(t.Context(), api.CorpusCode, vectorFor("alpha"), 5, Filter{})
		if v.Release(); !errors.Is(err, ErrVectors) {
			t.Errorf("%s: by meaning: %v, want ErrVectors", message, err)
		}
		if m, err := s.Missing(t.Context(), api.CorpusCode, 5); err != nil || len(m) != 0 {
			t.Errorf("%s: vectors to make: %v, %v", message, m, err)
		}
	}
}

type old struct{ vector.Native }

func (old) Open(context.Context, vector.Location) (int, error) { return 0, vector.ErrCPU }
func (old) Close(vector.Location) error                        { return nil }

type broken struct{ vector.Native }

func (broken) Open(_ context.Context, at vector.Location) (int, error) {
	if err := os.MkdirAll(filepath.Join(vector.TableDir(at.Dir, at.Name), "data"), 0o700); err != nil {
		return 0, err
	}
	return 0, fmt.Errorf("%w: it does not work", vector.ErrCorrupt)
}
func (broken) Close(vector.Location) error { return nil }
