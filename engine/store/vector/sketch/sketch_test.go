package sketch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func clustered(r *rand.Rand, n int) []api.Vector {
	centres := make([]api.Vector, n/20+1)
	for i := range centres {
		centres[i] = near(r, api.Vector{}, 1)
	}
	out := make([]api.Vector, n)
	for i := range out {
		out[i] = near(r, centres[r.IntN(len(centres))], 0.8)
	}
	return out
}

func near(r *rand.Rand, v api.Vector, distance float64) api.Vector {
	var sum float64
	for i := range v {
		v[i] += float32(r.NormFloat64() * distance / math.Sqrt(api.VectorDim))
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func entries(vectors []api.Vector) []Row {
	out := make([]Row, len(vectors))
	for i := range vectors {
		out[i] = Row{
			ID: fmt.Sprintf("id-%d", i), Path: fmt.Sprintf("dir/file%d.go", i/4), ContentHash: fmt.Sprintf("hash%d", i/4),
			StartLine: i + 1, EndLine: i + 3, Vector: vectors[i],
		}
	}
	return out
}

func create(t *testing.T, dir string, list []Row) *Sketch {
	t.Helper()
	s, err := Create(dir)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() }) // tests of Close check its error
	for part := range slices.Chunk(list, 700) {
		must(t, s.Append(part))
	}
	return s
}

func search(t *testing.T, s *Sketch, v *api.Vector, k int, paths []string) []Hit {
	t.Helper()
	hits, err := s.Search(t.Context(), Query{Vector: *v, K: k, Paths: paths})
	must(t, err)
	return hits
}

func exact(vectors []api.Vector, q *api.Vector, k int) []int {
	score := make([]float64, len(vectors))
	order := make([]int, len(vectors))
	for i := range vectors {
		order[i] = i
		for j, x := range vectors[i] {
			score[i] += float64(x) * float64(q[j])
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return order[:k]
}

// Search finds the ten nearest of 20,000 rows, which are several blocks and take several goroutines.
func TestRecall(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vectors := clustered(r, 20_000)
	s := create(t, filepath.Join(t.TempDir(), "sketch"), entries(vectors))
	found, asked := 0, 0
	for range 50 {
		q := near(r, vectors[r.IntN(len(vectors))], 0.7)
		hits := search(t, s, &q, 10, nil)
		if !slices.IsSortedFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) }) {
			t.Fatalf("not in order: %+v", hits)
		}
		for _, n := range exact(vectors, &q, 10) {
			asked++
			if slices.ContainsFunc(hits, func(h Hit) bool { return h.ID == fmt.Sprintf("id-%d", n) }) {
				found++
			}
		}
	}
	if recall := float64(found) / float64(asked); recall < 0.97 {
		t.Errorf("recall@10 is %.3f, want 0.97", recall)
	}
}

func TestHit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	vectors := clustered(r, 40)
	s := create(t, filepath.Join(t.TempDir(), "sketch"), entries(vectors))
	hits := search(t, s, &vectors[17], 3, nil)
	want := Hit{ID: "id-17", Path: "dir/file4.go", ContentHash: "hash4", StartLine: 18, EndLine: 20, Score: hits[0].Score}
	if hits[0] != want || math.Abs(hits[0].Score-1) > 1e-5 {
		t.Errorf("nearest is %+v, want %+v with score 1", hits[0], want)
	}
	if hits := search(t, s, &vectors[17], 10, []string{"dir/file0.go", "none"}); len(hits) != 4 ||
		hits[0].Path != "dir/file0.go" {
		t.Errorf("in one path: %+v", hits)
	}
	if hits := search(t, s, &vectors[17], 0, nil); len(hits) != 0 {
		t.Errorf("none asked: %+v", hits)
	}
	if hits := search(t, s, &api.Vector{}, 100, nil); len(hits) != 40 {
		t.Errorf("%d hits for the zero vector, want all 40", len(hits))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Search(ctx, Query{Vector: vectors[0], K: 3}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestRemove(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sketch")
	vectors := clustered(rand.New(rand.NewPCG(5, 6)), 5000)
	s := create(t, dir, entries(vectors))
	must(t, s.RemovePaths([]string{"dir/file1000.go", "none"}))
	check := func(s *Sketch) {
		t.Helper()
		if s.Len() != 4996 {
			t.Errorf("%d rows, want 4996", s.Len())
		}
		for _, n := range []int{4000, 4003} {
			if hits := search(t, s, &vectors[n], 5, nil); hits[0].Score > 0.999 {
				t.Errorf("row %d is still found", n)
			}
		}
		if hits := search(t, s, &vectors[10], 1, nil); hits[0].ID != "id-10" {
			t.Errorf("its neighbour went as well: %+v", hits)
		}
	}
	check(s)
	must(t, s.Close())
	if _, err := s.Search(t.Context(), Query{Vector: vectors[0], K: 1}); !errors.Is(err, ErrClosed) {
		t.Errorf("after close: %v", err)
	}
	again, err := Open(dir)
	must(t, err)
	defer again.Close()
	check(again)
}

func TestTornTail(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sketch")
	vectors := clustered(rand.New(rand.NewPCG(7, 8)), 100)
	list := entries(vectors)
	s := create(t, dir, list[:50])
	must(t, s.Close())
	for _, name := range fileNames {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		if _, err := f.WriteString("torn"); err != nil {
			t.Fatal(err)
		}
		must(t, f.Close())
	}
	for range 2 { // before and after the next Append
		s, err := Open(dir)
		must(t, err)
		if s.Len() == 50 {
			err = s.Append(list[50:])
		}
		if err != nil || s.Len() != 100 {
			t.Fatalf("%d rows, %v", s.Len(), err)
		}
		for _, n := range []int{0, 49, 50, 99} {
			if hits := search(t, s, &vectors[n], 1, nil); hits[0].ID != list[n].ID || hits[0].Path != list[n].Path {
				t.Errorf("row %d: found %+v", n, hits[0])
			}
		}
		must(t, s.Close())
	}
}

func TestDamage(t *testing.T) {
	vectors := clustered(rand.New(rand.NewPCG(9, 10)), 100)
	use := func(dir string) error {
		s, err := Open(dir)
		if err != nil {
			return err
		}
		defer s.Close()
		_, err = s.Search(t.Context(), Query{Vector: vectors[3], K: 100})
		return err
	}
	for _, name := range fileNames {
		for what, spoil := range map[string]func(path string, data []byte) error{
			"flipped": func(path string, data []byte) error {
				data[len(data)*2/3] ^= 4
				return os.WriteFile(path, data, 0o600)
			},
			"cut":     func(path string, data []byte) error { return os.Truncate(path, int64(len(data)/3)) },
			"emptied": func(path string, data []byte) error { return os.Truncate(path, 0) },
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "sketch")
				must(t, create(t, dir, entries(vectors)).Close())
				if err := use(dir); err != nil {
					t.Fatal("before: ", err)
				}
				path := filepath.Join(dir, name)
				data, err := os.ReadFile(path)
				must(t, err)
				must(t, spoil(path, data))
				// The sketch of a truncated file bits has fewer rows, which its caller counts.
				if err := use(dir); !errors.Is(err, ErrDamaged) && (name != "bits" || what != "cut") {
					t.Errorf("%v, want ErrDamaged", err)
				}
			})
		}
	}
	if err := use(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no sketch: %v", err)
	}
}

func TestUnfit(t *testing.T) {
	vectors := clustered(rand.New(rand.NewPCG(11, 12)), 2)
	list := entries(vectors)
	list[1].ID = strings.Repeat("x", maxID+1)
	s, err := Create(filepath.Join(t.TempDir(), "sketch"))
	must(t, err)
	defer s.Close()
	if err := s.Append(list); !errors.Is(err, ErrUnfit) || s.Len() != 0 {
		t.Errorf("%v with %d rows, want ErrUnfit and none", err, s.Len())
	}
	list[1].ID, list[1].Path = strings.Repeat("x", maxID), strings.Repeat("päth/", 200)
	must(t, s.Append(list))
	if hits := search(t, s, &list[1].Vector, 1, nil); hits[0].ID != list[1].ID || hits[0].Path != list[1].Path {
		t.Errorf("longest id and a path of 1,200 bytes: %+v", hits[0])
	}
}

// For any file, parsing neither panics nor accepts rows that were not written.
func FuzzParse(f *testing.F) {
	v := near(rand.New(rand.NewPCG(1, 1)), api.Vector{}, 1)
	e := Row{ID: "id", Path: "p", Vector: v, StartLine: 1, EndLine: 2}
	r := newRow(&e)
	f.Add(r.append(nil), appendDetail(nil, &e, 7))
	f.Fuzz(func(t *testing.T, bits, codes []byte) {
		if len(bits) != bitsSize || len(codes) != codesSize {
			return
		}
		was := slices.Clone(bits)
		if r, ok := parseRow(bits); ok && !slices.Equal(r.append(nil), was) {
			t.Errorf("row %x reads as %+v", was, r)
		}
		parseDetail(codes)
	})
}
