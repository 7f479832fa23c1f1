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
		t.Cleanup(func() { _ = p.close() })
		return p
	}
	p := begin()
	p.busy("fine.go", "aaaa")()
	p.busy("bad.go", "bbbb")                                        // the process ends here
	first, second := p.busy("a.go", "cccc"), p.busy("b.go", "dddd") // side by side, in slots of their own
	first()
	p.busy("c.go", "eeee")()
	second()
	if p = begin(); p.skipped("aaaa") || p.skipped("bbbb") {
		t.Fatal("skipped after one death, which a person may have caused")
	}
	p.busy("bad.go", "bbbb") // and here again
	if p = begin(); p.skipped("aaaa") || p.skipped("cccc") || p.skipped("dddd") || p.skipped("eeee") || !p.skipped("bbbb") {
		t.Fatal("the content that the process died in twice is parsed again")
	}
	if p = begin(); !p.skipped("bbbb") {
		t.Fatal("forgotten by the next start")
	}
	left, err := os.ReadFile(filepath.Join(dir, runningFile))
	if err != nil || len(left) != 0 {
		t.Fatalf("left behind: %q, %v", left, err)
	}
}
