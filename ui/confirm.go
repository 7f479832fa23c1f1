package ui

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

const (
	questionWidth  = 480
	aroundQuestion = 144
)

type asking struct {
	w          *Window
	own        []page.Confirmation
	shown      string
	expires    time.Time
	others     int
	popup      *fyne.Container
	guard      *guard // nil if the window itself asks
	escape     func() // called on Escape if no button has the focus
	left, more *widget.Text
	foot       *fyne.Container
	came       bool
	notified   map[string]context.CancelFunc
	repeated   map[string]bool
	ticking    bool
}

const ownID = "own"

// deadTime is how long clicks are ignored after a confirmation appears. The user may be double-clicking something else.
const deadTime = 500 * time.Millisecond

// quietTime is how long the user must not type before a key can answer a confirmation. It is longer than pauses within
// a sentence.
const quietTime = time.Second

// guard prevents keys that the user types for another program from answering a confirmation.
type guard struct {
	w     *Window
	key   time.Time // time of the last key, or when the confirmation appeared
	tab   time.Time // time when a button got the focus
	meant bool      // all keys are accepted, because the pointer moved or a key was accepted
}

// modifiers are keys that do not count as typing, such as Shift in Shift+Tab, which moves to the previous button.
var modifiers = []fyne.KeyName{desktop.KeyShiftLeft, desktop.KeyShiftRight, desktop.KeyControlLeft,
	desktop.KeyControlRight, desktop.KeyAltLeft, desktop.KeyAltRight, desktop.KeySuperLeft, desktop.KeySuperRight}

func (g *guard) Focused() { g.tab = g.w.Now() }

func (g *guard) Typed(key fyne.KeyName) bool {
	if slices.Contains(modifiers, key) {
		return false
	}
	now, last := g.w.Now(), g.key
	if g.w.since.After(last) {
		last = g.w.since
	}
	g.key = now
	counts := g.meant || now.Sub(last) >= quietTime || !g.tab.IsZero() && now.Sub(g.tab) >= deadTime
	g.meant = g.meant || counts && !g.tab.IsZero()
	return counts
}

func (a *asking) typed(key fyne.KeyName) {
	if counts := a.guard == nil || a.guard.Typed(key); counts && key == fyne.KeyEscape {
		a.escape()
	}
}

func (w *Window) Confirm(c page.Confirmation) {
	w.asking.own = append(w.asking.own, c)
	w.asking.refresh()
}

func (a *asking) refresh() {
	var open []api.Question
	if a.w.Model.Connected { // before the connection, events may be out of order
		open = a.w.Model.Questions(a.w.Now())
	}
	a.notify(open)
	if !a.w.shown {
		if a.w.Model.Connected && len(open) == 0 {
			a.w.Idle()
		}
		return
	}
	if a.shown != "" && a.shown != ownID {
		at := slices.IndexFunc(open, func(q api.Question) bool { return q.ID == a.shown })
		if at < 0 || len(open[at].Others) != a.others {
			a.hide() // the question is over, or other clients joined: show it again
		}
	}
	if a.shown != "" {
		return
	}
	if a.came && len(open)+len(a.own) == 0 && a.w.since.IsZero() {
		a.w.App.Quit()
		return
	}
	switch {
	case len(a.own) > 0:
		first := a.own[0]
		a.own = a.own[1:]
		a.shown, a.guard = ownID, nil
		a.show(first, 0, func(answer api.Answer) {
			if answer != api.Decline {
				first.Yes()
			}
		})
	case len(open) > 0:
		q := open[0]
		a.shown, a.expires, a.others, a.guard = q.ID, q.Expires, len(q.Others), &guard{w: a.w, key: a.w.Now()}
		a.show(a.w.Confirmation(q, nil), len(open)-1, func(with api.Answer) { a.answer(q.ID, with) })
	}
}

const lastCall = 30 * time.Second

// notify shows a notification for new confirmations while the user is in another program. It never takes the focus.
func (a *asking) notify(open []api.Question) {
	for id, end := range a.notified {
		if end != nil && !slices.ContainsFunc(open, func(q api.Question) bool { return q.ID == id }) {
			end()
			a.notified[id] = nil
		}
	}
	for _, q := range open {
		if end, known := a.notified[q.ID]; known {
			if a.repeated[q.ID] || q.Expires.Sub(a.w.Now()) > lastCall || q.Expires.IsZero() {
				continue
			}
			if a.repeated[q.ID] = true; end != nil {
				end()
			}
		}
		ctx, end := context.WithCancel(a.w.Ctx)
		a.notified[q.ID] = end
		if a.w.shown && a.w.watched() {
			continue
		}
		note := present.Notification(q, a.w.Home)
		a.w.Background(func() {
			buttons := a.w.Opts.Desktop.Notify(ctx, note, func(button string) {
				a.w.OnUI(func() { a.chosen(q.ID, button) })
			})
			a.w.OnUI(func() { a.call(note, buttons) })
		})
	}
}

// call shows a notification and, without taking the focus, the window.
func (a *asking) call(note present.Notice, buttons bool) {
	if !buttons {
		a.w.App.SendNotification(fyne.NewNotification(note.Title, note.Text))
	}
	a.came = a.came || !a.w.shown
	a.behind()
}

func (a *asking) behind() {
	a.w.shown = true
	a.w.Opts.Behind(a.w.Win)
	a.refresh()
}

func (a *asking) answer(id string, with api.Answer) {
	a.w.Model.SettleAll(id)
	page.Order(a.w.Window, wire.MethodAnswer, wire.AnswerQuestion{ID: id, Answer: with})
}

func (a *asking) chosen(id, button string) {
	open := slices.ContainsFunc(a.w.Model.Questions(a.w.Now()), func(q api.Question) bool { return q.ID == id })
	switch {
	case button == present.NoticeGone && open && !a.w.shown:
		a.behind()
	case button == present.NoticeShow, button == present.NoticeGone && open && !a.w.watched(): // e.g. minimized
		a.w.Show()
	case button == present.NoticeNo && open:
		a.answer(id, api.Decline)
		a.w.Refresh()
	}
}

func (a *asking) show(c page.Confirmation, waiting int, answer func(api.Answer)) {
	settle := func(agreed, always bool) {
		a.hide()
		switch {
		case !agreed:
			answer(api.Decline)
		case always:
			answer(api.Always)
		default:
			answer(api.Accept)
		}
		a.refresh()
	}
	a.dialog(c.View, c.Preview, waiting, func(agreed, always bool) {
		if !agreed || c.Again == nil {
			settle(agreed, always)
			return
		}
		a.replace()
		a.dialog(*c.Again, nil, waiting, func(agreed, _ bool) { settle(agreed, always) })
	})
	a.tick()
}

func (a *asking) hide() {
	a.replace()
	a.shown, a.expires = "", time.Time{}
}

func (a *asking) replace() {
	if a.popup != nil {
		a.w.Win.Canvas().Overlays().Remove(a.popup)
		a.popup = nil
		a.w.Win.SetTitle(windowTitle)
	}
}

// dialog draws a confirmation. If the window itself asks, the button that declines has the focus. If the app asks, no
// button has the focus.
func (a *asking) dialog(v present.Question, preview *api.Preview, waiting int, settle func(agreed, always bool)) {
	drawn := a.w.Now()
	answer := func(agreed, always bool) {
		if now := a.w.Now(); now.Sub(drawn) >= deadTime && now.Sub(a.w.since) >= deadTime {
			settle(agreed, always)
		}
	}
	no := page.NewButton(v.No, func() { answer(false, false) })
	always := widget.NewSwitch(present.T("Always allow for this project"))
	yes := page.NewButton(v.Yes, func() { answer(true, v.Always && always.Checked) })
	yes.As(widget.ToneMain)
	if v.Danger {
		yes.As(widget.ToneDanger)
	}
	escape := func() { answer(false, false) }
	no.Escape, yes.Escape, always.Escape, a.escape = escape, escape, escape, escape
	guarded := []*widget.Button{no, yes, &always.Button}

	title := widget.NewParagraph("", theme.ColorNameForeground)
	title.Style.TextStyle.Bold, title.Style.SizeName = true, theme.SizeNameSubHeadingText
	title.Set(v.Title)
	parts := []fyne.CanvasObject{title.Box, widget.Some(widget.Quiet, v.Path), widget.Prose(v.Sentence)}
	if len(v.Facts) > 0 {
		parts = append(parts, page.FactList(v.Facts))
	}
	parts = append(parts, widget.Some(page.Caution, v.Caution), widget.Some(widget.Quiet, present.T(v.Note)))
	if preview != nil && len(preview.Skipped) > 0 {
		show, list := a.w.LeftOut(preview.Root, preview.Skipped, preview.Examples)
		show.Escape = escape
		guarded = append(guarded, show)
		parts = append(parts, widget.Column(4, widget.Flush(show), list))
	}
	if v.Always {
		parts = append(parts, widget.Column(0, always,
			widget.Small(present.T("Assistants can then index it without asking. "+
				"Rebuilding and deleting always need your approval."))))
	}
	a.left, a.more = widget.Plain(""), widget.Caption("")
	a.foot = widget.FootLine(widget.NewKeyHints(page.HintOf("Tab", "Choose"), page.HintOf("Esc", v.No)), a.more, true)
	a.count(waiting)
	buttons := widget.Column(12, a.foot, container.NewBorder(nil, nil, nil, widget.Row(no, yes), widget.Centred(a.left)))
	words := container.New(widget.Sized{Width: questionWidth}, widget.Column(12, parts...))
	words.Resize(fyne.NewSize(questionWidth, 0))
	all := widget.Pad(0, 4, widget.GapSmall, widget.GapSmall, words) // space for focus rings
	scroll := widget.Tall(all)
	body := container.New(widget.Layout{Min: func() fyne.Size {
		m := all.MinSize()
		return fyne.NewSize(m.Width, min(m.Height, a.w.Win.Canvas().Size().Height-aroundQuestion))
	}, Do: scroll.Resize}, scroll)
	ground := widget.NewTapArea(widget.Pad(widget.GapGroup, widget.GapGroup, widget.GapSmall, widget.GapSmall,
		widget.Column(widget.GapGroup, body,
			widget.Pad(0, 0, widget.GapSmall, widget.GapSmall, buttons))), nil)
	if g := a.guard; g != nil {
		ground.Moved = func() { g.meant = true }
		for _, b := range guarded {
			b.Guard = g
		}
	}
	a.popup = widget.NewDialog(ground)
	a.popup.Resize(a.w.Win.Canvas().Size())
	a.w.Win.Canvas().Overlays().Add(a.popup)
	if a.guard == nil {
		a.w.Win.Canvas().Focus(no)
	}
	a.w.Win.SetTitle(v.Title + " – " + windowTitle) // the task bar shows the title
}

func (a *asking) count(waiting int) {
	a.left.Set(present.Countdown(a.expires, a.w.Now()))
	more := ""
	if waiting > 0 {
		more = present.Count(waiting, "more question")
	}
	if more != a.more.Value {
		a.more.Set(more)
		a.foot.Refresh()
	}
}

func (a *asking) tick() {
	if a.ticking || a.expires.IsZero() {
		return
	}
	a.ticking = true
	a.w.Every(time.Second, func() bool {
		if a.ticking = a.shown != "" && !a.expires.IsZero(); !a.ticking {
			return false
		}
		open := a.w.Model.Questions(a.w.Now())
		a.count(len(open) - 1)
		a.notify(open)
		if !a.w.Now().Before(a.expires) {
			a.w.Refresh() // the app may report the expiry later
		}
		return true
	})
}
