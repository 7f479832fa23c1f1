package text

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// segmentsKB is how much of an index's segments is in this process's memory.
func segmentsKB(t *testing.T, dir string) (total int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	ours := false
	for line := range strings.Lines(string(text)) {
		if first, _, _ := strings.Cut(line, " "); !strings.HasSuffix(first, ":") { // a mapping begins
			ours = strings.Contains(line, dir) && strings.Contains(line, ".zap")
		}
		kb := 0
		if _, err := fmt.Sscanf(line, "Rss: %d kB", &kb); err == nil && ours {
			total += kb
		}
	}
	return total
}

// Through a link, as a home folder may be reached: what the index read is given back, and is found again.
func TestReleaseGivesSegmentsBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	rows, _ := sources(t, 1<<20)
	x, err := Open(t.Context(), filepath.Join(link, "text"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := x.Apply(t.Context(), Change{Rows: rows}); err != nil {
		t.Fatal(err)
	}
	search := func() int {
		t.Helper()
		hits, err := x.Search(t.Context(), Query{Text: "error", K: len(rows)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return len(hits)
	}
	found := search()
	if kb := segmentsKB(t, filepath.Base(dir)); found == 0 || kb == 0 {
		t.Fatalf("%d hits, %d KB of segments in memory: nothing to give back", found, kb)
	}
	kept := 1
	// a merge behind it reads on for a while
	for end := time.Now().Add(time.Minute); kept != 0 && time.Now().Before(end); {
		if err := x.Release(); err != nil {
			t.Fatal(err)
		}
		kept = segmentsKB(t, filepath.Base(dir))
	}
	if kept != 0 {
		t.Errorf("%d KB of segments in memory after Release", kept)
	}
	if again := search(); again != found {
		t.Errorf("%d hits before, %d after Release", found, again)
	}
}
