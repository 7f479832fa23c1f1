package engine

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
)

// begun opens the marker of parsers after a run that ended as c says.
func begun(t *testing.T, dir string, c crash) *parsing {
	t.Helper()
	p, err := openParsing(dir, c, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.close() })
	return p
}

var (
	silent     = crash{}
	inParser   = crash{died: true, parser: true}
	inTheModel = crash{died: true, model: true}
)

func TestParsingRemembersWhatItDiedIn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "parsing")
	p := begun(t, dir, silent)
	p.busy("fine.go", "aaaa")()
	p.busy("bad.go", "bbbb")                                        // the process ends here
	first, second := p.busy("a.go", "cccc"), p.busy("b.go", "dddd") // side by side, in slots of their own
	first()
	p.busy("c.go", "eeee")()
	second()
	if p = begun(t, dir, inParser); p.skipped("aaaa") || p.skipped("bbbb") {
		t.Fatal("skipped after one crash, when several were parsed at once")
	}
	p.busy("bad.go", "bbbb") // and here again
	if p = begun(t, dir, inParser); p.skipped("aaaa") || p.skipped("cccc") || p.skipped("dddd") || p.skipped("eeee") || !p.skipped("bbbb") {
		t.Fatal("the content that the process crashed in twice is parsed again")
	}
	if p = begun(t, dir, inParser); !p.skipped("bbbb") {
		t.Fatal("forgotten by the next start")
	}
	left, err := os.ReadFile(filepath.Join(dir, runningFile))
	if err != nil || len(left) != 0 {
		t.Fatalf("left behind: %q, %v", left, err)
	}
}

// A run may end for other reasons while something is parsed.
func TestParsingSuspects(t *testing.T) {
	for _, tc := range []struct {
		name    string
		ends    []crash
		parsed  int // the content is parsed well before this end; -1: never
		skipped bool
	}{
		{"killed four times", []crash{silent, silent, silent, silent}, -1, false},
		{"killed again and again", []crash{silent, silent, silent, silent, silent}, -1, true},
		{"killed five times, once it went well", []crash{silent, silent, silent, silent, silent}, 3, false},
		{"crashed twice, once it went well", []crash{inParser, inParser}, 1, false},
		{"crashed elsewhere", []crash{inTheModel, inTheModel, inTheModel}, -1, false},
		{"crashed and killed", []crash{inParser, silent, silent}, -1, true},
	} {
		dir := filepath.Join(t.TempDir(), "parsing")
		p := begun(t, dir, silent)
		for i, end := range tc.ends {
			done := p.busy("x.go", "ffff")
			if i == tc.parsed {
				done()
				p.busy("x.go", "ffff")
			}
			p = begun(t, dir, end)
		}
		if got := p.skipped("ffff"); got != tc.skipped {
			t.Errorf("%s: skipped %v", tc.name, got)
		}
	}
}
