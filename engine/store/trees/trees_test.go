package trees

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

func hash(n int) string { return fmt.Sprintf("%016x%048d", n+1, 0) }

func item(path string, n int) Item {
	return Item{Path: path, Hash: hash(n), Tree: bytes.Repeat([]byte{byte(n), 1, 2, 3}, 100+n)}
}

func put(t *testing.T, s *Store, items ...Item) {
	t.Helper()
	if err := s.Put(items); err != nil {
		t.Fatal(err)
	}
}

func has(t *testing.T, s *Store, it Item, want bool) {
	t.Helper()
	got, ok := s.Get(it.Path, it.Hash)
	if ok != want || ok && !bytes.Equal(got, it.Tree) {
		t.Errorf("%s: %v, %d bytes; want %v", it.Path, ok, len(got), want)
	}
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	s := New(dir, "1")
	a, b, newer := item("a.go", 1), item("b.go", 2), item("a.go", 3)
	put(t, s, a, b, Item{Path: "none.go", Hash: hash(9)})
	has(t, s, a, true)
	put(t, s, newer)
	has(t, s, a, false)
	has(t, s, newer, true)
	if err := s.Remove([]string{"b.go", "unknown.go"}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // also when it is opened again
		has(t, s, newer, true)
		has(t, s, b, false)
		if s.Known("none.go") || !s.Known("a.go") {
			t.Error("what is known")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		has(t, s, newer, false)
		s = New(dir, "1")
	}
	if s = New(dir, "2"); s.Known("a.go") {
		t.Error("trees of another version")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// What a crash leaves at the end is dropped, and what came before it stays; a tree whose bytes have changed is not
// there.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	s := New(dir, "1")
	a, b := item("a.go", 1), item("b.go", 2)
	put(t, s, a)
	size := s.size
	put(t, s, b)
	end := s.size
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, fileName)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for cut := size; cut < end; cut += 7 {
		if err := os.WriteFile(name, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		s := New(dir, "1")
		has(t, s, a, true)
		has(t, s, b, false)
		put(t, s, b)
		has(t, s, b, true)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for at := range whole {
		bad := bytes.Clone(whole)
		bad[at] ^= 0x10
		if err := os.WriteFile(name, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		s := New(dir, "1")
		for _, it := range []Item{a, b} {
			if got, ok := s.Get(it.Path, it.Hash); ok && !bytes.Equal(got, it.Tree) {
				t.Fatalf("a flipped bit at %d gives another tree", at)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A file that is mostly out of date is written anew, and so is one that is purged.
func TestRewrite(t *testing.T) {
	dir := t.TempDir()
	s := New(dir, "1")
	noise := make([]byte, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	keep := item("keep.go", 1)
	put(t, s, keep)
	most := int64(0)
	for n := range 40 {
		noise[0] = byte(n)
		put(t, s, Item{Path: "a.go", Hash: hash(100 + n), Tree: noise})
		info, err := os.Stat(s.path())
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, info.Size())
	}
	if most > 3*deadBytes {
		t.Errorf("it grew to %d bytes", most)
	}
	has(t, s, keep, true)
	has(t, s, Item{Path: "a.go", Hash: hash(139), Tree: noise}, true)
	if err := s.Retain([]string{"keep.go"}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.path())
	if err != nil || info.Size() > 1000 {
		t.Errorf("%d bytes after it was purged, %v", info.Size(), err)
	}
	has(t, s, keep, true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// Nobody asks for a while: the file is closed, and opened by the next question.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(t.TempDir(), "1")
		a := item("a.go", 1)
		put(t, s, a)
		time.Sleep(2 * unused)
		synctest.Wait()
		if s.file != nil || s.entries != nil {
			t.Error("still open")
		}
		has(t, s, a, true)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}
