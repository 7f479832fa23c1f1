package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"searchmcp/ui/present"
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

// TestActivityIsFiltered: by editor and by project, and what no filter leaves is said.
func TestActivityIsFiltered(t *testing.T) {
	w, _ := newTest(t, busy(), VariantLight)
	w.Go(PageActivity, "")
	a := w.pages[PageActivity].(*activity)
	a.client.choose("Cursor")
	if len(a.calls) != 1 || a.calls[0][0].Query != "how do I run the migrations" {
		t.Errorf("%+v", a.calls)
	}
	a.client.choose("")
	a.project.choose("/home/ada/code/engine")
	if len(a.calls) != 3 {
		t.Errorf("%d requests in one project", len(a.calls))
	}
}

// TestKeepingIsAChoice: the record goes to the disk only when the person says so.
func TestKeepingIsAChoice(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	w.Go(PageActivity, "")
	a := w.pages[PageActivity].(*activity)
	if a.onDisk.Checked || !strings.Contains(a.where.value, "In memory") {
		t.Errorf("%v, %q", a.onDisk.Checked, a.where.value)
	}
	a.onDisk.SetChecked(true)
	if !f.has("set map[activityKept:true]") || !strings.Contains(a.where.value, "file that only you can read") {
		t.Errorf("%q, %q", f.did, a.where.value)
	}
}

// TestOneFilterStandsAtTheEdge: with one editor there is nothing to choose among editors, and no hole where that would
// be.
func TestOneFilterStandsAtTheEdge(t *testing.T) {
	f := busy()
	for i := range f.activity {
		if f.activity[i].Client != "" {
			f.activity[i].Client = "claude-code"
		}
	}
	w, _ := newTest(t, f, VariantLight)
	w.Go(PageActivity, "")
	a := w.pages[PageActivity].(*activity)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject
	if !a.client.Hidden || a.project.Hidden || at(a.project).X != at(a.worth).X {
		t.Errorf("editors hidden %v, projects hidden %v at %v, the line above at %v", a.client.Hidden, a.project.Hidden,
			at(a.project).X, at(a.worth).X)
	}
}

// TestEntriesKeepClearOfTheScrollBar: what came of a request stands beside the list's scroll bar, not under it, and a
// long one is cut before it.
func TestEntriesKeepClearOfTheScrollBar(t *testing.T) {
	newTest(t, busy(), VariantLight)
	r := newCallRow()
	r.set(present.Call{Time: "10:00", Lead: "deprecated flags", Detail: strings.Repeat("a long reason ", 30),
		Result: "10 results"})
	r.Resize(fyne.NewSize(600, callHeight))
	edge := 600 - theme.ScrollBarSize()
	for what, x := range map[string]*text{"result": r.result, "detail": r.detail} {
		if end := x.Position().X + x.Size().Width; end >= edge {
			t.Errorf("the %s ends at %v, the scroll bar begins at %v", what, end, edge)
		}
	}
}
