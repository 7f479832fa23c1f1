package onnx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/index/embed"
)

func open(t testing.TB, o Options) *Embedder {
	t.Helper()
	if _, err := embed.LibraryPath(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	e, err := Open(context.Background(), o)
	must(t, err)
	t.Cleanup(func() { must(t, e.Close()) })
	return e
}

func someTexts(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(
			"func handler%d(w http.ResponseWriter, r *http.Request) { user := findUserByID(%d); render(w, user) } // case %d", i,
			i*7, i)
		for range i % 4 {
			texts[i] += "\nif err != nil { return fmt.Errorf(\"load configuration: %w\", err) }"
		}
	}
	return texts
}

// Vectors of texts from several goroutines during queries equal, bit for bit, those of texts embedded alone.
func TestVectorDependsOnTextAlone(t *testing.T) {
	e := open(t, Options{Threads: maxThreads()})
	ctx := context.Background()
	texts := someTexts(8) // the gate delays each for 100 ms during queries
	alone := make([]api.Vector, len(texts))
	for i, s := range texts {
		must(t, e.Texts(ctx, []string{s}, func(_ int, v api.Vector) { alone[i] = v }))
	}
	stop := make(chan struct{})
	var queries sync.WaitGroup
	queries.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := e.Query(ctx, "find the user handler"); err != nil {
				t.Error(err)
				return
			}
		}
	})
	var callers sync.WaitGroup
	for range 2 {
		callers.Go(func() {
			seen := 0
			var inside atomic.Bool
			err := e.Texts(ctx, texts, func(i int, v api.Vector) {
				if !inside.CompareAndSwap(false, true) {
					t.Error("each was called twice at once")
				}
				if v != alone[i] {
					t.Errorf("text %d: another vector in company", i)
				}
				seen++
				inside.Store(false)
			})
			if err != nil || seen != len(texts) {
				t.Errorf("%d of %d vectors, error %v", seen, len(texts), err)
			}
		})
	}
	callers.Wait()
	close(stop)
	queries.Wait()
}

func TestCancelTexts(t *testing.T) {
	e := open(t, Options{Threads: 1})
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	n := 0
	err := e.Texts(ctx, someTexts(5000), func(int, api.Vector) {
		if n++; n == 3 {
			cancel(why)
		}
	})
	if !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	if n > 3+maxThreads() {
		t.Errorf("%d vectors after the cancellation", n-3)
	}
	if _, err := e.Query(ctx, "late"); !errors.Is(err, why) {
		t.Errorf("query: error %v", err)
	}
	if _, err := e.Query(context.Background(), "another caller"); err != nil {
		t.Error(err)
	}
}

func TestUnusualTexts(t *testing.T) {
	e := open(t, Options{})
	texts := []string{"", " \n\t", "\xff\xfe\x00", "𝔘𝔫𝔦", string(make([]byte, 100_000)), "日本語", "[SEP][SEP]", "\u0300"}
	long := ""
	for range 40_000 {
		long += "é"
	}
	n := 0
	must(t, e.Texts(context.Background(), append(texts, long), func(int, api.Vector) { n++ }))
	if n != len(texts)+1 {
		t.Errorf("%d vectors", n)
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	text := func(e *Embedder) error { _, err := e.Query(ctx, "x"); return err }
	damaged := filepath.Join(t.TempDir(), "model.onnx")
	must(t, os.WriteFile(damaged, make([]byte, 1<<20), 0o600))
	for name, c := range map[string]struct {
		o    Options
		want error
	}{
		"library missing":  {Options{Library: "/nonexistent/libonnxruntime.so"}, embed.ErrLibrary},
		"library relative": {Options{Library: "libonnxruntime.so"}, embed.ErrLibrary},
		"model missing":    {Options{Model: filepath.Join(t.TempDir(), "none")}, embed.ErrModel},
		"model damaged":    {Options{Model: damaged}, embed.ErrModel},
	} {
		t.Run(name, func(t *testing.T) {
			if err := text(open(t, c.o)); !errors.Is(err, c.want) {
				t.Error(err)
			}
		})
	}
	for _, x := range []float32{0, 2, float32(math.NaN()), float32(math.Inf(1))} {
		if err := checkUnit(&api.Vector{x}); !errors.Is(err, embed.ErrModel) {
			t.Errorf("a vector of length %v: %v", x, err)
		}
	}
	must(t, checkUnit(&api.Vector{1}))
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
