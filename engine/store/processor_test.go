package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"searchmcp/engine/store/text"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector"
)

func TestOldProcessor(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), Options{Tables: vector.NewDB(old{}), ModelHash: "model", ChunkerVersion: "1"})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	commit(t, s, api.CorpusCode, file("a.go", "alpha beta"))
	v := s.View()
	defer v.Release()
	hits, err := v.Text(t.Context(), api.CorpusCode, TextQuery{Terms: text.Terms("alpha"), K: 5})
	if err != nil || len(hits) != 1 {
		t.Errorf("by words: %v, %v", hits, err)
	}
	if _, err := v.Nearest(t.Context(), api.CorpusCode, vectorFor("alpha"), 5, Filter{}); !errors.Is(err, ErrVectors) {
		t.Errorf("by meaning: %v, want ErrVectors", err)
	}
	var shown *api.Error
	if err := s.VectorProblem(); !errors.As(err, &shown) || !strings.Contains(shown.UserMessage, "processor is too old") {
		t.Errorf("problem: %v", err)
	}
	if m, err := s.Missing(t.Context(), api.CorpusCode, 5); err != nil || len(m) != 0 {
		t.Errorf("vectors to make: %v, %v", m, err)
	}
}

type old struct{ vector.Native }

func (old) Open(context.Context, vector.Place) (int, error) { return 0, vector.ErrCPU }
func (old) Close(vector.Place) error                        { return nil }

// If the library fails every call, no table is damaged. The project is searched lexically and reports the error,
// instead of quarantining and recreating tables forever.
func TestBrokenLibrary(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, Options{Tables: vector.NewDB(broken{}), ModelHash: "model", ChunkerVersion: "1"})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	commit(t, s, api.CorpusCode, file("a.go", "alpha beta"))
	for range 2 { // the second attempt finds the remains of the first
		var shown *api.Error
		if err := s.VectorProblem(); !errors.As(err, &shown) || shown.Code == api.IndexCorrupt ||
			!strings.Contains(shown.UserMessage, "the vector library fails") {
			t.Fatalf("problem: %v", err)
		}
		if err := s.RebuildVectors(t.Context()); err == nil || api.CodeOf(err) == api.IndexCorrupt {
			t.Fatalf("rebuilt: %v", err)
		}
	}
	if moved, err := filepath.Glob(filepath.Join(dir, "*.bak")); err != nil || len(moved) != 0 {
		t.Errorf("taken for damage: %q, %v", moved, err)
	}
	v := s.View()
	defer v.Release()
	if hits, err := v.Text(t.Context(), api.CorpusCode,
		TextQuery{Terms: text.Terms("alpha"), K: 5}); err != nil || len(hits) != 1 {
		t.Errorf("by words: %v, %v", hits, err)
	}
}

type broken struct{ vector.Native }

func (broken) Open(_ context.Context, at vector.Place) (int, error) {
	if err := os.MkdirAll(filepath.Join(vector.TableDir(at.Dir, at.Name), "data"), 0o700); err != nil {
		return 0, err
	}
	return 0, fmt.Errorf("%w: it does not work", vector.ErrCorrupt)
}
func (broken) Close(vector.Place) error { return nil }
