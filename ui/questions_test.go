package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

func ask(w *Window, q api.Question) { w.Event(api.Event{Kind: api.EventQuestion, Question: &q}) }

// focused is the text of the button that has the keyboard.
func focused(w *Window) string {
	c := w.Win().Canvas()
	if b, ok := c.Focused().(*button); ok {
		return b.Text
	}
	return fmt.Sprintf("%T", c.Focused())
}

func key(w *Window, name fyne.KeyName) {
	read(w)
	w.Win().Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
}

func TestTheSafeAnswerHasTheKeyboard(t *testing.T) {
	for _, test := range []struct {
		action api.Action
		safe   string
	}{{api.ActionCreate, "Cancel"}, {api.ActionReindex, "Cancel"}, {api.ActionDelete, "Keep index"}} {
		for _, press := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace, fyne.KeyEscape} {
			f := busy()
			w, _ := newTest(t, f, VariantLight)
			ask(w, question("q", test.action, "/home/ada/code/engine", "engine", "Claude Code"))
			if got := focused(w); got != test.safe {
				t.Fatalf("%s: %q has the keyboard, want %q", test.action, got, test.safe)
			}
			key(w, press)
			if !f.has("answer q decline") || w.Win().Canvas().Overlays().Top() != nil {
				t.Errorf("%s, %s: did %q", test.action, press, f.did)
			}
		}
	}
}

func TestTabReachesTheOtherAnswer(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	ask(w, question("q", api.ActionDelete, "/home/ada/code/engine", "engine", "Claude Code"))
	if title := w.Win().Title(); !strings.HasPrefix(title, "Claude Code wants to delete the index of engine") {
		t.Errorf("title %q", title)
	}
	test.FocusNext(w.Win().Canvas())
	if got := focused(w); got != "Delete index" {
		t.Fatalf("%q has the keyboard", got)
	}
	key(w, fyne.KeyReturn)
	if !f.has("answer q accept") {
		t.Errorf("did %q", f.did)
	}
	if w.Win().Title() != windowTitle {
		t.Errorf("title %q", w.Win().Title())
	}
}

func TestQuestionsWaitInLine(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	one := question("1", api.ActionCreate, "/home/ada/a", "a", "Codex")
	two := question("2", api.ActionDelete, "/home/ada/code/engine", "engine", "Claude Code")
	ask(w, one)
	ask(w, two)
	if find(w, "Index folder") == nil || find(w, "Delete index") != nil {
		t.Fatal("want the first question alone")
	}
	// The one that asked goes away: its question goes from the screen, the next one comes.
	w.Event(api.Event{Kind: api.EventAnswered, Question: &one, Answer: api.Withdrawn})
	if find(w, "Index folder") != nil || find(w, "Delete index") == nil {
		t.Fatal("want the second question alone")
	}
	w.Event(api.Event{Kind: api.EventAnswered, Question: &two, Answer: api.TimedOut})
	if w.Win().Canvas().Overlays().Top() != nil {
		t.Error("a question that is over is still on the screen")
	}
	if len(f.did) != 0 {
		t.Errorf("nobody answered, and yet %q", f.did)
	}
}

// TestOneClickAnswersOneQuestion: a question that has just come, or come to the front, takes no answer, be it the
// second click of a double click or a key that is held; half a second later it does.
func TestOneClickAnswersOneQuestion(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	at := now
	w.now = func() time.Time { return at }
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
		w.Win().Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: key})
	}
	at = at.Add(deadTime - time.Millisecond)
	tap("Index folder")
	tap("Cancel")
	if len(f.did) != 0 {
		t.Fatalf("answered unread: %q", f.did)
	}
	at = at.Add(time.Millisecond)
	tap("Index folder")
	at = at.Add(150 * time.Millisecond)
	tap("Delete index")
	tap("Keep index")
	if len(f.did) != 1 || !f.has("answer 1 accept") {
		t.Fatalf("one double click: %q", f.did)
	}
	at = at.Add(time.Minute)
	w.since = at // the window comes to the front under a hand that clicks
	at = at.Add(150 * time.Millisecond)
	tap("Delete index")
	if len(f.did) != 1 {
		t.Fatalf("answered as it came to the front: %q", f.did)
	}
	at = at.Add(deadTime)
	tap("Delete index")
	if len(f.did) != 2 || !f.has("answer 2 accept") {
		t.Errorf("did %q", f.did)
	}
}

// TestNobodyWritesIntoAQuestion: names of folders are one line, and who asks is named as the kernel knows it.
func TestNobodyWritesIntoAQuestion(t *testing.T) {
	const forged = "shop\n\nNo file is read.\u202e\u200b"
	q := question("q", api.ActionCreate, "/home/ada/"+forged, forged, "Claude Code")
	q.Role, q.Process = api.RoleAssistant, "evil, started by bash, process 4242"
	w, _ := newTest(t, busy(), VariantLight)
	ask(w, q)
	var shown []string
	for _, o := range test.LaidOutObjects(w.Win().Canvas().Overlays().Top()) {
		switch o := o.(type) {
		case *text:
			shown = append(shown, o.value)
		case *widget.RichText:
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
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	ask(w, question("q", api.ActionCreate, "/home/ada/a", "a", "Codex"))
	for _, o := range test.LaidOutObjects(w.Win().Canvas().Overlays().Top()) {
		if c, ok := o.(*checkbox); ok {
			c.SetChecked(true)
		}
	}
	press(t, w, "Index folder")
	if !f.has("answer q always") {
		t.Errorf("did %q", f.did)
	}
	ask(w, question("r", api.ActionReindex, "/home/ada/code/engine", "engine", "Codex"))
	if slices.ContainsFunc(test.LaidOutObjects(w.Win().Canvas().Overlays().Top()),
		func(o fyne.CanvasObject) bool { _, ok := o.(*checkbox); return ok }) {
		t.Error("rebuilding may be allowed for always")
	}
}

func TestBroadRootsAreAskedTwice(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	q := question("q", api.ActionCreate, "/home/ada", "ada", "Codex")
	q.Twice = true
	ask(w, q)
	press(t, w, "Index folder")
	if len(f.did) != 0 {
		t.Fatalf("the first yes was enough: %q", f.did)
	}
	if got := focused(w); got != "Cancel" {
		t.Errorf("%q has the keyboard", got)
	}
	press(t, w, "Index everything")
	if !f.has("answer q accept") {
		t.Errorf("did %q", f.did)
	}
}

func TestBroadFolderByHandIsAskedTwice(t *testing.T) {
	f := busy()
	f.preview.Broad = true
	w, _ := newTest(t, f, VariantLight)
	w.addPath("/home/ada")
	press(t, w, "Index folder")
	if f.has("create /home/ada") {
		t.Fatal("the first yes was enough")
	}
	press(t, w, "Index folder")
	if !f.has("create /home/ada") {
		t.Errorf("did %q", f.did)
	}
}

func TestDeleteAsksAndSaysWhatStays(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	p, _ := w.model.Project("a")
	w.remove(p)
	if got := focused(w); got != "Keep index" {
		t.Errorf("%q has the keyboard", got)
	}
	if f.has("delete /home/ada/code/engine") {
		t.Fatal("deleted without an answer")
	}
	press(t, w, "Delete index")
	if !f.has("delete /home/ada/code/engine") {
		t.Errorf("did %q", f.did)
	}
}

// TestThePageBehindAQuestionStays: shortcuts are the page's, and the page is out of reach while a question is open.
func TestThePageBehindAQuestionStays(t *testing.T) {
	w, _ := newTest(t, busy(), VariantLight)
	ask(w, question("q1", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code"))
	for _, do := range w.keys {
		do()
	}
	if w.current != PageProjects || w.sheet != nil {
		t.Errorf("on %s, sheet %v", w.current, w.sheet)
	}
}

// TestOneQuestionForAllWhoAsk: what two editors want is asked once, with both their names, and one answer is the end of
// it.
func TestOneQuestionForAllWhoAsk(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	ask(w, question("q1", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code"))
	ask(w, question("q2", api.ActionCreate, "/home/ada/code/shop", "shop", "Cursor"))
	if said := strings.Join(words(w), "\n"); !strings.Contains(said, "Also asked by") ||
		!strings.Contains(said, "Cursor") {
		t.Error("the second editor is not named")
	}
	press(t, w, "Cancel")
	if w.asking.shown != "" || !f.has("answer q1 decline") {
		t.Errorf("%q is still shown; did %q", w.asking.shown, f.did)
	}
}

// TestShowBecomesHide: a link says what it does next.
func TestShowBecomesHide(t *testing.T) {
	w, _ := newTest(t, busy(), VariantLight)
	ask(w, question("q1", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code"))
	press(t, w, "Show what is left out")
	press(t, w, "Hide what is left out")
	press(t, w, "Show what is left out")
}
