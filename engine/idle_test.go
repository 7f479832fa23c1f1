package engine

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"searchmcp/engine/api"
)

type released chan struct{}

func (r released) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("memory released")) {
		select {
		case r <- struct{}{}:
		default: // not read
		}
	}
	return len(line), nil
}

func TestMemoryIsReleasedWhenIdle(t *testing.T) {
	log := make(released)
	e := openOpt(t, t.TempDir(), func(o *Options) {
		o.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		o.model, o.release = unloaded{}, 20*time.Millisecond
	})
	root := tree(t, map[string]string{"a.go": "package a\n\nfunc Wanted() {}\n"})
	create(t, e, root)
	for range 3 {
		select {
		case <-log:
		case <-time.After(patience):
			t.Fatal("no memory is released")
		}
		r, err := e.Search(t.Context(), []string{root}, api.Query{Text: "Wanted", Corpus: api.CorpusCode, TopK: 1})
		if err != nil || len(r.Hits) != 1 {
			t.Fatalf("search after memory was released: %d hits, %v", len(r.Hits), err)
		}
	}
}

type unloaded struct{ hashModel }

func (unloaded) Loaded() bool { return false }
