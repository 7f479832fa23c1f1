package lance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func testDB(tb testing.TB) *vector.DB {
	tb.Helper()
	native, err := New()
	if errors.Is(err, vector.ErrNoNative) || errors.Is(err, vector.ErrCPU) {
		if os.Getenv("CI") != "" {
			tb.Fatal("CI must have the native library: ", err)
		}
		tb.Skip(err)
	}
	must(tb, err)
	return vector.NewDB(native)
}

func openTest(tb testing.TB, dir string) *vector.Table {
	tb.Helper()
	t, err := testDB(tb).Open(tb.Context(), dir, "project_docs")
	must(tb, err)
	tb.Cleanup(func() { must(tb, t.Close()) })
	return t
}

func unit(r *rand.Rand) (v api.Vector) {
	sum := 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func testRows(r *rand.Rand, n int) []vector.Row {
	rows := make([]vector.Row, n)
	for i := range rows {
		rows[i] = vector.Row{
			ID: fmt.Sprintf("id-%d", i), Path: fmt.Sprintf("dir/file%d.go", i/4), Text: fmt.Sprintf("text %d\nzwei ✓", i),
			Vector: unit(r), StartLine: i + 1, EndLine: i + 3, ContentHash: fmt.Sprintf("hash%d", i/4),
		}
	}
	return rows
}

func TestTable(t *testing.T) {
	ctx := t.Context()
	table := openTest(t, t.TempDir())
	rows := testRows(rand.New(rand.NewPCG(1, 2)), 40)
	must(t, table.Add(ctx, rows[:30]))
	must(t, table.Add(ctx, rows[30:]))
	wantCount(t, table, 40)

	hits, err := table.Search(ctx, vector.Query{Vector: rows[17].Vector, K: 5})
	if err != nil || len(hits) != 5 {
		t.Fatalf("search: %d hits, %v", len(hits), err)
	}
	h, r := hits[0], rows[17]
	if h.ID != r.ID || h.Path != r.Path || h.ContentHash != r.ContentHash || h.StartLine != r.StartLine ||
		h.EndLine != r.EndLine || math.Abs(h.Score-1) > 1e-4 {
		t.Errorf("nearest is %+v, want %s", h, r.ID)
	}
	want, second := 0.0, rows[slices.IndexFunc(rows, func(r vector.Row) bool { return r.ID == hits[1].ID })].Vector
	for i, x := range second {
		want += float64(x) * float64(rows[17].Vector[i])
	}
	if math.Abs(hits[1].Score-want) > 2e-3 {
		t.Errorf("second score %v, cosine %v", hits[1].Score, want)
	}
	if !slices.IsSortedFunc(hits, func(a, b vector.Hit) int { return cmp.Compare(b.Score, a.Score) }) {
		t.Errorf("hits are not in order: %v", hits)
	}

	hits, err = table.Search(ctx, vector.Query{Vector: rows[17].Vector, K: 10,
		Paths: []string{"dir/file0.go", "dir/none.go"}})
	if err != nil || len(hits) != 4 {
		t.Fatalf("search in one path: %d hits, %v", len(hits), err)
	}

	back, err := table.Vectors(ctx, []string{"id-3", "id-39", "none"})
	if err != nil || len(back) != 2 || back["id-39"] != rows[39].Vector {
		t.Errorf("vectors read back: %d, %v", len(back), err)
	}

	must(t, table.DeletePaths(ctx, []string{"dir/file0.go", "dir/none.go"}))
	wantCount(t, table, 36)
	seen := map[string]vector.Key{}
	must(t, table.Keys(ctx, func(k vector.Key) bool { seen[k.ID] = k; return true }))
	if len(seen) != 36 || seen["id-4"] != (vector.Key{ID: "id-4", Path: "dir/file1.go", ContentHash: "hash1"}) {
		t.Errorf("keys: %d, %+v", len(seen), seen["id-4"])
	}
	if shape, err := table.Shape(); err != nil || shape.Versions < 3 {
		t.Errorf("shape %+v, %v", shape, err)
	}
}

func TestTableRefuses(t *testing.T) {
	good := testRows(rand.New(rand.NewPCG(1, 2)), 1)[0]
	bad := map[string]func(*vector.Row){
		"nan":        func(r *vector.Row) { r.Vector[7] = float32(math.NaN()) },
		"infinite":   func(r *vector.Row) { r.Vector[7] = float32(math.Inf(-1)) },
		"no id":      func(r *vector.Row) { r.ID = "" },
		"nul":        func(r *vector.Row) { r.Path = "a\x00b" },
		"not utf-8":  func(r *vector.Row) { r.Text = "\xff" },
		"lines":      func(r *vector.Row) { r.StartLine, r.EndLine = 5, 4 },
		"line range": func(r *vector.Row) { r.EndLine = math.MaxInt32 + 1 },
	}
	table := openTest(t, t.TempDir())
	for what, spoil := range bad {
		r := good
		spoil(&r)
		if err := table.Add(t.Context(), []vector.Row{r}); !errors.Is(err, vector.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", what, err)
		}
	}
	if err := table.DeletePaths(t.Context(), []string{"a\x00b"}); !errors.Is(err, vector.ErrInvalid) {
		t.Errorf("delete: %v, want ErrInvalid", err)
	}
	wantCount(t, table, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := table.Add(ctx, []vector.Row{good}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	must(t, table.Close())
	if _, err := table.Count(t.Context()); !errors.Is(err, vector.ErrClosed) {
		t.Errorf("after close: %v, want ErrClosed", err)
	}
	if err := table.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
}

// Paths with the special characters of SQL are found and deleted without affecting other paths.
func TestTableUnusualPaths(t *testing.T) {
	odd := []string{
		"it's.go", `back\slash.go`, `"double".go`, "semi;colon--.go", "per%cent_.go", "line\nbreak.go",
		"päth/日本.go", "') OR 1=1 --",
		`\'`, "''", "a,b", "`tick`", "tab\t.go", "/* c */", "$1", "🙂.go",
	}
	table := openTest(t, t.TempDir())
	r := rand.New(rand.NewPCG(3, 4))
	var rows []vector.Row
	for i, p := range odd {
		rows = append(rows, vector.Row{ID: fmt.Sprint(i), Path: p, Vector: unit(r), StartLine: 1,
			EndLine: 1, ContentHash: "h"})
	}
	must(t, table.Add(t.Context(), rows))
	for i, p := range odd {
		if err := table.DeletePaths(t.Context(), []string{p}); err != nil {
			t.Fatalf("delete %q: %v", p, err)
		}
		wantCount(t, table, len(odd)-i-1)
	}
}

func TestLanceReopen(t *testing.T) {
	dir := t.TempDir()
	rows := testRows(rand.New(rand.NewPCG(1, 2)), 8)
	t.Setenv("TMPDIR", dir+"/removed") // LanceDB writes a temporary file
	first := openTest(t, dir)
	must(t, first.Add(t.Context(), rows))
	must(t, first.Close())
	second := openTest(t, dir)
	wantCount(t, second, 8)
	must(t, second.Close())
	if n := handles.Load(); n != 0 {
		t.Errorf("%d native handles are open", n)
	}
	if !strings.HasSuffix(vector.TableDir(dir, "project_docs"), "project_docs.lance") {
		t.Error("RFC 3.2 names the table project_docs")
	}
}

// For any values, a filter is a single IN with one string per value, which SQL parses to the same value.
func FuzzIn(f *testing.F) {
	f.Add("a'b", "c")
	f.Add(`\`, "') OR ('1'='1")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, v := range []string{a, b} {
			if strings.IndexByte(v, 0) >= 0 || !utf8.ValidString(v) {
				return // package vector rejects these values
			}
		}
		got, rest := parseIn(in("path", []string{a, b}))
		if rest != "" || !slices.Equal(got, []string{a, b}) {
			t.Errorf("%q, %q read back as %q with %q left", a, b, got, rest)
		}
	})
}

func parseIn(s string) (values []string, rest string) {
	s, ok := strings.CutPrefix(s, "path IN (")
	for ok && strings.HasPrefix(s, "'") {
		var b strings.Builder
		for s = s[1:]; s != ""; s = s[1:] {
			if s[0] == '\'' {
				if !strings.HasPrefix(s, "''") {
					break
				}
				s = s[1:]
			}
			b.WriteByte(s[0])
		}
		values = append(values, b.String())
		s = strings.TrimPrefix(s, "'")
		s = strings.TrimPrefix(s, ", ")
	}
	return values, strings.TrimPrefix(s, ")")
}

func wantCount(t *testing.T, table *vector.Table, want int) {
	t.Helper()
	if n, err := table.Count(t.Context()); err != nil || n != want {
		t.Errorf("%d rows (%v), want %d", n, err, want)
	}
}
