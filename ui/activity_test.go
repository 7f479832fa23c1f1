package ui

import (
	"strings"
	"testing"
)

func TestActivityCanBeSwitchedOff(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	w.Go(PageActivity, "")
	a := w.pages[PageActivity].(*activity)
	if len(a.calls) != 5 { // two routine ones are one
		t.Fatalf("%d requests", len(a.calls))
	}
	a.tabs.choose(viewIndexing)
	if len(a.calls) != 2 {
		t.Errorf("%d happenings", len(a.calls))
	}
	f.activity = nil // the app forgets
	a.keeping.SetChecked(false)
	if !f.has("set map[activity:false]") ||
		!strings.Contains(strings.Join(words(w), "\n"), "Recording is off.") {
		t.Errorf("did %q", f.did)
	}
}
