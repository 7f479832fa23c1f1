package engine

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
)

// listener forwards the messages of a log.
type listener struct{ messages chan string }

func (l listener) Enabled(context.Context, slog.Level) bool { return true }
func (l listener) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l listener) WithGroup(string) slog.Handler            { return l }
func (l listener) Handle(_ context.Context, r slog.Record) error {
	select {
	case l.messages <- r.Message:
	default: // drop the message
	}
	return nil
}

// Memory is released when idle and again after every query, and searches still work.
func TestMemoryIsGivenBackWhenIdle(t *testing.T) {
	root, err := scan.CanonicalRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\nfunc Wanted() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := listener{make(chan string, 1000)}
	e, err := Open(t.Context(), Options{Data: t.TempDir(), Log: slog.New(l), model: unloaded{},
		release: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	job, err := e.Create(t.Context(), root, api.Approval{})
	if err != nil {
		t.Fatal(err)
	}
	<-job.Done()
	for range 3 {
		for said := ""; said != "memory released"; {
			select {
			case said = <-l.messages:
			case <-time.After(patience):
				t.Fatal("no memory is given back")
			}
		}
		r, err := e.Search(t.Context(), []string{root}, api.Query{Text: "Wanted", Corpus: api.CorpusCode, TopK: 1})
		if err != nil || len(r.Hits) != 1 {
			t.Fatalf("search after memory was given back: %d hits, %v", len(r.Hits), err)
		}
	}
}

// unloaded is a model that is never loaded.
type unloaded struct{ hashModel }

func (unloaded) Loaded() bool { return false }
