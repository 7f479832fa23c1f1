package worker_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/host/worker/workertest"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/index/embed/onnx"
	"searchmcp/engine/store/vector"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "starve" {
		starve()
	}
	workertest.Run()
	os.Exit(m.Run())
}

var quiet = slog.New(slog.DiscardHandler)

func process(t *testing.T, kind worker.Kind) *native.Process {
	t.Helper()
	p := native.New(native.Options{Name: string(kind), Program: worker.Program, Args: []string{string(kind)}, Log: quiet})
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func poison(t *testing.T) *worker.Poison {
	t.Helper()
	p, err := worker.OpenPoison(filepath.Join(t.TempDir(), "crashes.json"), "1", quiet)
	must(t, err)
	return p
}

func TestSyntax(t *testing.T) {
	here := chunk.NewTrees(treesitter.Parse)
	there := worker.NewSyntax(process(t, worker.Parse), poison(t), nil)
	for language, text := range map[string]string{
		"go":     "package a\n\n" + strings.Repeat("// F is ü.\nfunc (s *Server) F(a int) error { return nil }\n\n", 60),
		"python": strings.Repeat("class A:\n    def f(self):\n        return 1\n\n", 60),
		"c":      "#include <a.h>\n" + strings.Repeat("int f(void) { return 1; }\n", 90),
		"rust":   "fn main() {",
	} {
		f := chunk.File{Language: language, Hash: "h", Text: text}
		want, err1 := here.Cut(t.Context(), f)
		got, err2 := there.Cut(t.Context(), f)
		if err1 != nil || err2 != nil || !reflect.DeepEqual(normal(got), normal(want)) {
			t.Errorf("%s: %+v, %v; here %+v, %v", language, got, err2, want, err1)
		}
	}
	if _, err := there.Cut(t.Context(), chunk.File{Language: "none"}); err == nil {
		t.Error("no error for a language without grammar")
	}
}

func normal(c chunk.Cut) chunk.Cut {
	for i := range c.Pieces {
		c.Pieces[i].Breadcrumb = slices.Concat(c.Pieces[i].Breadcrumb, nil)
		c.Pieces[i].Symbols = slices.Concat(c.Pieces[i].Symbols, nil)
	}
	return c
}

// The same version does not pass a content to a worker again after the content has killed a worker.
func TestPoison(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "crashes.json")
	open := func(version string) *worker.Poison {
		p, err := worker.OpenPoison(path, version, quiet)
		must(t, err)
		return p
	}
	open("1").Add("abc", "parse go", "SIGSEGV")
	p := open("1")
	if !p.Has("abc") || p.Has("def") {
		t.Error("not remembered")
	}
	c, err := worker.NewSyntax(process(t, worker.Parse), p, nil).Cut(t.Context(), chunk.File{Language: "go", Hash: "abc",
		Text: "package a"})
	if err != nil || c.Reason != chunk.ReasonSkipped {
		t.Errorf("%+v, %v", c, err)
	}
	wantEqual(t, open("2").Has("abc"), false, "another version does not try again")
	must(t, os.WriteFile(path, []byte("{"), 0o600))
	wantEqual(t, open("1").Has("abc"), false, "remembered by a file that cannot be read")
}

func TestQuestionIsEmbeddedOnce(t *testing.T) {
	m, err := worker.NewModel(process(t, worker.Embed), poison(t), "", 0, quiet)
	must(t, err)
	first, err := m.Query(t.Context(), "retry a failed request")
	must(t, err)
	must(t, m.Close())
	if again, err := m.Query(t.Context(), "retry a failed request"); err != nil || again != first {
		t.Errorf("asked again: %v", err)
	}
	if _, err := m.Query(t.Context(), "another question"); err == nil {
		t.Error("another question has its vector")
	}
}

func TestModel(t *testing.T) {
	p := process(t, worker.Embed)
	m, err := worker.NewModel(p, poison(t), "", 0, quiet)
	must(t, err)
	e, err := onnx.Open(t.Context(), onnx.Options{Log: quiet})
	must(t, err)
	defer e.Close()
	want, err := e.Query(t.Context(), "retry a failed request")
	must(t, err)
	wantEqual(t, m.Loaded(), false, "loaded before the first text")
	got, err := m.Query(t.Context(), "retry a failed request")
	if err != nil || got != want {
		t.Errorf("another vector: %v", err)
	}
	texts := make([]string, 40)
	for i := range texts {
		texts[i] = fmt.Sprintf("func Charge%d(amount int) error", i)
	}
	seen := make([]api.Vector, len(texts))
	killed := false
	err = m.Texts(t.Context(), texts, func(i int, v api.Vector) {
		seen[i] = v
		if !killed {
			killed = true
			kill(p.PID())
		}
	})
	must(t, err)
	err = e.Texts(t.Context(), texts, func(i int, v api.Vector) {
		wantEqual(t, seen[i], v, "seen")
	})
	must(t, err)
	m.SetThreads(1)
	ctx, cancel := context.WithCancel(t.Context())
	if err := m.Texts(ctx, texts, func(int, api.Vector) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

// A table continues to work after its process has died at any point.
func TestTables(t *testing.T) {
	p := process(t, worker.Store)
	table, err := vector.NewDB(worker.NewTables(p)).Open(t.Context(), t.TempDir(), "project_docs")
	must(t, err)
	rows := make([]vector.Row, 60)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		row := &rows[i]
		*row = vector.Row{ID: fmt.Sprint("id-", i), Path: fmt.Sprintf("dir/f%d.go", i%6), Text: "text", ContentHash: "h",
			StartLine: 1, EndLine: 2}
		row.Vector[r.IntN(len(row.Vector))], row.Vector[i] = 0.6, 0.8
	}
	kill := func() {
		if pid := p.PID(); pid > 0 {
			kill(pid)
		}
	}
	for i := 0; i < len(rows); i += 20 {
		if err := table.Add(t.Context(), rows[i:i+20]); err != nil {
			var died *native.CrashError
			if !errors.As(err, &died) { // this call may notice the previous kill
				t.Fatal(err)
			}
			must(t, table.Add(t.Context(), rows[i:i+20]))
		}
		kill()
	}
	if n, err := table.Count(t.Context()); err != nil || n != len(rows) {
		t.Errorf("%d rows, %v", n, err)
	}
	kill()
	hits, err := table.Search(t.Context(), vector.Query{Vector: rows[33].Vector, K: 1})
	if err != nil || len(hits) != 1 || hits[0].ID != "id-33" {
		t.Errorf("%+v, %v", hits, err)
	}
	kill()
	keys := 0
	if err := table.Keys(t.Context(), func(vector.Key) bool { keys++; return keys < 50 }); err != nil || keys != 50 {
		t.Errorf("%d keys, %v", keys, err)
	}
	back, err := table.Vectors(t.Context(), []string{"id-7"})
	if err != nil || back["id-7"] != rows[7].Vector {
		t.Errorf("read back: %v", err)
	}
	must(t, table.DeletePaths(t.Context(), []string{"dir/f1.go"}))
	if n, err := table.Count(t.Context()); err != nil || n != 50 {
		t.Errorf("%d rows, %v", n, err)
	}
	if shape, err := table.Shape(); err != nil || shape.Unsketched {
		t.Errorf("%+v, %v", shape, err)
	}
	must(t, table.Close())
	if _, err := table.Count(t.Context()); !errors.Is(err, vector.ErrClosed) {
		t.Errorf("%v", err)
	}
}

func starve() {
	handlers := native.Handlers{}
	for op := range 256 {
		handlers[byte(op)] = func(context.Context, native.Body, func(native.Body)) (native.Body, error) {
			fmt.Fprintln(os.Stderr, "fatal error: runtime: out of memory")
			os.Exit(2)
			return nil, nil
		}
	}
	_ = native.Service{Handlers: handlers}.Serve(os.Stdin, os.Stdout)
	os.Exit(0)
}

func TestTableThatStarvesTheWorker(t *testing.T) {
	p := native.New(native.Options{
		Name: "starve", Program: os.Executable, Args: []string{"starve"}, Log: quiet, Memory: 1 << 30,
	})
	defer p.Close()
	tables := worker.NewTables(p)
	at := vector.Location{Dir: t.TempDir(), Name: "project_docs"}
	if _, err := tables.Count(t.Context(), at); !errors.Is(err, vector.ErrCorrupt) {
		t.Error(err)
	}
}

// wantEqual reports a got that isn't want. The format names got.
func wantEqual[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}
