package ui

import (
	"slices"
	"strings"
	"testing"
)

func TestConnectingAnEditor(t *testing.T) {
	w, d := newTest(t, busy(), VariantLight)
	w.Go(PageEditors, "")
	press(t, w, "Connect…")
	if len(d.applied) != 0 {
		t.Fatal("written before the person agreed")
	}
	if got := focused(w); got != "Connect" {
		t.Errorf("%q has the keyboard", got)
	}
	press(t, w, "Connect")
	if !slices.Equal(d.applied, []string{"cursor"}) || w.sheet == nil || w.sheet.title != "Cursor is connected" {
		t.Errorf("applied %q, sheet %+v", d.applied, w.sheet)
	}
	press(t, w, "Done")
	if find(w, "Connect…") != nil {
		t.Error("Cursor can be connected twice")
	}
	press(t, w, "Show paragraph…")
	press(t, w, "Add paragraph")
	if !d.noted {
		t.Error("the paragraph was not written")
	}
	press(t, w, "Show paragraph…")
	press(t, w, "Take out")
	if d.noted {
		t.Error("the paragraph is still there")
	}
}

// TestTheStepAfterTheFirstProject: as long as no editor is connected, the list says what comes next.
func TestTheStepAfterTheFirstProject(t *testing.T) {
	w, d := newTest(t, many(1), VariantLight)
	if w.pages[PageProjects].(*projects).next.Visible() {
		t.Fatal("offered although one is connected")
	}
	for i := range d.editors {
		d.editors[i].State = EditorFree
	}
	w.Go(PageProjects, "")
	press(t, w, "Connect an editor…")
	if w.current != PageEditors {
		t.Errorf("on %s", w.current)
	}
}

func TestFirstProjectFromAnEditorsFolder(t *testing.T) {
	f := many(0)
	w, _ := newTest(t, f, VariantLight)
	press(t, w, "Add…")
	press(t, w, "Index folder")
	if !slices.ContainsFunc(f.did, func(s string) bool { return strings.HasPrefix(s, "create /home/ada/c") }) {
		t.Errorf("did %q", f.did)
	}
}
