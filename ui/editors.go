package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

type editors struct {
	w        *Window
	known    []connect.Status
	sessions []wire.Session
	asked    []api.Activity
	err      error
	drawn    string // result of shape at the last draw
	wanted   string // ID of the editor whose button was pressed; the button of its sheet gets the focus
	body     *parts
	root     fyne.CanvasObject
}

func newEditors(w *Window) *editors {
	e := &editors{w: w, body: newParts(w, PageEditors)}
	e.root = widget.Frame(tr("Editors"), nil, e.body.root)
	return e
}

func (e *editors) content() fyne.CanvasObject { return e.root }

func (e *editors) refresh() {
	if e.known != nil && e.shape() != e.drawn {
		e.draw()
	}
}

func (e *editors) shown() {
	e.wanted = ""
	if len(e.body.all) == 0 {
		e.body.say(busyLine("Looking for editors"))
	}
	aside(e.w, e.w.opts.Desktop.Editors, func(known []connect.Status, err error) {
		e.known, e.err = known, present.Failed("The editors of this computer can't be listed.", err)
		e.draw()
	})
	e.fetchUse()
}

func (e *editors) fetchUse() {
	var sessions []wire.Session
	var asked []api.Activity
	e.w.gather(func(err error) {
		if err != nil {
			return // the banner reports the lost connection
		}
		e.sessions = slices.DeleteFunc(sessions, func(s wire.Session) bool { return !ofEditor(s) })
		e.asked = asked
		e.refresh()
	}, get(wire.MethodSessions, &sessions), get(wire.MethodActivity, &asked))
}

func (e *editors) shape() string {
	var all []any
	for _, x := range e.known {
		all = append(all, x.ID, x.State, e.used(x))
		for _, a := range e.lately(x) {
			all = append(all, a.Query, present.Ago(a.Time, e.w.now()))
		}
	}
	for _, x := range e.strangers() {
		all = append(all, x.Client, e.session(x))
	}
	return fmt.Sprint(all...)
}

func (e *editors) draw() {
	e.drawn = e.shape()
	if e.err != nil {
		e.body.fail(e.err, e.shown)
		return
	}
	main := e.mainStep()
	var rows []part
	var missing []widget.Option
	for _, x := range e.known {
		if x.State == connect.Missing {
			missing = append(missing, widget.Option{Key: x.ID, Name: x.Name})
			continue
		}
		p := part{key: x.ID, title: x.Name, body: func() fyne.CanvasObject { return e.about(x) }}
		p.row, p.step = e.row(x)
		if label := e.standing(x).agree; label != "" {
			agree := primary(label, nil)
			p.body = func() fyne.CanvasObject { return e.offer(x, agree) }
			p.buttons = func() []fyne.CanvasObject { return []fyne.CanvasObject{agree} }
		}
		rows = append(rows, p)
	}
	e.body.chosen = cmp.Or(e.body.chosen, main)
	none := len(rows) == 0
	strangers := e.strangers()
	if len(strangers) > 0 {
		rows = append(rows, partHead("Connected through their own settings"))
	}
	for _, s := range strangers {
		name := present.Client(s.Client)
		rows = append(rows, part{key: "client " + s.Client, title: name,
			row:  pictured(editorMark(name), present.MarkReady, name, e.session(s)),
			body: func() fyne.CanvasObject { return widget.Prose(e.session(s)) }})
	}
	add := func(key string, title present.Text, line string, body func() fyne.CanvasObject) {
		rows = append(rows, part{key: key, title: tr(title), row: pictured(editorMark(key), "", tr(title), line), body: body})
	}
	rows = append(rows, partHead("By hand"))
	add("other", "Any other editor", tr("Configuration to copy"), func() fyne.CanvasObject {
		parts := e.copied("Add this to its MCP settings. Some editors call the first key “servers”.",
			e.w.opts.Desktop.Snippet(""))
		if none {
			parts = slices.Insert(parts, 0, widget.Prose(tr("No supported editor was found on this computer.")))
		}
		return widget.Column(widget.GapGroup, parts...)
	})
	if choices := e.indexed(); len(choices) > 0 {
		add("note", "Have assistants search first", tr("A paragraph in AGENTS.md and CLAUDE.md"),
			func() fyne.CanvasObject { return e.note(choices) })
	}
	if len(missing) > 0 {
		var names []string
		for _, x := range missing {
			names = append(names, x.Name)
		}
		add("missing", "Not found on this computer", strings.Join(names, ", "),
			func() fyne.CanvasObject { return e.missing(missing) })
	}
	e.body.set(rows)
}

func (e *editors) missing(editors []widget.Option) fyne.CanvasObject {
	settings, fill := e.w.slot()
	show := func(id string) {
		fill(widget.Column(widget.GapGroup, e.copied("If it's installed elsewhere, add this to its MCP settings.",
			e.w.opts.Desktop.Snippet(id))...))
	}
	choice := e.w.newChooser(editors, editors[0].Key, show)
	show(editors[0].Key)
	return widget.Column(widget.GapGroup, widget.Row(widget.Wide(240, choice)), settings)
}

func (e *editors) copied(about present.Text, s string, more ...fyne.CanvasObject) []fyne.CanvasObject {
	buttons := widget.Row(append([]fyne.CanvasObject{newButton("Copy", func() { e.w.copy(s) })}, more...)...)
	return []fyne.CanvasObject{widget.Quiet(tr(about)), code(strings.TrimRight(s, "\n")), buttons}
}

func (e *editors) about(x connect.Status) fyne.CanvasObject {
	var facts []present.Fact
	if x.State != connect.Free && x.State != connect.Outdated { // otherwise the planned change shows the file
		facts = append(facts, present.Fact{Label: "Settings file", Value: present.Home(x.File, e.w.home)})
	}
	if x.Command != "" && x.State != connect.Outdated { // otherwise the state names the command
		facts = append(facts, present.Fact{Label: "Runs", Value: present.Home(x.Command, e.w.home)})
	}
	st, show := e.standing(x), newButton("Show file", func() { e.w.reveal(x.File) })
	switch x.State {
	case connect.Broken, connect.Taken:
		return widget.Column(widget.GapGroup, message(present.MarkNeeds, widget.Prose(present.Sentence(x.Problem))),
			factList(facts),
			section("Configuration to add", e.copied("Add this by hand, or repair the file and connect again.",
				e.w.opts.Desktop.Snippet(x.ID), show)...))
	case connect.Connected, connect.Outdated:
		about := widget.Column(widget.GapGroup, message(st.mark, widget.Prose(st.line)))
		if x.State == connect.Connected {
			about.Add(factList(facts))
		}
		about.Add(widget.Row(show, link("Disconnect…", func() { e.disconnect(x) })))
		if x.State == connect.Connected {
			about.Add(e.questions(x))
		}
		return about
	}
	return message(st.mark, widget.Prose(st.line))
}

func (e *editors) offer(x connect.Status, agree *widget.Button) fyne.CanvasObject {
	agree.Disable()
	plan := container.NewStack(busyLine("Loading"))
	connect := func(ctx context.Context) (Change, error) { return e.w.opts.Desktop.Connect(ctx, x.ID) }
	aside(e.w, connect, func(c Change, err error) {
		if err != nil {
			plan.Objects = []fyne.CanvasObject{e.w.problemBox(present.ProblemOf(present.Failed(noChange, err)), nil)}
		} else {
			plan.Objects = []fyne.CanvasObject{e.w.change(c)}
			agree.OnTapped = func() {
				agree.Disable()
				e.w.make([]Change{c}, func(backup string) { e.done(x, c, backup) })
			}
			if !c.Empty {
				agree.Enable()
			}
			if e.wanted == x.ID {
				e.w.win.Canvas().Focus(agree)
			}
		}
		e.w.relayout()
	})
	return widget.Column(widget.GapGroup, e.about(x), plan, e.questions(x))
}

const shownQuestions = 8

func (e *editors) lately(x connect.Status) []api.Activity {
	return lately(e.asked, shownQuestions, func(client string) bool { return is(wire.Session{Client: client}, x) })
}

func lately(asked []api.Activity, most int, meant func(client string) bool) (all []api.Activity) {
	for _, a := range asked {
		same := func(b api.Activity) bool { return b.Query == a.Query }
		if a.Query != "" && len(all) < most && meant(a.Client) && !slices.ContainsFunc(all, same) {
			all = append(all, a)
		}
	}
	return all
}

func (e *editors) questions(x connect.Status) fyne.CanvasObject {
	rows := widget.Column(0)
	for _, a := range e.lately(x) {
		source := cmp.Or(sourceOf(a), present.SourceAll)
		b := link("", func() { e.w.pages[PageSearch].(*search).ask(source, a.Project, a.Query) })
		b.Set(present.Middle(a.Query, 48), nil)
		rows.Add(container.NewBorder(nil, nil, widget.Flush(b),
			widget.Centred(widget.WholeCaption(present.Ago(a.Time, e.w.now())))))
	}
	if len(rows.Objects) == 0 {
		return e.tryIt()
	}
	return section("Recent searches", rows)
}

func (e *editors) tryIt() fyne.CanvasObject {
	return section("Try it", e.copied("Ask your assistant a question about one of your projects, such as:",
		tr("Where does the program start? Use search_code."))...)
}

// standing is the state of an editor, with the labels of the buttons in its row and on its sheet, if any.
type standing struct {
	mark        present.Mark
	line        string
	step, agree present.Text
}

func (e *editors) standing(x connect.Status) standing {
	switch {
	case x.State == connect.Connected:
		return standing{present.MarkReady, e.used(x), "", ""}
	case x.State == connect.Outdated:
		return standing{present.MarkNeeds, tr("Runs another copy of Search MCP: %s", present.Home(x.Command, e.w.home)),
			"Update…", "Update"}
	case x.State == connect.Broken:
		return standing{present.MarkNeeds, tr("Its settings file has a syntax error"), "Fix…", ""}
	case x.State == connect.Taken:
		return standing{present.MarkNeeds, tr("Another server has the same name"), "Fix…", ""}
	case slices.ContainsFunc(e.sessions, func(s wire.Session) bool { return is(s, x) }): // through a project's settings
		return standing{present.MarkBusy, e.used(x), "Connect in every project…", "Connect in every project"}
	}
	return standing{present.MarkGone, tr("Not connected"), "Connect…", "Connect"}
}

func (e *editors) mainStep() string {
	first := map[connect.State]string{}
	for _, x := range e.known {
		if first[x.State] == "" {
			first[x.State] = x.ID
		}
	}
	switch {
	case first[connect.Outdated] != "":
		return first[connect.Outdated]
	case first[connect.Broken]+first[connect.Taken] != "":
		return cmp.Or(first[connect.Broken], first[connect.Taken])
	case first[connect.Connected] == "":
		return first[connect.Free]
	}
	return ""
}

func (e *editors) row(x connect.Status) (row fyne.CanvasObject, step *widget.Button) {
	st := e.standing(x)
	if st.step == "" {
		return pictured(editorMark(x.ID), st.mark, x.Name, st.line), nil
	}
	step = newButton(st.step, func() {
		e.wanted = x.ID
		e.body.open(x.ID)
		if s := e.w.sheet; len(s.buttons) > 0 {
			e.w.win.Canvas().Focus(s.buttons[0].(*widget.Button))
		} else { // the focused button has disappeared
			e.w.win.Canvas().Focus(e.body.list)
		}
	})
	room := widget.Wide(step.MinSize().Width, step) // keeps its width if the button is hidden
	return pictured(editorMark(x.ID), st.mark, x.Name, st.line, room), step
}

func (e *editors) used(x connect.Status) string {
	last := present.Asked(e.w.model.Usage, func(client string) bool { return is(wire.Session{Client: client}, x) })
	now, where := tr("Connected"), []string(nil)
	for _, s := range e.sessions {
		if is(s, x) {
			now = tr("Connected now")
			if p := present.Home(s.Project, e.w.home); p != "" && !slices.Contains(where, p) {
				where = append(where, p)
			}
			if s.Last.After(last) {
				last = s.Last
			}
		}
	}
	in := strings.Join(where, ", ")
	if x.State == connect.Free {
		if in == "" {
			return tr("Connected through a project's settings")
		}
		return tr("Connected only in %s now", in)
	}
	return present.Join(now, e.lastUsed(last), in)
}

func (e *editors) lastUsed(last time.Time) string {
	if last.IsZero() {
		return tr("not used since Search MCP started")
	}
	return tr("last used %s", present.Ago(last, e.w.now()))
}

func is(s wire.Session, x connect.Status) bool {
	name := flat(present.Client(s.Client))
	return strings.HasPrefix(name, flat(x.Name)) || strings.HasPrefix(name, flat(x.ID))
}

func (e *editors) strangers() []wire.Session {
	var all []wire.Session
	for _, s := range e.sessions {
		if slices.ContainsFunc(e.known, func(x connect.Status) bool { return x.State != connect.Missing && is(s, x) }) {
			continue
		}
		same := func(x wire.Session) bool { return x.Client == s.Client }
		if i := slices.IndexFunc(all, same); i < 0 {
			all = append(all, s)
		} else if s.Last.After(all[i].Last) {
			all[i] = s
		}
	}
	return all
}

func (e *editors) session(s wire.Session) string {
	return present.Join(tr("Connected now"), e.lastUsed(s.Last), present.Home(s.Project, e.w.home))
}

const noChange present.Text = "The configuration can't be changed."

func (e *editors) disconnect(x connect.Status) {
	here := e.w.here()
	plan := func(ctx context.Context) (Change, error) { return e.w.opts.Desktop.Disconnect(ctx, x.ID) }
	aside(e.w, plan, func(c Change, err error) {
		switch {
		case !here():
		case err != nil:
			e.w.failed(present.Failed(noChange, err))
		default:
			e.w.propose(tr("Disconnect %s", x.Name), "Disconnect", []Change{c}, func(string) { e.shown() })
		}
	})
}

func (e *editors) done(x connect.Status, c Change, backup string) {
	e.shown()
	parts := []fyne.CanvasObject{message(present.MarkReady, widget.Prose(tr("%s can search your projects now.", x.Name)))}
	if c.After != "" {
		parts = append(parts, widget.Prose(present.Sentence(c.After)))
	}
	if len(e.w.model.Projects()) > 0 {
		parts = append(parts, e.tryIt())
	} else {
		parts = append(parts, section("Try it",
			e.copied("Open a project in it, and ask your assistant:", tr("Index this project, please."))...))
	}
	first := container.NewStack(waitingLine(tr("Waiting for %s's first question…", x.Name)))
	parts = append(parts, first)
	if backup != "" {
		parts = append(parts, widget.Quiet(tr("The previous file is kept as %s.", present.Home(backup, e.w.home))))
	}
	s := &sheet{title: tr("%s is connected", x.Name), body: widget.Column(widget.GapGroup, parts...),
		buttons: []fyne.CanvasObject{primary("Done", e.w.closeSheet)}}
	e.awaitFirst(x, s, first)
	e.w.open(s)
}

// firstPause is the interval of checks for an editor's first query, which no event reports if recording is off.
const firstPause = 2 * time.Second

func (e *editors) awaitFirst(x connect.Status, s *sheet, line *fyne.Container) {
	since := e.w.now()
	look := func() {
		request(e.w, wire.MethodSessions, wire.Empty{}, func(all []wire.Session, err error) {
			came := func(s wire.Session) bool { return ofEditor(s) && is(s, x) && s.Last.After(since) }
			if err != nil || e.w.sheet != s || s.refresh == nil || !slices.ContainsFunc(all, came) {
				return
			}
			s.refresh = nil
			line.Objects = []fyne.CanvasObject{message(present.MarkReady,
				widget.Prose(tr("%s has asked its first question. Everything works.", x.Name)))}
			line.Refresh()
			e.w.relayout()
		})
	}
	s.refresh = look
	e.w.every(firstPause, func() bool {
		open := e.w.sheet == s && s.refresh != nil
		if open {
			look()
		}
		return open
	})
}

func (w *Window) propose(title string, verb present.Text, changes []Change, done func(backup string)) {
	var parts []fyne.CanvasObject
	for _, c := range changes {
		parts = append(parts, w.change(c))
	}
	if len(parts) == 0 {
		parts = append(parts, widget.Prose(tr("No change is necessary.")))
	}
	var agree *widget.Button
	agree = primary(verb, func() {
		agree.Disable()
		w.make(changes, done)
	})
	if !slices.ContainsFunc(changes, func(c Change) bool { return !c.Empty }) {
		agree.Disable()
	}
	w.open(&sheet{title: title, body: widget.Column(widget.GapGroup, parts...),
		buttons: []fyne.CanvasObject{newButton("Cancel", w.closeSheet), agree}})
}

func (w *Window) make(changes []Change, done func(backup string)) {
	here := w.here()
	aside(w, func(ctx context.Context) (backup string, err error) {
		for _, c := range changes {
			if backup, err = c.Apply(ctx); err != nil {
				break
			}
		}
		return backup, err
	}, func(backup string, err error) {
		switch {
		case err != nil:
			w.failed(present.Failed(noChange, err))
		case here():
			w.closeSheet()
			done(backup)
		}
	})
}

func (w *Window) change(c Change) fyne.CanvasObject {
	switch {
	case c.Empty:
		return widget.Prose(tr("No change is necessary."))
	case len(c.Run) > 0:
		return widget.Column(widget.GapSmall, widget.Prose(tr("The editor's own command will be run:")),
			code(strings.Join(c.Run, "\n")))
	}
	return widget.Column(widget.GapSmall, widget.Prose(tr("These lines will be changed, and nothing else:")),
		widget.Quiet(present.Home(c.File, w.home)), lines(c.Lines))
}

func lines(all []string) fyne.CanvasObject {
	rows := widget.Column(2)
	for _, l := range all {
		c := widget.ColorString
		switch l[0] {
		case '-':
			c = theme.ColorNameError
		case ' ':
			c = widget.ColorMuted
		}
		l = strings.ReplaceAll(l, "\t", "    ")
		words := strings.TrimLeft(l, "+- ")
		begin, rest := widget.NewText(l[:len(l)-len(words)], theme.SizeNameText, c, false), widget.NewParagraph("", c)
		begin.Elide, begin.Style.Monospace, rest.Style.TextStyle.Monospace = false, true, true
		rest.Set(words)
		rows.Add(container.NewBorder(nil, nil, container.NewVBox(begin), nil, rest.Box))
	}
	return container.NewStack(widget.NewFill(widget.ColorSidebar, 6),
		widget.Pad(widget.GapSmall, widget.GapSmall, widget.GapSmall, widget.GapSmall, rows))
}

func (e *editors) indexed() (choices []widget.Option) {
	for _, p := range e.w.model.Projects() {
		if p.State != api.StateNotIndexed {
			choices = append(choices, widget.Option{Key: p.Root(), Name: p.Name, Note: present.Home(p.Root(), e.w.home)})
		}
	}
	return choices
}

func (e *editors) note(choices []widget.Option) fyne.CanvasObject {
	project := e.w.newChooser(choices, choices[0].Key, nil)
	show := newButton("Show paragraph…", func() { e.w.proposeNote(project.Shown(), project.Chosen) })
	return widget.Column(widget.GapGroup, widget.Quiet(tr(
		"A paragraph in a project's AGENTS.md and CLAUDE.md asks assistants to "+
			"search before they read files one by one. You can review it before it is added.")),
		widget.Row(widget.Wide(200, project), show))
}

func (w *Window) proposeNote(name, root string) {
	desk, here, there := w.opts.Desktop, w.here(), false
	aside(w, func(ctx context.Context) ([]Change, error) {
		changes, err := notes(ctx, desk, root, false)
		if there = err == nil && len(changes) == 0; there {
			return notes(ctx, desk, root, true)
		}
		return changes, err
	}, func(changes []Change, err error) {
		switch {
		case !here():
		case err != nil:
			w.failed(present.Failed(noChange, err))
		case there:
			w.propose(tr("Remove the paragraph from %s", name), "Remove", changes, func(string) {})
		default:
			w.propose(tr("Paragraph for %s", name), "Add paragraph", changes, func(string) {})
		}
	})
}

func notes(ctx context.Context, d Desktop, root string, remove bool) ([]Change, error) {
	all, err := d.Note(ctx, root, "", remove)
	if err != nil || remove {
		return all, err
	}
	claude, err := d.Note(ctx, root, "claude-code", false)
	for _, c := range claude {
		if !slices.ContainsFunc(all, func(x Change) bool { return x.File == c.File }) {
			all = append(all, c)
		}
	}
	return all, err
}
