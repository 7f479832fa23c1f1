package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func openPrints(tb testing.TB, dir string) (*Fingerprints, Loaded) {
	tb.Helper()
	f, l, err := OpenFingerprints(dir, "fingerprints.json")
	must(tb, err)
	tb.Cleanup(func() { must(tb, f.Close()) })
	return f, l
}

func hash(n byte) Hash { return Hash{n, 31: n} }

func mustAppend(tb testing.TB, f *Fingerprints, set map[string]Hash, del ...string) {
	tb.Helper()
	must(tb, f.Append(set, del))
}

func TestFingerprints(t *testing.T) {
	dir := t.TempDir()
	f, l := openPrints(t, dir)
	if len(l.Hashes) != 0 {
		t.Fatal(l)
	}
	mustAppend(t, f, map[string]Hash{"src/a.go": hash(1), "b \"quoted\" ü.go": hash(2)})
	mustAppend(t, f, map[string]Hash{"src/a.go": hash(3), "c.go": hash(4)})
	mustAppend(t, f, nil, "c.go")
	want := map[string]Hash{"src/a.go": hash(3), "b \"quoted\" ü.go": hash(2)}
	_, l = openPrints(t, dir)
	if d := cmp.Diff(want, l.Hashes); d != "" || l.Torn || l.Corrupt {
		t.Errorf("from the journal: %s, %+v", d, l)
	}

	must(t, f.Checkpoint(want))
	wantEqual(t, f.JournalSize(), 0, "the journal was not emptied: journalsize")
	text, err := os.ReadFile(filepath.Join(dir, "fingerprints.json"))
	must(t, err)
	var plain map[string]string
	if err := json.Unmarshal(text, &plain); err != nil || len(plain) != 2 || plain["src/a.go"] != hash(3).String() {
		t.Errorf("%v: %s", err, text)
	}
	mustAppend(t, f, map[string]Hash{"d.go": hash(5)})
	_, l = openPrints(t, dir)
	want["d.go"] = hash(5)
	wantEqual(t, l.Hashes, want, "hashes")
	if runtime.GOOS != "windows" {
		for _, name := range []string{"fingerprints.json", "fingerprints.journal"} {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", name, info.Mode(), err)
			}
		}
	}
}

// A journal truncated anywhere provides the complete commits and accepts new commits.
func TestJournalTorn(t *testing.T) {
	dir := t.TempDir()
	f, _ := openPrints(t, dir)
	var ends []int64
	for i := range 5 {
		mustAppend(t, f, map[string]Hash{fmt.Sprintf("f%d", i): hash(byte(i))})
		ends = append(ends, f.JournalSize())
	}
	path := filepath.Join(dir, "fingerprints.journal")
	whole, err := os.ReadFile(path)
	must(t, err)
	for at := range whole {
		must(t, os.WriteFile(path, whole[:at], 0o600))
		want := 0
		for want < len(ends) && ends[want] <= int64(at) {
			want++
		}
		g, l := openPrints(t, dir)
		if len(l.Hashes) != want || l.Corrupt || l.Torn != (want == 0 && at > 0 || want > 0 && int64(at) > ends[want-1]) {
			t.Fatalf("cut at %d: %d of %d entries, %+v", at, len(l.Hashes), want, l)
		}
		mustAppend(t, g, map[string]Hash{"after": hash(9)})
		if _, l := openPrints(t, dir); len(l.Hashes) != want+1 || l.Torn {
			t.Fatalf("cut at %d: %d entries after a further commit, want %d", at, len(l.Hashes), want+1)
		}
	}
}

// A damaged record inside the journal is detected, and later records are still applied.
func TestJournalDoubtful(t *testing.T) {
	dir := t.TempDir()
	f, _ := openPrints(t, dir)
	mustAppend(t, f, map[string]Hash{"a": hash(1)})
	middle := f.JournalSize() + 20
	mustAppend(t, f, map[string]Hash{"b": hash(2)})
	mustAppend(t, f, map[string]Hash{"c": hash(3)})
	path := filepath.Join(dir, "fingerprints.journal")
	data, err := os.ReadFile(path)
	must(t, err)
	data[middle] ^= 1
	must(t, os.WriteFile(path, data, 0o600))
	_, l := openPrints(t, dir)
	if d := cmp.Diff(map[string]Hash{"a": hash(1), "c": hash(3)}, l.Hashes); d != "" || !l.Corrupt {
		t.Errorf("%s %+v", d, l)
	}
}

// For any content of the two files, OpenFingerprints returns entries or ErrDamaged.
func FuzzFingerprints(f *testing.F) {
	line, err := encodeRecord(record{Set: map[string]string{"a": hash(1).String()}, Del: []string{"b"}})
	must(f, err)
	f.Add([]byte(`{"a": "`+hash(1).String()+`", "b": 5}`), append(line, line[:10]...))
	f.Add([]byte("{"), []byte("\n\n"))
	f.Fuzz(func(t *testing.T, fingerprints, journal []byte) {
		dir := t.TempDir()
		must(t, errors.Join(os.WriteFile(filepath.Join(dir, "fingerprints.json"), fingerprints, 0o600),
			os.WriteFile(filepath.Join(dir, "fingerprints.journal"), journal, 0o600)))
		g, _, err := OpenFingerprints(dir, "fingerprints.json")
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		defer g.Close()
		must(t, g.Append(map[string]Hash{"new": hash(7)}, nil))
		h, l, err := OpenFingerprints(dir, "fingerprints.json")
		if err != nil || l.Hashes["new"] != hash(7) || l.Torn {
			t.Fatalf("%v, %+v", err, l)
		}
		must(t, h.Close())
	})
}

type full struct {
	w io.Writer
	n *int
}

func (f full) Write(b []byte) (int, error) {
	n := min(len(b), *f.n)
	*f.n -= n
	if _, err := f.w.Write(b[:n]); err != nil {
		return 0, err
	}
	if n < len(b) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func fillDisk(t *testing.T, room int) {
	t.Helper()
	old := faultWriter
	faultWriter = func(f *os.File) io.Writer { return full{f, &room} }
	t.Cleanup(func() { faultWriter = old })
}

// A full disk leaves the old content and no temporary files. When the disk has space again, the journal accepts
// commits.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	f, _ := openPrints(t, dir)
	mustAppend(t, f, map[string]Hash{"a": hash(1)})
	path := filepath.Join(dir, "x.json")
	must(t, WriteFile(path, []byte("old")))
	t.Run("full", func(t *testing.T) {
		fillDisk(t, 30)
		if err := f.Append(map[string]Hash{"b": hash(2)}, nil); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("append: %v", err)
		}
		if err := WriteFile(path, bytes.Repeat([]byte("new"), 100)); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("write: %v", err)
		}
		if err := f.Checkpoint(map[string]Hash{"a": hash(1)}); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("fold: %v", err)
		}
	})
	if data, err := os.ReadFile(path); err != nil || string(data) != "old" {
		t.Errorf("%q, %v", data, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%d files are left (%v), want 2", len(entries), err)
	}
	mustAppend(t, f, map[string]Hash{"c": hash(3)})
	_, l := openPrints(t, dir)
	if d := cmp.Diff(map[string]Hash{"a": hash(1), "c": hash(3)}, l.Hashes); d != "" || l.Torn || l.Corrupt {
		t.Errorf("%s %+v", d, l)
	}
}

func TestStamps(t *testing.T) {
	path := filepath.Join(t.TempDir(), StampsName)
	now := time.Unix(1700000000, 123)
	want := map[string]CheckedStamp{
		"a.go":     {Stamp{Size: 1 << 40, ModTime: now, Inode: 1<<64 - 1}, now.Add(time.Hour)},
		"dir/ü.go": {Stamp{ModTime: time.Unix(-5, 0)}, time.Unix(0, 1)},
	}
	must(t, WriteStamps(path, want))
	got, err := ReadStamps(path)
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	data, err := os.ReadFile(path)
	must(t, err)
	for at := range data {
		spoiled := bytes.Clone(data)
		spoiled[at] ^= 4
		must(t, os.WriteFile(path, spoiled, 0o600))
		if got, err := ReadStamps(path); !errors.Is(err, ErrDamaged) || len(got) != 0 {
			t.Fatalf("byte %d flipped: %v, %d entries", at, err, len(got))
		}
	}
}
