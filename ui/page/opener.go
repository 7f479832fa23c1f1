package page

import (
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"searchmcp/app/desktop/connect"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

const PrefOpener = "opener"

// OpenAt opens a file at a line in the chosen program, or else in the connected editor. If several editors are
// connected, it asks the user once.
func (w *Window) OpenAt(path string, line int) { w.openAt(path, line, func() {}) }

// openAt is like OpenAt, and calls done after a program has opened the file.
func (w *Window) openAt(path string, line int, done func()) {
	aside(w, w.Opts.Desktop.Openers, func(known []connect.Opener, err error) {
		if o, sure := w.opener(known); err == nil && sure {
			w.openIn(o, path, line, done)
			return
		}
		w.frame.Show() // the main window may be hidden
		w.chooseOpener(known, err, path, line, done)
		w.Opened()
	})
}

func (w *Window) opener(known []connect.Opener) (o connect.Opener, sure bool) {
	id, all := w.App.Preferences().String(PrefOpener), w.openers(known)
	if line, own := strings.CutPrefix(id, connect.OpenerCommand); own {
		return connect.Opener{ID: id, Name: line}, true
	}
	if i := slices.IndexFunc(all, func(o connect.Opener) bool { return o.ID == id }); i >= 0 {
		return all[i], true
	}
	likely := slices.DeleteFunc(slices.Clone(known), func(o connect.Opener) bool { return !o.Connected })
	for _, next := range [][]connect.Opener{known, all} {
		if len(likely) == 0 {
			likely = next
		}
	}
	if len(likely) == 1 {
		return likely[0], true
	}
	return connect.Opener{}, false
}

func (w *Window) openers(known []connect.Opener) []connect.Opener {
	if w.Opts.NoOpener {
		return known
	}
	return append(known[:len(known):len(known)],
		connect.Opener{ID: connect.OpenerDesktop, Name: tr("Default program of the desktop")})
}

func (w *Window) openIn(o connect.Opener, path string, line int, done func()) {
	w.run(func() error { return w.Opts.Desktop.OpenFile(o.ID, path, line) }, func(err error) {
		if err == nil {
			done()
		} else {
			w.notOpened(o, path, line, err, done)
		}
		w.Opened()
	})
}

func (w *Window) Opened() {
	w.Opening = max(0, w.Opening-1)
	w.frame.Idle()
}

func (w *Window) notOpened(o connect.Opener, path string, line int, err error, done func()) {
	w.frame.Show() // the main window may be hidden
	where := present.Home(path, w.Home)
	if errors.Is(err, ErrFileGone) {
		w.Open(&Sheet{Title: tr("The file is gone"), Body: widget.Column(widget.GapGroup, widget.Prose(where),
			widget.Quiet(tr("It was deleted after it was indexed. The next update will remove it "+
				"from the results."))),
			Buttons: []fyne.CanvasObject{Primary("Close", w.CloseSheet)}})
		return
	}
	if prefs := w.App.Preferences(); prefs.String(PrefOpener) == o.ID {
		prefs.RemoveValue(PrefOpener) // don't use the failed program again
	}
	title := tr("No program to open this file")
	p := present.Problem{Means: where, Detail: err.Error(),
		Happened: tr("The desktop has no program for this kind of file.")}
	if o.ID != connect.OpenerDesktop {
		title = tr("%s did not open", present.Client(o.Name))
		p.Happened = tr("Choose another program, or open the file's folder.")
	}
	w.Open(&Sheet{Title: title, Body: w.ProblemBox(p, nil), Buttons: []fyne.CanvasObject{
		NewButton("Show in folder", func() { w.reveal(path) }),
		Primary("Choose editor…", func() { w.askOpener(path, line, done) }),
	}})
}

func (w *Window) askOpener(path string, line int, done func()) {
	aside(w, w.Opts.Desktop.Openers, func(known []connect.Opener, err error) {
		w.chooseOpener(known, err, path, line, done)
	})
}

func (w *Window) chooseOpener(known []connect.Opener, err error, path string, line int, done func()) {
	if err != nil {
		w.Failed(present.Failed("The list of programs that can open files can't be read.", err))
		return
	}
	all := w.openers(known)
	use := func(o connect.Opener) {
		w.App.Preferences().SetString(PrefOpener, o.ID)
		w.CloseSheet()
		if path != "" {
			w.openIn(o, path, line, done)
		}
		w.Pages[PageSettings].Refresh()
	}
	l := widget.NewChoices(func() int { return len(all) }, func(i int) (widget.Option, bool) {
		return openerOption(all[i]), all[i].ID == w.App.Preferences().String(PrefOpener)
	})
	l.Picked = func() { use(all[l.At]) }
	l.Clicked = func(i int) { use(all[i]) }
	l.Escape = w.CloseSheet
	own := w.newEntry("", w.CloseSheet)
	own.SetPlaceHolder("emacsclient -n +{line} {file}")
	run := NewButton("Use", func() {
		if line := strings.TrimSpace(own.Text); line != "" {
			use(connect.Opener{ID: connect.OpenerCommand + line, Name: line})
		}
	})
	own.OnSubmitted = func(string) { run.OnTapped() }
	said, first := present.Text("You can change this under Settings."), fyne.Focusable(l)
	if len(all) == 0 {
		said, first = "No supported editor was found on this computer.", own
	}
	head := widget.Column(widget.GapSmall, widget.Quiet(tr(said)))
	foot := section("Another program", widget.Quiet(tr("A command line with {file} and {line}.")),
		container.NewBorder(nil, nil, nil, widget.Pad(0, 0, widget.GapSmall, 0, widget.Centred(run)), own))
	w.Open(&Sheet{Title: tr("Open files in"), first: first, foot: foot,
		whole:   widget.Below(widget.GapSmall, head, l),
		Buttons: []fyne.CanvasObject{NewButton("Cancel", w.CloseSheet)}})
	l.Refresh()
	l.Choose(0)
}

func openerOption(o connect.Opener) widget.Option {
	note := ""
	if o.Connected {
		note = tr("Connected")
	}
	return widget.Option{Key: o.ID, Name: o.Name, Note: note}
}

func (w *Window) openFound(f present.Found, done func()) {
	if f.Page != "" && (f.File == "" || f.Source == present.SourceSites) {
		w.browse(f.Page, done)
		return
	}
	w.openAt(f.File, f.Best, done)
}

func (w *Window) browse(address string, done func()) {
	w.run(func() error { return w.Opts.Desktop.OpenPage(address) }, func(err error) {
		if err != nil {
			w.frame.Show()
		} else {
			done()
		}
		w.Failed(present.Failed("The page can't be opened in the browser.", err))
		w.Opened()
	})
}
