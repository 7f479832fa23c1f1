package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"searchmcp/engine/api"
)

// small makes segments of ten vectors.
const small = headerSize + 10*recordSize

func openTest(tb testing.TB, dir string, max int64) *Cache {
	tb.Helper()
	c, err := Open(dir, Options{MaxBytes: max, SegmentBytes: small})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Error(err)
		}
	})
	return c
}

func inputs(from, to int) (in []string, vectors []api.Vector) {
	for i := from; i < to; i++ {
		in = append(in, fmt.Sprint("input ", i))
		vectors = append(vectors, api.Vector{float32(i), float32(-i), 0.1})
	}
	return in, vectors
}

func mustPut(tb testing.TB, c *Cache, from, to int) {
	tb.Helper()
	in, v := inputs(from, to)
	if err := c.Put(tb.Context(), "m", in, v); err != nil {
		tb.Fatal(err)
	}
}

// known returns how many of the inputs are there; each must have its own vector.
func known(tb testing.TB, c *Cache, from, to int) int {
	tb.Helper()
	in, want := inputs(from, to)
	got, err := c.Get(tb.Context(), "m", in)
	if err != nil {
		tb.Fatal(err)
	}
	for i, v := range got {
		if v != want[i] {
			tb.Errorf("input %d has the vector of another", from+i)
		}
	}
	return len(got)
}

func TestPutGet(t *testing.T) {
	dir := t.TempDir()
	c := openTest(t, dir, 0)
	mustPut(t, c, 0, 35)
	mustPut(t, c, 20, 40) // half of them known
	if n := c.Stats().Vectors; n != 40 {
		t.Errorf("%d records, want 40: known ones are not written again", n)
	}
	if n := known(t, c, 0, 50); n != 40 {
		t.Errorf("%d known, want 40", n)
	}
	if got, err := c.Get(t.Context(), "other", []string{"input 1"}); err != nil || len(got) != 0 {
		t.Errorf("another model: %d, %v", len(got), err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get(t.Context(), "m", []string{"input 1"}); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	c = openTest(t, dir, 0)
	if n := known(t, c, 0, 50); n != 40 {
		t.Errorf("%d known after reopening, want 40", n)
	}
	mustPut(t, c, 40, 50)
	if n := known(t, c, 0, 50); n != 50 {
		t.Errorf("%d known, want 50", n)
	}
}

func TestEvictionKeepsWhatIsUsed(t *testing.T) {
	c := openTest(t, t.TempDir(), 8*small)
	mustPut(t, c, 0, 60)
	for i := 60; i < 300; i += 5 {
		mustPut(t, c, i, i+5)
		if n := known(t, c, 0, 3); n != 3 {
			t.Fatalf("after %d: %d of the three in use are left", i, n)
		}
	}
	if st := c.Stats(); st.Bytes > 8*small {
		t.Errorf("%d bytes, limit %d", st.Bytes, 8*small)
	}
	if n := known(t, c, 10, 60); n != 0 {
		t.Errorf("%d old ones are left", n)
	}
	if n := known(t, c, 290, 300); n != 10 {
		t.Errorf("%d of the newest ten are left", n)
	}
}

func TestDamage(t *testing.T) {
	segments := func(dir string) []string {
		found, err := filepath.Glob(filepath.Join(dir, "*"+segmentExt))
		if err != nil || len(found) < 3 {
			t.Fatal(len(found), err)
		}
		return found
	}
	edit := func(path string, change func([]byte) []byte) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, change(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		spoil func(dir string)
		want  int
	}{
		"torn record": {func(dir string) {
			s := segments(dir)
			edit(s[len(s)-1], func(b []byte) []byte { return b[:len(b)-100] })
		}, 34},
		"flipped bit": {func(dir string) {
			edit(segments(dir)[0], func(b []byte) []byte { b[headerSize+keySize+5] ^= 1; return b })
		}, 34},
		"header gone": {func(dir string) {
			edit(segments(dir)[1], func(b []byte) []byte { b[0] = 'x'; return b })
		}, 25},
		"segment cut to nothing": {func(dir string) {
			edit(segments(dir)[1], func([]byte) []byte { return nil })
		}, 25},
		"index damaged": {func(dir string) {
			edit(segmentPath(dir, 1, indexExt), func(b []byte) []byte { b[40] ^= 1; return b })
		}, 35},
		"index missing": {func(dir string) {
			if err := os.Remove(segmentPath(dir, 1, indexExt)); err != nil {
				t.Fatal(err)
			}
		}, 35},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c := openTest(t, dir, 0)
			mustPut(t, c, 0, 35)
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			tc.spoil(dir)
			c = openTest(t, dir, 0)
			if n := known(t, c, 0, 35); n != tc.want {
				t.Errorf("%d are left, want %d", n, tc.want)
			}
			mustPut(t, c, 0, 45)
			want := 45
			if name == "flipped bit" {
				want = 44 // its key is known to a sealed segment, so it is made again each time
			}
			if n := known(t, c, 0, 45); n != want {
				t.Errorf("%d after putting them again, want %d", n, want)
			}
		})
	}
}

func TestManyAtOnce(t *testing.T) {
	c := openTest(t, t.TempDir(), 6*small)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 50 {
				in, v := inputs(g*1000+i*3, g*1000+i*3+3)
				if err := c.Put(t.Context(), "m", in, v); err != nil {
					t.Error(err)
					return
				}
				known(t, c, max(0, g*1000+i*3-20), g*1000+i*3+3)
			}
		}()
	}
	wg.Wait()
}

func BenchmarkGet(b *testing.B) {
	c, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	in, v := inputs(0, 50_000)
	if err := c.Put(b.Context(), "m", in, v); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if got, err := c.Get(b.Context(), "m", in); err != nil || len(got) != len(in) {
			b.Fatal(len(got), err)
		}
	}
	b.ReportMetric(float64(b.N*len(in))/b.Elapsed().Seconds(), "vectors/s")
}
