package ui

import (
	"context"
	"image/color"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

const questionWidth = 480

// asking puts questions to the person, one at a time: first what they began themselves in this window, then what the
// app asks, in the order of asking.
type asking struct {
	w        *Window
	own      []ownQuestion
	shown    string // ID of the question on the screen, "own" for one of this window, "" for none
	expires  time.Time
	others   int // how many ask it besides the first
	popup    *popup
	guard    *guard                        // of the question on the screen; nil: it is this window's own
	escape   func()                        // what Escape does while no button has the keyboard
	left     *text                         // the seconds left
	more     *text                         // how many questions wait
	foot     *fyne.Container               // around it
	came     bool                          // the window came by itself, for a question
	told     map[string]context.CancelFunc // by question: takes its notification down
	repeated map[string]bool               // by question: its notification was repeated
	ticking  bool
	done     chan struct{}
}

// ownQuestion is a question that this window asks itself.
type ownQuestion struct {
	view    present.Question
	again   *present.Question // asked after a first yes; nil: once is enough
	preview *api.Preview
	yes     func()
}

const ownID = "own"

// deadTime is how long a question takes no answer after it came on the screen, or the window to the front under a hand
// that was busy elsewhere: nobody reads a sentence and decides in half a second, and the second click of a double click
// falls within it. Browsers keep the buttons of permissions dead for as long.
const deadTime = 500 * time.Millisecond

// quietTime is how long no key may have come before one counts as an answer: people who type pause for less within a
// sentence, and those who have read a question have paused for longer.
const quietTime = time.Second

// guard keeps a question that comes by itself from being answered by what somebody types in another program: a key
// counts after a quiet second, or once the pointer moved to the question or Tab chose a button in it.
type guard struct {
	w     *Window
	key   time.Time // the last one that came, or when the question did
	tab   time.Time // when a button was given the keyboard
	meant bool      // the pointer moved to the question, or a key counted
}

// modifiers are no typing: Shift+Tab goes back through the buttons.
var modifiers = []fyne.KeyName{desktop.KeyShiftLeft, desktop.KeyShiftRight, desktop.KeyControlLeft,
	desktop.KeyControlRight, desktop.KeyAltLeft, desktop.KeyAltRight, desktop.KeySuperLeft, desktop.KeySuperRight}

// typed notes a key, "" for a letter, and reports whether it counts.
func (g *guard) typed(key fyne.KeyName) bool {
	if slices.Contains(modifiers, key) {
		return false
	}
	now, last := g.w.now(), g.key
	if g.w.since.After(last) {
		last = g.w.since
	}
	g.key = now
	counts := g.meant || now.Sub(last) >= quietTime || !g.tab.IsZero() && now.Sub(g.tab) >= deadTime
	g.meant = g.meant || counts && !g.tab.IsZero() // who pressed a button of it goes on
	return counts
}

func newAsking(w *Window) *asking {
	return &asking{w: w, told: map[string]context.CancelFunc{}, repeated: map[string]bool{}, done: make(chan struct{})}
}

// typed notes a key while no button of a question has the keyboard; Escape says no.
func (a *asking) typed(key fyne.KeyName) {
	if counts := a.guard == nil || a.guard.typed(key); counts && key == fyne.KeyEscape {
		a.escape()
	}
}

func (a *asking) stop() { close(a.done) }

// ask puts a question of this window about an index; yes runs if the person agrees.
func (a *asking) ask(q api.Question, yes func()) {
	a.own = append(a.own, ownQuestion{a.view(q), a.again(q), q.Preview, yes})
	a.refresh()
}

// confirm puts any other question of this window.
func (a *asking) confirm(view present.Question, yes func()) {
	a.own = append(a.own, ownQuestion{view: view, yes: yes})
	a.refresh()
}

func (a *asking) view(q api.Question) present.Question {
	var p *api.Project
	if found, ok := a.w.model.Project(q.Project); ok {
		p = &found
	}
	return present.QuestionOf(q, p, a.w.home)
}

// again is the second question of those that are asked twice.
func (a *asking) again(q api.Question) *present.Question {
	if !q.Twice {
		return nil
	}
	v := present.Again(q, a.w.home)
	return &v
}

// refresh brings the screen in line with the open questions.
func (a *asking) refresh() {
	var open []api.Question
	if a.w.model.Connected { // before, an event may bring one of several, and not the first
		open = a.w.model.Questions(a.w.now())
	}
	a.notify(open)
	if !a.w.shown {
		if a.w.model.Connected && len(open) == 0 {
			a.w.idle()
		}
		return // it is drawn once the person wants to see it
	}
	if a.shown != "" && a.shown != ownID {
		at := slices.IndexFunc(open, func(q api.Question) bool { return q.ID == a.shown })
		switch {
		case at < 0:
			a.hide() // answered elsewhere, withdrawn or out of time
		case len(open[at].Others) != a.others:
			a.hide() // somebody else asks the same: the person is to see who, before they answer
		}
	}
	if a.shown != "" {
		return
	}
	if a.came && len(open)+len(a.own) == 0 && a.w.since.IsZero() {
		a.w.app.Quit() // it came for the question, and nobody has looked at it
		return
	}
	switch {
	case len(a.own) > 0:
		first := a.own[0]
		a.own = a.own[1:]
		a.shown, a.guard = ownID, nil
		a.show(first.view, first.again, first.preview, 0, func(answer api.Answer) {
			if answer != api.Decline {
				first.yes()
			}
		})
	case len(open) > 0:
		q := open[0]
		a.shown, a.expires, a.others, a.guard = q.ID, q.Expires, len(q.Others), &guard{w: a.w, key: a.w.now()}
		a.show(a.view(q), a.again(q), q.Preview, len(open)-1, func(answer api.Answer) {
			a.w.model.SettleAll(q.ID)
			order(a.w, wire.MethodAnswer, wire.AnswerQuestion{ID: q.ID, Answer: answer})
		})
	}
}

// lastCall is how long before the end of a question its notification is repeated.
const lastCall = 30 * time.Second

// notify tells a person who is elsewhere of a new question: by a notification with buttons where the desktop has such,
// and by marking the window in the task bar. The window takes the keyboard from nobody.
func (a *asking) notify(open []api.Question) {
	for id, end := range a.told {
		if end != nil && !slices.ContainsFunc(open, func(q api.Question) bool { return q.ID == id }) {
			end()
			a.told[id] = nil
		}
	}
	for _, q := range open {
		if end, told := a.told[q.ID]; told {
			if a.repeated[q.ID] || q.Expires.Sub(a.w.now()) > lastCall || q.Expires.IsZero() {
				continue
			}
			if a.repeated[q.ID] = true; end != nil {
				end() // the one before may have been put away
			}
		}
		ctx, end := context.WithCancel(a.w.ctx)
		a.told[q.ID] = end
		if a.w.shown && a.w.watched() {
			continue
		}
		note := present.Notification(q, a.w.home)
		a.w.background(func() {
			buttons := a.w.opts.Desktop.Notify(ctx, note, func(button string) {
				a.w.onUI(func() { a.chosen(q.ID, button) })
			})
			a.w.onUI(func() { a.call(note, buttons) })
		})
	}
}

// call shows the window behind the others, marked in the task bar: the notification may be put away unread.
func (a *asking) call(note present.Notice, buttons bool) {
	if !buttons {
		a.w.app.SendNotification(fyne.NewNotification(note.Title, note.Text))
	}
	a.came = a.came || !a.w.shown
	a.w.shown = true
	a.w.opts.Behind(a.w.win)
	a.refresh()
}

// chosen does what a button of a notification says. If the notification of an open question is closed, the window
// comes.
func (a *asking) chosen(id, button string) {
	open := slices.ContainsFunc(a.w.model.Questions(a.w.now()), func(q api.Question) bool { return q.ID == id })
	switch {
	case button == present.NoticeGone && open && !a.w.shown:
		a.w.shown = true
		a.w.opts.Behind(a.w.win)
		a.refresh()
	case button == present.NoticeShow:
		a.w.Show()
	case button == present.NoticeNo && open:
		a.w.model.SettleAll(id)
		order(a.w, wire.MethodAnswer, wire.AnswerQuestion{ID: id, Answer: api.Decline})
		a.w.refresh()
	}
}

// show puts a question on the screen, and the second one after a yes to the first.
func (a *asking) show(view present.Question, again *present.Question, preview *api.Preview, waiting int,
	answer func(api.Answer)) {
	settle := func(agreed, always bool) {
		a.hide()
		answer(said(agreed, always))
		a.refresh()
	}
	a.dialog(view, preview, waiting, func(agreed, always bool) {
		if !agreed || again == nil {
			settle(agreed, always)
			return
		}
		a.replace()
		a.dialog(*again, nil, waiting, func(agreed, _ bool) { settle(agreed, always) })
	})
	a.tick()
}

func said(agreed, always bool) api.Answer {
	switch {
	case !agreed:
		return api.Decline
	case always:
		return api.Always
	}
	return api.Accept
}

func (a *asking) hide() {
	a.replace()
	a.shown, a.expires = "", time.Time{}
}

func (a *asking) replace() {
	if a.popup != nil {
		a.popup.away()
		a.popup = nil
		a.w.win.SetTitle(windowTitle)
	}
}

// dialog draws a question. Of one that the person began the safe answer has the keyboard, so that Enter and Escape both
// mean no; of one that comes by itself nothing has.
func (a *asking) dialog(v present.Question, preview *api.Preview, waiting int, settle func(agreed, always bool)) {
	drawn := a.w.now()
	answer := func(agreed, always bool) {
		if now := a.w.now(); now.Sub(drawn) >= deadTime && now.Sub(a.w.since) >= deadTime {
			settle(agreed, always)
		}
	}
	no := newButton(v.No, func() { answer(false, false) })
	always := &checkbox{}
	always.Text = tr("Always allow for this project")
	always.ExtendBaseWidget(always)
	yes := newButton(v.Yes, func() { answer(true, v.Always && always.Checked) })
	yes.setTone(toneMain)
	if v.Danger {
		yes.setTone(toneDanger)
	}
	escape := func() { answer(false, false) }
	no.escape, yes.escape, always.escape, a.escape = escape, escape, escape, escape
	no.guard, yes.guard, always.guard = a.guard, a.guard, a.guard

	title := newParagraph("", theme.ColorNameForeground)
	title.style.TextStyle.Bold, title.style.SizeName = true, theme.SizeNameSubHeadingText
	title.set(v.Title)
	parts := []fyne.CanvasObject{title.box}
	if v.Path != "" {
		parts = append(parts, quiet(v.Path))
	}
	parts = append(parts, prose(v.Sentence))
	if len(v.Facts) > 0 {
		parts = append(parts, factList(v.Facts))
	}
	if v.Caution != "" {
		parts = append(parts, container.NewBorder(nil, nil, pad(2, 0, 0, gapSmall,
			container.NewVBox(markIcon(present.MarkNeeds))), nil, warning(v.Caution)))
	}
	if v.Note != "" {
		parts = append(parts, quiet(tr(v.Note)))
	}
	if preview != nil && len(preview.Skipped) > 0 {
		show, list := leftOut(preview.Skipped, preview.Examples, func() { a.popup.centre() })
		show.escape, show.guard = escape, a.guard
		parts = append(parts, column(4, flush(show), list))
	}
	if v.Always {
		parts = append(parts, column(0, pad(0, 0, -gapSmall, 0, always), // its own space
			small(tr("Assistants may then index it without asking. Rebuilding and deleting always ask."))))
	}
	a.left, a.more = plain(""), caption("")
	a.foot = container.New(footRow{}, newKeyHints(hint{"Tab", "Choose"}, hint{"Esc", v.No}).box, a.more)
	a.count(waiting)
	buttons := column(12, a.foot,
		container.NewBorder(nil, nil, nil, row(no, yes), centred(a.left)))
	words := container.New(fixed{width: questionWidth}, column(12, parts...))
	// Text is broken before a window that just comes measures it.
	words.Resize(fyne.NewSize(questionWidth, 0))
	body := container.New(upTo{a.w.win}, tall(pad(0, 0, gapSmall, gapSmall, words))) // rings stand out
	ground := newTapArea(pad(gapGroup, gapGroup, gapSmall, gapSmall, column(gapGroup, body,
		pad(0, 0, gapSmall, gapSmall, buttons))), nil)
	if g := a.guard; g != nil {
		ground.moved = func() { g.meant = true }
	}
	a.popup = newPopup(ground, a.w.win.Canvas(), nil)
	a.popup.centre()
	if a.guard == nil {
		a.w.win.Canvas().Focus(no)
	}
	a.w.win.SetTitle(v.Title + " – " + windowTitle) // for the task bar
}

// upTo is something that scrolls, as high as its content where the window has room for it and the buttons below.
type upTo struct{ win fyne.Window }

// aroundQuestion is the space around a question, its buttons and its countdown.
const aroundQuestion = 144

func (upTo) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }

func (x upTo) MinSize(o []fyne.CanvasObject) fyne.Size {
	all := o[0].(*scroll).Content.MinSize()
	return fyne.NewSize(all.Width, min(all.Height, x.win.Canvas().Size().Height-aroundQuestion))
}

// leftOut folds what is left out behind a link.
func leftOut(s api.Skipped, examples map[api.Reason][]string, changed func()) (*button, *fyne.Container) {
	list := skippedList(s, examples)
	list.Hide()
	return folding("Show what is left out", "Hide what is left out", list, changed), list
}

// count says how long the question stands, and how many others wait.
func (a *asking) count(waiting int) {
	a.left.set(present.Countdown(a.expires, a.w.now()))
	more := ""
	if waiting > 0 {
		more = present.Count(waiting, "more question")
	}
	if more != a.more.value {
		a.more.set(more)
		a.foot.Refresh() // the text is as wide as it is now
	}
}

// tick counts the seconds while a question with an end is shown.
func (a *asking) tick() {
	if a.ticking || a.expires.IsZero() || a.w.opts.Inline {
		return
	}
	a.ticking = true
	a.w.background(func() {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for more := true; more; {
			select {
			case <-a.done:
				return
			case <-t.C:
			}
			a.w.opts.Stir()
			fyne.DoAndWait(func() {
				if more = a.shown != "" && !a.expires.IsZero(); !more {
					a.ticking = false
					return
				}
				open := a.w.model.Questions(a.w.now())
				a.count(len(open) - 1)
				a.notify(open)
				if !a.w.now().Before(a.expires) {
					a.w.refresh() // out of time: the app says the same in a moment
				}
			})
		}
	})
}

// skippedList shows why files are left out, with examples.
func skippedList(s api.Skipped, examples map[api.Reason][]string) *fyne.Container {
	rows := column(6)
	for _, l := range present.Skipped(s, examples) {
		head := container.NewBorder(nil, nil, nil, caption2(present.Number(l.Count)), plain(l.Reason))
		rows.Add(head)
		if n := len(l.Examples); n > 0 {
			rows.Add(pad(-4, 0, 0, 0, caption(strings.Join(l.Examples[:min(n, 2)], ", "))))
		}
	}
	return rows
}

// caption2 is a caption that keeps its width, for numbers at the right.
func caption2(s string) *text {
	t := caption(s)
	t.elide = false
	return t
}

// checkbox is Fyne's check with the ring of other controls, which also handles Escape.
type checkbox struct {
	widget.Check
	escape func()
	guard  *guard // nil: keys count at once
	ring   *canvas.Rectangle
}

// CreateRenderer implements fyne.Widget.
func (c *checkbox) CreateRenderer() fyne.WidgetRenderer {
	c.ring = canvas.NewRectangle(color.Transparent)
	c.ring.CornerRadius = buttonRadius
	return &checkboxRenderer{c.Check.CreateRenderer(), c}
}

// checkboxRenderer draws the ring over Fyne's check.
type checkboxRenderer struct {
	fyne.WidgetRenderer
	c *checkbox
}

func (r *checkboxRenderer) Objects() []fyne.CanvasObject {
	return append(slices.Clone(r.WidgetRenderer.Objects()), r.c.ring)
}

func (r *checkboxRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.c.ring.Resize(size)
}

// outline draws the ring while the checkbox has the keyboard.
func (c *checkbox) outline(focused bool) {
	if c.ring == nil {
		return
	}
	c.ring.StrokeWidth, c.ring.StrokeColor = 0, color.Transparent
	if focused {
		c.ring.StrokeWidth = ringWidth
		c.ring.StrokeColor = c.Theme().Color(colorRing, fyne.CurrentApp().Settings().ThemeVariant())
	}
	canvas.Refresh(c.ring)
}

// FocusLost implements fyne.Focusable.
func (c *checkbox) FocusLost() {
	c.Check.FocusLost()
	c.outline(false)
}

// TypedKey implements fyne.Focusable.
func (c *checkbox) TypedKey(e *fyne.KeyEvent) {
	switch {
	case c.guard != nil && !c.guard.typed(e.Name):
	case e.Name == fyne.KeyEscape && c.escape != nil:
		c.escape()
	case e.Name == fyne.KeySpace:
		c.SetChecked(!c.Checked)
	}
}

// FocusGained implements fyne.Focusable.
func (c *checkbox) FocusGained() {
	if c.guard != nil {
		c.guard.tab = c.guard.w.now()
	}
	c.Check.FocusGained()
	c.outline(true)
}

// TypedRune implements fyne.Focusable; Fyne's ticks it for a space, which its key has done.
func (c *checkbox) TypedRune(rune) {}
