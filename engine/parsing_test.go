package engine

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
)

func TestParsingRemembersWhatItDiedIn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "parsing")
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	begin := func() *parsing {
		t.Helper()
		p, err := openParsing(dir, log)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := begin()
	p.busy("fine.go", "aaaa")()
	p.busy("bad.go", "bbbb") // the process ends here
	if p = begin(); p.skipped("aaaa") || p.skipped("bbbb") {
		t.Fatal("skipped after one death, which a person may have caused")
	}
	p.busy("bad.go", "bbbb") // and here again
	if p = begin(); p.skipped("aaaa") || !p.skipped("bbbb") {
		t.Fatal("the content that the process died in twice is parsed again")
	}
	if p = begin(); !p.skipped("bbbb") {
		t.Fatal("forgotten by the next start")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("left behind: %v, %v", entries, err)
	}
}
