package ui

import (
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// newTest makes a window with an app behind it; everything happens on the test's goroutine.
func newTest(t *testing.T, f *fake, v Variant) (*Window, *desk) {
	t.Helper()
	return newTestIn(t, f, v, translations.English)
}

// newTestIn is newTest in a language.
func newTestIn(t *testing.T, f *fake, v Variant, l translations.Language) (*Window, *desk) {
	t.Helper()
	a := test.NewTempApp(t)
	a.Preferences().SetString(prefTheme, string(v))
	a.Preferences().SetBool(prefClosed, true)
	d := &desk{
		recent: []Recent{{"/home/ada/code/shop", "VS Code"},
			{"/home/ada/clients/a-company-with-a-rather-long-name/2026/repositories/portal", "Claude Code"}},
		editors: []Editor{
			{ID: "claude-code", Name: "Claude Code", State: EditorConnected, File: "/home/ada/.claude.json"},
			{ID: "cursor", Name: "Cursor", State: EditorFree, File: "/home/ada/.cursor/mcp.json"},
			{ID: "vscode", Name: "VS Code", State: EditorOutdated, File: "/home/ada/.config/Code/User/mcp.json",
				Command: "/home/ada/Downloads/search-mcp/search-mcp"},
			{ID: "zed", Name: "Zed", State: EditorBlocked, File: "/home/ada/.config/zed/settings.json",
				Problem: "The settings of Zed can't be read: line 12 has no closing quote."},
			{ID: "goose", Name: "Goose", State: EditorMissing}, {ID: "amp", Name: "Amp", State: EditorMissing},
		},
	}
	w := New(Options{App: a, Desktop: d, Version: "1.0.0", Now: func() time.Time { return now }, Language: l,
		Home: "/home/ada", Inline: true})
	t.Cleanup(w.Close)
	w.Win().Show()
	size(w, 900, 600)
	if f != nil {
		w.Connected(f)
	}
	return w, d
}

func size(w *Window, width, height float32) { w.Win().Resize(fyne.NewSize(width, height)) }

// find returns the visible buttons with a text, those of the topmost overlay only if there is one.
func find(w *Window, label present.Text) *button {
	root := w.Win().Content()
	if top := w.Win().Canvas().Overlays().Top(); top != nil {
		root = top
	}
	for _, o := range slices.Backward(test.LaidOutObjects(root)) {
		if b, ok := o.(*button); ok && b.Text == tr(label) && b.Visible() {
			return b
		}
	}
	return nil
}

// read lets the time pass in which a question takes no answer.
func read(w *Window) {
	if w.asking.popup != nil {
		at := w.now().Add(deadTime)
		w.now = func() time.Time { return at }
	}
}

func press(t *testing.T, w *Window, label present.Text) {
	t.Helper()
	read(w)
	b := find(w, label)
	if b == nil {
		t.Fatalf("no button %q", label)
	}
	test.Tap(b)
}

func (f *fake) has(what string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Contains(f.did, what)
}

// TestQuestionBeforeTheList: a window that is still connecting hears of the last of several questions; the first one comes first.
func TestQuestionBeforeTheList(t *testing.T) {
	first := question("1", api.ActionCreate, "/home/ada/barn", "barn", "Zed")
	last := question("2", api.ActionCreate, "/home/ada/yard", "yard", "Zed")
	last.Asked = first.Asked.Add(time.Second)
	f := busy()
	f.status.Open = []api.Question{first, last}
	w, _ := newTest(t, nil, VariantLight)
	ask(w, last)
	if w.asking.popup != nil {
		t.Error("a question stands there before the list is known")
	}
	w.Connected(f)
	if w.asking.shown != first.ID {
		t.Errorf("%q stands there, not %q", w.asking.shown, first.ID)
	}
}
