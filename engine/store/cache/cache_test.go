package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"searchmcp/engine/api"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func openTest(tb testing.TB, dir string, most int64) *Cache {
	tb.Helper()
	c, err := Open(dir, Options{MaxBytes: most})
	must(tb, err)
	tb.Cleanup(func() { must(tb, c.Close()) })
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
	must(tb, c.Put(tb.Context(), "m", in, v))
}

func known(tb testing.TB, c *Cache, from, to int) int {
	tb.Helper()
	in, want := inputs(from, to)
	got, err := c.Get(tb.Context(), "m", in)
	must(tb, err)
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
	mustPut(t, c, 20, 40)
	if _, most, err := c.numbers(); most != 40 || err != nil {
		t.Errorf("%d rows, %v, want 40: known ones are not written again", most, err)
	}
	if n := known(t, c, 0, 50); n != 40 {
		t.Errorf("%d known, want 40", n)
	}
	if got, err := c.Get(t.Context(), "other", []string{"input 1"}); err != nil || len(got) != 0 {
		t.Errorf("another model: %d, %v", len(got), err)
	}
	must(t, c.Close())
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

func TestEvictionKeepsUsedEntries(t *testing.T) {
	const most = 256 << 10 // about 140 vectors
	dir := t.TempDir()
	c := openTest(t, dir, most)
	mustPut(t, c, 0, 60)
	for i := 60; i < 600; i += 5 {
		mustPut(t, c, i, i+5)
		if n := known(t, c, 0, 3); n != 3 {
			t.Fatalf("after %d: %d of the three in use are left", i, n)
		}
	}
	if used, err := c.used(); used > most || used < most/2 || err != nil {
		t.Errorf("%d bytes, %v, limit %d", used, err, most)
	}
	if n := known(t, c, 10, 60); n != 0 {
		t.Errorf("%d old ones are left", n)
	}
	if n := known(t, c, 590, 600); n != 10 {
		t.Errorf("%d of the newest ten are left", n)
	}
	must(t, c.Close())
	c = openTest(t, dir, most/2)
	if n := known(t, c, 500, 510); n != 10 {
		t.Errorf("%d of ten old ones are left before that", n)
	}
	c.Shrink(t.Context())
	if n := known(t, c, 590, 600); n != 10 {
		t.Errorf("%d of the newest ten are left", n)
	}
	must(t, c.Close())
	if info, err := os.Stat(c.path); err != nil || info.Size() > most/2 {
		t.Errorf("%d bytes on disk, %v", info.Size(), err)
	}
}

func TestDamage(t *testing.T) {
	for name, tc := range map[string]struct {
		spoil func(data []byte) []byte
		want  int // minimum
	}{
		"nothing":       {func(b []byte) []byte { return b }, 35},
		"flipped bit":   {func(b []byte) []byte { b[bytes.LastIndex(b, record(7))+100] ^= 1; return b }, 34},
		"header gone":   {func(b []byte) []byte { return append([]byte("no database"), b[11:]...) }, 0},
		"cut":           {func(b []byte) []byte { return b[:len(b)/2] }, 0},
		"nothing left":  {func([]byte) []byte { return nil }, 0},
		"pages of ones": {func(b []byte) []byte { copy(b[8192:], bytes.Repeat([]byte{0xff}, 3*8192)); return b }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c := openTest(t, dir, 0)
			mustPut(t, c, 0, 35)
			must(t, c.Close())
			data, err := os.ReadFile(c.path)
			must(t, err)
			must(t, os.WriteFile(c.path, tc.spoil(data), 0o600))
			c = openTest(t, dir, 0)
			if n := known(t, c, 0, 35); n < tc.want {
				t.Errorf("%d are left, want %d", n, tc.want)
			}
			mustPut(t, c, 0, 45)
			mustPut(t, c, 0, 45) // the first attempt may have failed because of the damage
			if n := known(t, c, 0, 45); n != 45 {
				t.Errorf("%d after putting them again, want 45", n)
			}
		})
	}
}

func record(i int) (b []byte) {
	_, v := inputs(i, i+1)
	for _, x := range v[0][:3] {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func TestManyAtOnce(t *testing.T) {
	c := openTest(t, t.TempDir(), 128<<10)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 50 {
				in, v := inputs(g*1000+i*3, g*1000+i*3+3)
				if err := c.Put(t.Context(), "m", in, v); err != nil {
					t.Error(err)
					return
				}
				known(t, c, max(0, g*1000+i*3-20), g*1000+i*3+3)
			}
		})
	}
	wg.Wait()
}

func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "vectors.db"), 0o700))
	c := openTest(t, dir, 0)
	if _, err := c.Get(t.Context(), "model", []string{"text"}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}
