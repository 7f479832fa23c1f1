package memory

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// mappedKB is how much of a mapped file is in this process's memory.
func mappedKB(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	total, ours := 0, false
	for line := range strings.Lines(string(text)) {
		if first, _, _ := strings.Cut(line, " "); !strings.HasSuffix(first, ":") { // a mapping begins
			ours = strings.HasSuffix(line, " "+path+"\n")
		}
		kb := 0
		if _, err := fmt.Sscanf(line, "Rss: %d kB", &kb); err == nil && ours {
			total += kb
		}
	}
	return total
}

// mappable writes a file of size bytes that can be mapped, and returns it open with what it holds.
func mappable(t *testing.T, size int) (f *os.File, content []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mapped")
	content = bytes.Repeat([]byte("0123456789abcdef"), size/16)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, content
}

// Pages that are the file's go and come back as they were; a page that was written to stays.
func TestReleaseDropsOnlyWhatTheFileHas(t *testing.T) {
	const size = 1 << 20
	f, content := mappable(t, size)
	path := f.Name()
	code, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE) // as code is
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(code)
	if !bytes.Equal(code, content) { // brings every page in
		t.Fatal("mapped otherwise than written")
	}
	if kb := mappedKB(t, path); kb < size>>10 {
		t.Fatalf("%d KB of the mapping in memory after all of it was read", kb)
	}
	if err := Release(); err != nil {
		t.Fatal(err)
	}
	if kb := mappedKB(t, path); kb != 0 {
		t.Errorf("%d KB of the mapping in memory after Release", kb)
	}
	if !bytes.Equal(code, content) {
		t.Error("other content after Release")
	}

	// As the linker leaves the relocated parts of a library: written, then read-only.
	private, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(private)
	private[size/2] = '!'
	if err := unix.Mprotect(private, unix.PROT_READ); err != nil {
		t.Fatal(err)
	}
	if err := Release(); err != nil {
		t.Fatal(err)
	}
	if private[size/2] != '!' {
		t.Error("Release threw a written page away")
	}
}

// Files that are mapped as a whole go from memory and come back; what is mapped privately is nobody's but its owner's.
func TestDropFiles(t *testing.T) {
	const size = 1 << 20
	for flags, kept := range map[int]int{unix.MAP_SHARED: 0, unix.MAP_PRIVATE: size >> 10} {
		f, content := mappable(t, size)
		path := f.Name()
		mapped, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, flags)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Munmap(mapped)
		if !bytes.Equal(mapped, content) { // brings every page in
			t.Fatal("mapped otherwise than written")
		}
		if err := EvictFiles(map[string]bool{path: true}); err != nil {
			t.Fatal(err)
		}
		if kb := mappedKB(t, path); kb != kept {
			t.Errorf("flags %d: %d KB of the mapping in memory after EvictFiles, not %d", flags, kb, kept)
		}
		if !bytes.Equal(mapped, content) {
			t.Errorf("flags %d: other content after EvictFiles", flags)
		}
	}
}
