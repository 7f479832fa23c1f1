package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func ask(w *Window, q api.Question) { w.Event(api.Event{Kind: api.EventQuestion, Question: &q}) }

func focused(w *Window) string {
	c := w.Win.Canvas()
	if b, ok := c.Focused().(*widget.Button); ok {
		return b.Text
	}
	return fmt.Sprintf("%T", c.Focused())
}

func key(w *Window, name fyne.KeyName) {
	read(w)
	w.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
}

func keys(w *Window, names ...fyne.KeyName) {
	c := w.Win.Canvas()
	for _, name := range names {
		e := &fyne.KeyEvent{Name: name}
		if f := c.Focused(); f != nil {
			f.TypedKey(e)
		} else {
			c.OnTypedKey()(e)
		}
		if len(name) != 1 && name != fyne.KeySpace {
			continue
		}
		r := []rune(strings.ToLower(strings.Replace(string(name), "Space", " ", 1)))[0]
		if f := c.Focused(); f != nil {
			f.TypedRune(r)
		} else if c.OnTypedRune() != nil {
			c.OnTypedRune()(r)
		}
	}
}

func TestTypingAnswersNoQuestion(t *testing.T) {
	for _, action := range []api.Action{api.ActionCreate, api.ActionReindex, api.ActionDelete} {
		f := busy()
		w, _ := newTest(t, f, widget.VariantLight)
		at := clock(w)
		ask(w, question("q", action, "/home/ada/code/engine", "engine", "Claude Code"))
		if c := w.Win.Canvas().Focused(); c != nil {
			t.Fatalf("%s: %T has the keyboard", action, c)
		}
		prose := []fyne.KeyName{"A", fyne.KeySpace, "B", fyne.KeyReturn, fyne.KeyEscape, fyne.KeyEnter}
		for i := range 240 { // a minute
			*at = at.Add(250 * time.Millisecond)
			keys(w, prose[i%len(prose)])
		}
		wantEqual(t, len(f.did), 0, "%s: did", action)
		wantEqual(t, w.asking.shown, "q", "%s: shown", action)
		*at = at.Add(quietTime)
		w.since = at.Add(-quietTime / 2) // the window gets the focus while the user types a word
		keys(w, fyne.KeyEscape)
		wantEqual(t, len(f.did), 0, "%s: did", action)
		*at = at.Add(quietTime)
		keys(w, fyne.KeyEscape)
		if !f.has("answer q decline") || w.Win.Canvas().Overlays().Top() != nil {
			t.Errorf("%s: Escape after a quiet second: did %q", action, f.did)
		}
	}
}

func TestAPointerThatMovesMeansTheQuestion(t *testing.T) {
	f, w := newBusy(t)
	at := clock(w)
	ask(w, question("q", api.ActionCreate, "/home/ada/code/engine", "engine", "Claude Code"))
	*at = at.Add(deadTime)
	test.MoveMouse(w.Win.Canvas(), fyne.NewPos(w.Win.Canvas().Size().Width/2, w.Win.Canvas().Size().Height/2))
	keys(w, fyne.KeyEscape)
	wantDid(t, f, "answer q decline")
}

func TestTabReachesTheAnswers(t *testing.T) {
	f, w := newBusy(t)
	at := clock(w)
	ask(w, question("q", api.ActionDelete, "/home/ada/code/engine", "engine", "Claude Code"))
	wantPrefix(t, w.Win.Title(), "Claude Code wants to delete the index of engine", "title")
	for _, want := range []string{"Keep index", "Delete index"} { // the safe button comes first
		*at = at.Add(100 * time.Millisecond)
		test.FocusNext(w.Win.Canvas())
		wantEqual(t, focused(w), want, "focused")
		keys(w, fyne.KeyReturn) // the user may have completed a word in a shell by Tab
	}
	wantEqual(t, len(f.did), 0, "answered unread: did")
	*at = at.Add(deadTime)
	keys(w, desktop.KeyShiftLeft) // modifiers don't count as typing
	keys(w, fyne.KeyReturn)
	wantDid(t, f, "answer q accept")
	wantEqual(t, w.Win.Title(), windowTitle, "title")
}

func TestQuestionKeepsFocus(t *testing.T) {
	for _, test := range []struct {
		name           string
		shown, buttons bool
	}{
		{"window behind another", true, true},
		{"no window", false, true},
		{"no window, no buttons", false, false},
	} {
		f := busy()
		w, d := newTest(t, f, widget.VariantLight)
		w.front, w.shown, d.buttons = false, test.shown, test.buttons
		behind := 0
		w.Opts.Behind = func(fyne.Window) { behind++ }
		ask(w, question("q", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code"))
		if behind == 0 || w.asking.popup == nil || w.front {
			t.Errorf("%s: marked %d times, drawn %v, in front %v", test.name, behind, w.asking.popup != nil, w.front)
		}
		wantEqual(t, len(d.notices), 1, "%s: notices", test.name)
		wantEqual(t, d.notices[0].Buttons[1].Label, "Don't index", "%s: label", test.name)
		if test.buttons && !test.shown {
			if d.pressed(present.NoticeGone); behind != 1 || w.asking.popup == nil || w.front {
				t.Errorf("%s: no window for a notification that was closed", test.name)
			}
		}
		if d.pressed(present.NoticeShow); !w.shown || w.asking.popup == nil {
			t.Errorf("%s: the notification does not bring the question", test.name)
		}
		if d.pressed(present.NoticeNo); !f.has("answer q decline") || w.asking.popup != nil {
			t.Errorf("%s: did %q", test.name, f.did)
		}
		d.pressed(present.NoticeNo)
		wantEqual(t, len(f.did), 1, "%s: answered twice: %q", test.name, f.did)
	}
}

func TestANotificationIsRepeatedOnce(t *testing.T) {
	w, d := newTest(t, busy(), widget.VariantLight)
	w.front, d.buttons, w.Opts.Behind = false, true, func(fyne.Window) {}
	at := clock(w)
	q := question("q", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code")
	ask(w, q)
	for _, after := range []time.Duration{time.Minute, q.Expires.Sub(now) - lastCall, q.Expires.Sub(now) - lastCall/2} {
		want := 2
		if after == time.Minute {
			want = 1
		}
		*at = now.Add(after)
		w.Refresh()
		wantEqual(t, len(d.notices), want, "after %v notified %d times", after, len(d.notices))
	}
}

func TestMoreQuestionsAreCounted(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	ask(w, question("1", api.ActionCreate, "/home/ada/a", "a", "Codex"))
	ask(w, question("2", api.ActionCreate, "/home/ada/b", "b", "Codex"))
	w.asking.count(1)
	if more := w.asking.more; more.Value != "1 more question" || more.Size().Width < more.Full() {
		t.Errorf("%q, on %v of %v", more.Value, more.Size().Width, more.Full())
	}
}

func TestQuestionsWaitInLine(t *testing.T) {
	f, w := newBusy(t)
	one := question("1", api.ActionCreate, "/home/ada/a", "a", "Codex")
	two := question("2", api.ActionDelete, "/home/ada/code/engine", "engine", "Claude Code")
	ask(w, one)
	ask(w, two)
	wantButton(t, w, "Index folder", true)
	wantButton(t, w, "Delete index", false)
	// When the asking client disconnects, its confirmation closes and the next confirmation opens.
	w.Event(api.Event{Kind: api.EventAnswered, Question: &one, Answer: api.Withdrawn})
	wantButton(t, w, "Index folder", false)
	wantButton(t, w, "Delete index", true)
	w.Event(api.Event{Kind: api.EventAnswered, Question: &two, Answer: api.TimedOut})
	wantEqual(t, w.Win.Canvas().Overlays().Top() == nil, true, "a question that is over is still on the screen")
	wantEqual(t, len(f.did), 0, "the question was not answered, but %q", f.did)
}

func TestOneClickAnswersOneQuestion(t *testing.T) {
	f, w := newBusy(t)
	at := clock(w)
	tap := func(label present.Text) {
		t.Helper()
		b := find(w, label)
		if b == nil {
			t.Fatalf("no button %q", label)
		}
		test.Tap(b)
	}
	ask(w, question("1", api.ActionCreate, "/home/ada/a", "a", "Codex"))
	ask(w, question("2", api.ActionDelete, "/home/ada/code/engine", "engine", "Claude Code"))
	for _, key := range []fyne.KeyName{fyne.KeyReturn, fyne.KeySpace, fyne.KeyEscape} {
		keys(w, key)
	}
	*at = at.Add(deadTime - time.Millisecond)
	tap("Index folder")
	tap("Don't index")
	wantEqual(t, len(f.did), 0, "answered unread: did")
	*at = at.Add(time.Millisecond)
	tap("Index folder")
	*at = at.Add(150 * time.Millisecond)
	tap("Delete index")
	tap("Keep index")
	wantEqual(t, len(f.did), 1, "one double click: did")
	wantDid(t, f, "answer 1 accept")
	*at = at.Add(time.Minute)
	w.since = *at // the window comes to the front during a click
	*at = at.Add(150 * time.Millisecond)
	tap("Delete index")
	wantEqual(t, len(f.did), 1, "answered as it came to the front: did")
	*at = at.Add(deadTime)
	tap("Delete index")
	wantEqual(t, len(f.did), 2, "did")
	wantDid(t, f, "answer 2 accept")
}

func TestQuestionWithForgedText(t *testing.T) {
	const forged = "shop\n\nNo file is read.\u202e\u200b"
	q := question("q", api.ActionCreate, "/home/ada/"+forged, forged, "Claude Code")
	q.Role, q.Process = api.RoleAssistant, "evil, started by /usr/lib/somewhere/very/far/away/bin/python3.11, process 4242"
	w, _ := newTest(t, busy(), widget.VariantLight)
	ask(w, q)
	var shown []string
	for _, o := range test.LaidOutObjects(w.Win.Canvas().Overlays().Top()) {
		switch o := o.(type) {
		case *widget.Text:
			shown = append(shown, textOf(o))
		case *fynewidget.RichText:
			shown = append(shown, o.String())
		}
	}
	all := strings.Join(shown, "\x00")
	if strings.ContainsAny(all, "\n\u202e\u200b") || !slices.Contains(shown, "Asked by") ||
		!slices.Contains(shown, q.Process) {
		t.Errorf("%q", shown)
	}
}

func TestAlwaysIsForIndexingOnly(t *testing.T) {
	f, w := newBusy(t)
	ask(w, question("q", api.ActionCreate, "/home/ada/a", "a", "Codex"))
	for _, o := range test.LaidOutObjects(w.Win.Canvas().Overlays().Top()) {
		if c, ok := o.(*widget.Switch); ok && !c.Checked {
			w.Win.Canvas().Focus(c)
			read(w)
			keys(w, fyne.KeySpace)
		}
	}
	press(t, w, "Index folder")
	wantDid(t, f, "answer q always")
	ask(w, question("r", api.ActionReindex, "/home/ada/code/engine", "engine", "Codex"))
	if slices.ContainsFunc(test.LaidOutObjects(w.Win.Canvas().Overlays().Top()),
		func(o fyne.CanvasObject) bool { _, ok := o.(*widget.Switch); return ok }) {
		t.Error("rebuilding may be allowed for always")
	}
}

func TestBroadRootsAreAskedTwice(t *testing.T) {
	for _, test := range []struct {
		open  func(*Window)
		again present.Text
		did   string
	}{
		{func(w *Window) {
			q := question("q", api.ActionCreate, "/home/ada", "ada", "Codex")
			q.Twice = true
			ask(w, q)
		}, "Index everything", "answer q accept"},
		{func(w *Window) { w.AddPath("/home/ada") }, "Index folder", "create /home/ada"},
	} {
		f, w := newBusy(t)
		f.preview.Broad = true
		test.open(w)
		press(t, w, "Index folder")
		wantEqual(t, f.has(test.did), false, "the first yes was enough: %q", f.did)
		press(t, w, test.again)
		wantDid(t, f, test.did)
	}
}

func TestACancelledActionReturnsToTheDetails(t *testing.T) {
	f, w := newBusy(t)
	w.Details("a")
	for label, no := range map[present.Text]present.Text{"Rebuild…": "Cancel", "Delete index…": "Keep index"} {
		b := find(w, label)
		w.Win.Canvas().Focus(b)
		b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		press(t, w, no)
		wantSheet(t, w, "engine")
		wantEqual(t, focused(w), string(label), "focused")
	}
	press(t, w, "Delete index…")
	wantEqual(t, focused(w), "Keep index", "focused")
	wantEqual(t, f.has("delete /home/ada/code/engine"), false, "deleted without an answer")
	press(t, w, "Delete index")
	wantDid(t, f, "delete /home/ada/code/engine")
	w.Event(api.Event{Kind: api.EventRemoved, ProjectID: "a"})
	wantSheet(t, w, "")
}

func TestPageBehindQuestionIsUnchanged(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	ask(w, question("q1", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code"))
	for _, do := range w.keys {
		do()
	}
	wantEqual(t, w.Current, page.PageProjects, "current")
	wantSheet(t, w, "")
}

func TestOneQuestionForAllWhoAsk(t *testing.T) {
	f, w := newBusy(t)
	ask(w, question("q1", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code"))
	ask(w, question("q2", api.ActionCreate, "/home/ada/code/shop", "shop", "Cursor"))
	wantWords(t, w, "Also asked by", "Cursor")
	press(t, w, "Don't index")
	wantEqual(t, w.asking.shown, "", "shown")
	wantDid(t, f, "answer q1 decline")
}

func TestAnswersStayInSight(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	size(w, 600, 600)
	q := question("q1", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code")
	q.Others, q.Role, q.Process = []string{"cursor", "codex"}, api.RoleAssistant, "claude"
	w.Event(api.Event{Kind: api.EventQuestion, Question: &q})
	for _, unfold := range []bool{false, true} {
		if unfold {
			press(t, w, "Show excluded files")
		}
		b := find(w, "Index folder")
		end := fyne.CurrentApp().Driver().AbsolutePositionForObject(b).Y + b.Size().Height
		if end > 600-widget.GapSmall || b.Size().Height < widget.ButtonHeight {
			t.Errorf("unfolded %v: the button ends at %.0f", unfold, end)
		}
	}
}

func textOf(o *widget.Text) string { return test.WidgetRenderer(o).Objects()[0].(*canvas.Text).Text }
