package model

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/jobs"
	"searchmcp/engine/host/native"
	"searchmcp/engine/problem"
)

const name = "minilm-l6-v2-int8.onnx"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Run tries until an undamaged model is in the folder.
func TestRun(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(filepath.Join("..", "..", "assets", "model", name))
	must(t, err)
	for how, text := range map[string][]byte{
		"missing": nil, "cut": whole[:len(whole)/2], "damaged": make([]byte, len(whole)),
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), name)
			if text != nil {
				must(t, os.WriteFile(file, text, 0o600))
			}
			changed := make(chan struct{}, 1000)
			problems := problem.NewList(jobs.NewHub())
			m := New(Options{
				Process: native.New(native.Options{}), Dir: filepath.Dir(file), Retry: 20 * time.Millisecond, Problems: problems,
				Changed: func() { changed <- struct{}{} }, Log: slog.New(slog.DiscardHandler),
			})
			if state := m.State(); state != "unloaded" {
				t.Errorf("before the search for the model: %s", state)
			}
			done := make(chan struct{})
			go func() { m.Run(t.Context()); close(done) }()
			<-changed
			list := problems.All()
			if m.State() != "missing" || len(list) != 1 || list[0].Code != api.ModelDownloadFailed || m.Missing() == nil {
				t.Errorf("%s, problems %v", m.State(), list)
			}
			must(t, os.WriteFile(file+".new", whole, 0o600))
			must(t, os.Rename(file+".new", file))
			<-done
			if m.State() != "unloaded" || len(problems.All()) != 0 || m.Missing() != nil || m.Fetching() != "" {
				t.Errorf("found: %s, problems %v, %q", m.State(), problems.All(), m.Fetching())
			}
		})
	}
}

type loaded struct{ Embedder }

func (loaded) Loaded() bool { return true }

func TestState(t *testing.T) {
	problems := problem.NewList(jobs.NewHub())
	m := New(Options{Embedder: loaded{}, Problems: problems})
	m.Run(context.Background()) // returns, because the model is given
	if m.State() != "loaded" {
		t.Error(m.State())
	}
	m.Embedder = nil
	m.SetMissing(errors.New("no library"))
	if m.State() != "failed" || len(problems.All()) != 1 {
		t.Errorf("%s, %v", m.State(), problems.All())
	}
}

// The download is reported, and the projects are notified only when it begins.
func TestFetching(t *testing.T) {
	changes := 0
	m := &Model{opt: Options{Changed: func() { changes++ }}}
	m.setFetching("Downloading", 0, 0)
	m.setFetching("Downloading", 1, 4)
	if got := m.Fetching(); got != "Downloading 25 %" || changes != 1 {
		t.Errorf("%q, %d changes", got, changes)
	}
}
