package page

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

type Editors struct {
	W        *Window
	Known    []connect.Status
	Sessions []wire.Session
	asked    []api.Activity
	err      error
	drawn    string
	wanted   string // editor of the pressed button; its sheet gets the focus
	Body     *parts
	root     fyne.CanvasObject
}

func newEditors(w *Window) *Editors {
	e := &Editors{W: w, Body: newParts(w, PageEditors)}
	e.root = widget.Frame(tr("Editors"), nil, e.Body.root)
	return e
}

func (e *Editors) Content() fyne.CanvasObject { return e.root }

func (e *Editors) Refresh() {
	if e.Known != nil && e.shape() != e.drawn {
		e.Draw()
	}
}

func (e *Editors) Shown() {
	e.wanted = ""
	if len(e.Body.all) == 0 {
		e.Body.say(busyLine("Looking for editors"))
	}
	aside(e.W, e.W.Opts.Desktop.Editors, func(known []connect.Status, err error) {
		e.Known, e.err = known, present.Failed("The editors of this computer can't be listed.", err)
		e.Draw()
	})
	e.fetchUse()
}

func (e *Editors) fetchUse() {
	var sessions []wire.Session
	var asked []api.Activity
	e.W.Gather(func(err error) {
		if err != nil {
			return // the banner shows that the connection was lost
		}
		e.Sessions = slices.DeleteFunc(sessions, func(s wire.Session) bool { return !ofEditor(s) })
		e.asked = asked
		e.Refresh()
	}, Get(wire.MethodSessions, &sessions), Get(wire.MethodActivity, &asked))
}

func (e *Editors) shape() string {
	var all []any
	for _, x := range e.Known {
		all = append(all, x.ID, x.State, e.used(x))
		for _, a := range e.lately(x) {
			all = append(all, a.Query, present.Ago(a.Time, e.W.Now()))
		}
	}
	for _, x := range e.Strangers() {
		all = append(all, x.Client, e.session(x))
	}
	return fmt.Sprint(all...)
}

func (e *Editors) Draw() {
	e.drawn = e.shape()
	if e.err != nil {
		e.Body.fail(e.err, e.Shown)
		return
	}
	main := e.mainStep()
	var rows []part
	var missing []widget.Option
	for _, x := range e.Known {
		if x.State == connect.Missing {
			if !slices.ContainsFunc(e.Sessions, func(s wire.Session) bool { return is(s, x) }) {
				missing = append(missing, widget.Option{Key: x.ID, Name: x.Name})
			}
			continue
		}
		p := part{key: x.ID, title: x.Name, body: func() fyne.CanvasObject { return e.about(x) }}
		p.row, p.step = e.row(x)
		if label := e.State(x).agree; label != "" {
			agree := Primary(label, nil)
			p.body = func() fyne.CanvasObject { return e.offer(x, agree) }
			p.buttons = func() []fyne.CanvasObject { return []fyne.CanvasObject{agree} }
		}
		rows = append(rows, p)
	}
	e.Body.chosen = cmp.Or(e.Body.chosen, main)
	none := len(rows) == 0
	strangers := e.Strangers()
	if len(strangers) > 0 {
		rows = append(rows, partHead("Other connected clients"))
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
			e.W.Opts.Desktop.Snippet(""))
		if none {
			parts = slices.Insert(parts, 0, widget.Prose(tr("No supported editor was found on this computer.")))
		}
		return widget.Column(widget.GapGroup, parts...)
	})
	if choices := e.W.options(indexed); len(choices) > 0 {
		add("note", "Instruct assistants to search first", tr("A note in AGENTS.md and CLAUDE.md"),
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
	e.Body.set(rows)
}

func (e *Editors) missing(editors []widget.Option) fyne.CanvasObject {
	settings, fill := e.W.slot(nil)
	show := func(id string) {
		fill(widget.Column(widget.GapGroup, e.copied("If it's installed elsewhere, add this to its MCP settings.",
			e.W.Opts.Desktop.Snippet(id))...))
	}
	choice := e.W.NewChooser(editors, editors[0].Key, show)
	show(editors[0].Key)
	return widget.Column(widget.GapGroup, widget.Row(widget.Wide(240, choice)), settings)
}

func (e *Editors) copied(about present.Text, s string, more ...fyne.CanvasObject) []fyne.CanvasObject {
	buttons := widget.Row(append([]fyne.CanvasObject{NewButton("Copy", func() { e.W.copy(s) })}, more...)...)
	return []fyne.CanvasObject{widget.Quiet(tr(about)), code(strings.TrimRight(s, "\n")), buttons}
}

func (e *Editors) about(x connect.Status) fyne.CanvasObject {
	var facts []present.Fact
	if x.State != connect.Free && x.State != connect.Outdated {
		facts = append(facts, present.Fact{Label: "Settings file", Value: present.Home(x.File, e.W.Home)})
	}
	if x.Command != "" && x.State != connect.Outdated {
		facts = append(facts, present.Fact{Label: "Runs", Value: present.Home(x.Command, e.W.Home)})
	}
	st, show := e.State(x), NewButton("Show file", func() { e.W.reveal(x.File) })
	switch x.State {
	case connect.Broken, connect.Taken:
		return widget.Column(widget.GapGroup, Message(present.MarkNeeds, widget.Prose(present.Sentence(x.Problem))),
			FactList(facts),
			section("Configuration to add", e.copied("Add this by hand, or repair the file and connect again.",
				e.W.Opts.Desktop.Snippet(x.ID), show)...))
	case connect.Connected, connect.Outdated:
		var list, questions fyne.CanvasObject
		if x.State == connect.Connected {
			list, questions = FactList(facts), e.questions(x)
		}
		return widget.Column(widget.GapGroup, Message(st.Mark, widget.Prose(st.line)), list,
			widget.Row(show, Link("Disconnect…", func() { e.disconnect(x) })), questions)
	}
	return Message(st.Mark, widget.Prose(st.line))
}

func (e *Editors) offer(x connect.Status, agree *widget.Button) fyne.CanvasObject {
	agree.Disable()
	plan, fill := e.W.slot(busyLine("Loading"))
	connect := func(ctx context.Context) (Change, error) { return e.W.Opts.Desktop.Connect(ctx, x.ID) }
	aside(e.W, connect, func(c Change, err error) {
		if err != nil {
			fill(e.W.ProblemBox(present.ProblemOf(present.Failed(noChange, err)), nil))
		} else {
			fill(e.W.change(c))
			agree.OnTapped = func() {
				agree.Disable()
				e.W.make([]Change{c}, func(backup string) { e.done(x, c, backup) })
			}
			if !c.Empty {
				agree.Enable()
			}
			if e.wanted == x.ID {
				e.W.Win.Canvas().Focus(agree)
			}
		}
	})
	return widget.Column(widget.GapGroup, e.about(x), plan, e.questions(x))
}

const shownQuestions = 8

func (e *Editors) lately(x connect.Status) []api.Activity {
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

func (e *Editors) questions(x connect.Status) fyne.CanvasObject {
	rows := widget.Column(0)
	for _, a := range e.lately(x) {
		source := cmp.Or(sourceOf(a), present.SourceAll)
		b := Link("", func() { e.W.Pages[PageSearch].(*Search).Ask(source, a.Project, a.Query) })
		b.Set(present.Middle(a.Query, 48), nil)
		rows.Add(container.NewBorder(nil, nil, widget.Flush(b),
			widget.Centred(widget.WholeCaption(present.Ago(a.Time, e.W.Now())))))
	}
	if len(rows.Objects) == 0 {
		return e.tryIt()
	}
	return section("Recent searches", rows)
}

func (e *Editors) tryIt() fyne.CanvasObject {
	return section("Try it", e.copied("Ask your assistant a question about one of your projects, such as:",
		tr("Where does the program start? Use search_code."))...)
}

// editorState is the state of an editor, with the labels of the buttons in its row and on its sheet.
type editorState struct {
	Mark        present.Mark
	line        string
	step, agree present.Text
}

func (e *Editors) State(x connect.Status) editorState {
	switch {
	case x.State == connect.Connected:
		return editorState{present.MarkReady, e.used(x), "", ""}
	case x.State == connect.Outdated:
		return editorState{present.MarkNeeds, tr("Starts another Search MCP: %s", present.Home(x.Command, e.W.Home)),
			"Update…", "Update"}
	case x.State == connect.Broken:
		return editorState{present.MarkNeeds, tr("Its settings file has a syntax error"), "Fix…", ""}
	case x.State == connect.Taken:
		return editorState{present.MarkNeeds, tr("Another server has the same name"), "Fix…", ""}
	case slices.ContainsFunc(e.Sessions, func(s wire.Session) bool { return is(s, x) }):
		return editorState{present.MarkBusy, e.used(x), "Connect for all projects…", "Connect for all projects"}
	}
	return editorState{present.MarkGone, tr("Not connected"), "Connect…", "Connect"}
}

func (e *Editors) mainStep() string {
	first := map[connect.State]string{}
	for _, x := range e.Known {
		first[x.State] = cmp.Or(first[x.State], x.ID)
	}
	if first[connect.Connected] != "" {
		first[connect.Free] = ""
	}
	return cmp.Or(first[connect.Outdated], first[connect.Broken], first[connect.Taken], first[connect.Free])
}

func (e *Editors) row(x connect.Status) (row fyne.CanvasObject, step *widget.Button) {
	st := e.State(x)
	if st.step == "" {
		return pictured(editorMark(x.ID), st.Mark, x.Name, st.line), nil
	}
	step = NewButton(st.step, func() {
		e.wanted = x.ID
		e.Body.Open(x.ID)
		if s := e.W.Sheet; len(s.Buttons) > 0 {
			e.W.Win.Canvas().Focus(s.Buttons[0].(*widget.Button))
		} else { // the focused button was removed
			e.W.Win.Canvas().Focus(e.Body.List)
		}
	})
	room := widget.Wide(step.MinSize().Width, step) // keep the width of a hidden button
	return pictured(editorMark(x.ID), st.Mark, x.Name, st.line, room), step
}

func (e *Editors) used(x connect.Status) string {
	last := present.Asked(e.W.Model.Usage, func(client string) bool { return is(wire.Session{Client: client}, x) })
	now, where := tr("Connected"), []string(nil)
	for _, s := range e.Sessions {
		if is(s, x) {
			now = tr("Connected now")
			if p := present.Home(s.Project, e.W.Home); p != "" && !slices.Contains(where, p) {
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
		return tr("Currently connected only in %s", in)
	}
	return present.Join(now, e.lastUsed(last), in)
}

func (e *Editors) lastUsed(last time.Time) string {
	if last.IsZero() {
		return tr("not used since Search MCP started")
	}
	return tr("last used %s", present.Ago(last, e.W.Now()))
}

func is(s wire.Session, x connect.Status) bool {
	name := flat(present.Client(s.Client))
	return strings.HasPrefix(name, flat(x.Name)) || strings.HasPrefix(name, flat(x.ID))
}

func (e *Editors) Strangers() []wire.Session {
	var all []wire.Session
	for _, s := range e.Sessions {
		if slices.ContainsFunc(e.Known, func(x connect.Status) bool { return x.State != connect.Missing && is(s, x) }) {
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

func (e *Editors) session(s wire.Session) string {
	return present.Join(tr("Connected now"), e.lastUsed(s.Last), present.Home(s.Project, e.W.Home))
}

const noChange present.Text = "The configuration can't be changed."

func (e *Editors) disconnect(x connect.Status) {
	here := e.W.Here()
	plan := func(ctx context.Context) (Change, error) { return e.W.Opts.Desktop.Disconnect(ctx, x.ID) }
	aside(e.W, plan, func(c Change, err error) {
		switch {
		case !here():
		case err != nil:
			e.W.Failed(present.Failed(noChange, err))
		default:
			e.W.propose(tr("Disconnect %s", x.Name), "Disconnect", []Change{c}, func(string) { e.Shown() })
		}
	})
}

func (e *Editors) done(x connect.Status, c Change, backup string) {
	e.Shown()
	try := e.tryIt()
	if len(e.W.Model.Projects()) == 0 {
		try = section("Try it",
			e.copied("Open a project in it, and ask your assistant:", tr("Index this project, please."))...)
	}
	first, fill := e.W.slot(waitingLine(tr("Waiting for %s's first question…", x.Name)))
	kept := func(backup string) fyne.CanvasObject {
		return widget.Quiet(tr("The previous file is kept as %s.", present.Home(backup, e.W.Home)))
	}
	s := &Sheet{Title: tr("%s is connected", x.Name), Body: widget.Column(widget.GapGroup,
		Message(present.MarkReady, widget.Prose(present.Sentence(c.After))), try, first, widget.Some(kept, backup)),
		Buttons: []fyne.CanvasObject{Primary("Done", e.W.CloseSheet)}}
	e.awaitFirst(x, s, fill)
	e.W.Open(s)
}

// firstPause is how often the window checks for an editor's first query.
const firstPause = 2 * time.Second

func (e *Editors) awaitFirst(x connect.Status, s *Sheet, fill func(fyne.CanvasObject)) {
	since := e.W.Now()
	look := func() {
		Request(e.W, wire.MethodSessions, wire.Empty{}, func(all []wire.Session, err error) {
			came := func(s wire.Session) bool { return ofEditor(s) && is(s, x) && s.Last.After(since) }
			if err != nil || e.W.Sheet != s || s.refresh == nil || !slices.ContainsFunc(all, came) {
				return
			}
			s.refresh = nil
			fill(Message(present.MarkReady,
				widget.Prose(tr("%s has asked its first question. Everything works.", x.Name))))
		})
	}
	s.refresh = look
	e.W.Every(firstPause, func() bool {
		open := e.W.Sheet == s && s.refresh != nil
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
	agree = Primary(verb, func() {
		agree.Disable()
		w.make(changes, done)
	})
	if !slices.ContainsFunc(changes, func(c Change) bool { return !c.Empty }) {
		agree.Disable()
	}
	w.Open(&Sheet{Title: title, Body: widget.Column(widget.GapGroup, parts...),
		Buttons: []fyne.CanvasObject{NewButton("Cancel", w.CloseSheet), agree}})
}

func (w *Window) make(changes []Change, done func(backup string)) {
	here := w.Here()
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
			w.Failed(present.Failed(noChange, err))
		case here():
			w.CloseSheet()
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
		widget.Quiet(present.Home(c.File, w.Home)), codeLines(c.Lines, diffColor))
}

func diffColor(line string) fyne.ThemeColorName {
	switch line[0] {
	case '-':
		return theme.ColorNameError
	case ' ':
		return widget.ColorMuted
	}
	return widget.ColorString
}

func (e *Editors) note(choices []widget.Option) fyne.CanvasObject {
	project := e.W.NewChooser(choices, choices[0].Key, nil)
	show := NewButton("Show note…", func() { e.W.proposeNote(project.Shown(), project.Chosen) })
	return widget.Column(widget.GapGroup, widget.Quiet(tr(
		"A note in a project's AGENTS.md and CLAUDE.md asks assistants to "+
			"search before they read files one by one. You can review it before it is added.")),
		widget.Row(widget.Wide(200, project), show))
}

func (w *Window) proposeNote(name, root string) {
	desk, here, there := w.Opts.Desktop, w.Here(), false
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
			w.Failed(present.Failed(noChange, err))
		case there:
			w.propose(tr("Remove the note for assistants from %s", name), "Remove", changes, func(string) {})
		default:
			w.propose(tr("Note for assistants in %s", name), "Add note", changes, func(string) {})
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
