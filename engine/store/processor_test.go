package store

import (
	"context"
	"errors"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector"
)

// On a processor too old for the vector library a project is indexed and searched by words, and says why not by
// meaning.
func TestOldProcessor(t *testing.T) {
	// not open, which insists on vectors
	s, err := Open(t.Context(), t.TempDir(), Options{Tables: vector.NewDB(old{}), ModelHash: "model", ChunkerVersion: "1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	commit(t, s, api.CorpusCode, file("a.go", "alpha beta"))
	v := s.View()
	defer v.Release()
	hits, err := v.Text(t.Context(), api.CorpusCode, TextQuery{Text: "alpha", K: 5})
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

// old is LanceDB on a processor that cannot run it.
type old struct{ vector.Native }

func (old) Open(context.Context, vector.Place) (int, error) { return 0, vector.ErrCPU }
func (old) Close(vector.Place) error                        { return nil }
