package page

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func (w *Window) Details(id string) { w.detailsOf(id, false) }

func (w *Window) detailsOf(id string, still bool) {
	p, ok := w.Model.Project(id)
	if !ok {
		return
	}
	body := container.NewStack()
	drawn, gone := "", p.State == api.StateOffline
	draw := func() {
		p, ok := w.Model.Project(id)
		if !ok {
			w.CloseSheet()
			return
		}
		if (p.State == api.StateOffline) != gone { // offline projects have other buttons
			w.detailsOf(id, true)
			return
		}
		p = p.Own(w.Model.Problems)
		used := present.UsedProject(present.Searches(w.Model.Usage, p.Root(), w.Now()))
		if fresh(&drawn, w.Model.Row(p, nil, w.Home, w.Now()), present.Facts(p, w.Now()), present.Note(p), used,
			p.Problem, p.Warnings, p.Roots, p.AlwaysAllow) {
			w.keepFocus(body, func() {
				body.Objects = []fyne.CanvasObject{w.detailsBody(p)}
				body.Refresh()
			})
		}
	}
	draw()
	list := w.Pages[PageProjects].(*Projects)
	search := NewButton("Search…", func() { w.frame.Go(PageSearch, id) })
	var buttons []fyne.CanvasObject
	if p.State != api.StateOffline { // the main button of an offline project is Locate
		search.As(widget.ToneMain)
		buttons = append(buttons, NewButton("Rebuild…", func() { w.Reindex(p) }))
	}
	w.Open(&Sheet{
		Title: p.Name, Body: body, refresh: draw, still: still,
		Buttons: append(buttons, search), left: NewButton("Delete index…", func() { w.Remove(p) }).As(widget.ToneWarn),
		From: list.List, Row: slices.IndexFunc(list.Rows, func(r present.Row) bool { return r.ID == id }),
	})
}

func (w *Window) detailsBody(p api.Project) fyne.CanvasObject {
	r := w.Model.Row(p, nil, w.Home, w.Now())
	if p.State == api.StateReady { // the facts below contain the numbers
		r.Line = present.Join(present.Sentence(p.Term()), r.Last)
	}
	var parts []fyne.CanvasObject
	if p.Problem == nil {
		parts = append(parts, Message(r.Mark, widget.Prose(present.Join(r.Line, r.Rest))))
	}
	if r.Progress >= 0 {
		b := widget.NewBar()
		b.Set(r.Progress)
		parts = []fyne.CanvasObject{widget.Column(widget.GapSmall, append(parts, b)...)}
	}
	if p.Problem != nil {
		v := present.ProblemOfError(*p.Problem)
		do := v.Action
		if do == present.DoRetry || do == present.DoCheck {
			do = present.DoReindex
		}
		parts = append(parts, w.ProblemBox(v, func() { w.perform(do, p.ID) }, do == present.DoLocate))
	}
	for _, x := range p.Warnings {
		parts = append(parts, widget.Warning(present.Sentence(x)))
	}
	if len(p.Warnings) > 0 {
		parts = append(parts, widget.Flush(w.configFile(p)))
	}
	parts = append(parts, widget.Each(widget.Warning, present.Notices(p))...)
	parts = append(parts, FactList(present.Facts(p, w.Now())), widget.Some(widget.Quiet, present.Note(p)),
		w.usedProject(p.Root()), w.folders(p))
	more := widget.Column(0)
	if len(p.Skipped) > 0 {
		show, list := w.LeftOut(p.Root(), p.Skipped, p.Examples)
		more.Objects = append(more.Objects, widget.Flush(show), list)
	}
	if lines := present.Partly(p); len(lines) > 0 {
		few := min(len(lines), partlyShown)
		others := widget.Column(widget.GapSmall, widget.Each(widget.Quiet, lines[few:])...)
		list := append(widget.Each(widget.Quiet, lines[:few]), others)
		if few < len(lines) {
			all := present.Text(tr("Show all %s", present.Number(len(lines))))
			list = append(list, widget.Flush(w.folding("partly "+p.Root(), all, "Show fewer", others)))
		}
		parts = append(parts, section("Partly indexed", list...))
	}
	if p.AlwaysAllow {
		parts = append(parts, section("Allowed",
			widget.Quiet(tr("Assistants can index this project again without asking.")),
			widget.Row(NewButton("Ask again", func() { Order(w, wire.MethodRevoke, reference(p)) }))))
	}
	shared := Link("Use a shared index…", func() { w.AddShared(p.ID) })
	if p.Shared != nil {
		shared = Link("Remove shared index…", func() { w.removeShared(p) })
	}
	settings := Link("Settings…", func() { w.Configure(p) })
	more.Add(widget.Pad(0, 0, -widget.GapSmall, 0, widget.Row(settings, shared)))
	return widget.Column(widget.GapGroup, append(parts, more)...)
}

func (w *Window) folders(p api.Project) fyne.CanvasObject {
	list := widget.Column(4)
	for i, r := range p.Roots {
		show := widget.IconButton(theme.FolderOpenIcon(), func() { w.reveal(r.Path) })
		side := widget.Row(show)
		if i > 0 {
			side.Add(widget.IconButton(theme.ContentRemoveIcon(), func() {
				Order(w, wire.MethodRootDel, wire.RootChange{ProjectRef: wire.RefTo(p.Root()), Dir: r.Path})
			}))
		}
		list.Add(container.NewBorder(nil, nil, nil, side,
			widget.Centred(widget.Plain(present.Middle(present.Home(r.Path, w.Home), 40)))))
	}
	more := Link("Add another folder…", func() {
		w.chooseFolder(func(dir string) {
			Order(w, wire.MethodRootAdd, wire.RootChange{ProjectRef: wire.RefTo(p.Root()), Dir: dir})
		})
	})
	list.Add(widget.Flush(more))
	return section("Folders", list)
}

const partlyShown = 3

type configForm struct {
	w              *Window
	project        api.Project
	text           string
	before, values present.Config

	Entries  map[string]*widget.Entry
	flips    map[string]*widget.Switch
	strategy *widget.Chooser
	idling   fyne.CanvasObject
	Effect   *widget.Paragraph
	Left     *fyne.Container
	Problems map[string]*widget.Paragraph
	round    int // counts changes; results for older changes are discarded
}

const badConfig present.Text = "The project's config.json can't be read. Please correct it by hand."

func (w *Window) Configure(p api.Project) {
	here := w.Here()
	Request(w, wire.MethodConfigGet, reference(p), func(c wire.ConfigText, err error) {
		if !here() {
			return
		}
		if err != nil {
			w.Failed(err)
			return
		}
		f := &configForm{w: w, project: p, text: c.Text, Entries: map[string]*widget.Entry{},
			flips:    map[string]*widget.Switch{},
			Problems: map[string]*widget.Paragraph{}}
		if f.before, err = present.ParseConfig(c.Text); err != nil {
			w.Open(&Sheet{Title: tr("Settings of %s", p.Name), Body: w.ProblemBox(
				present.ProblemOf(present.Failed(badConfig, err)), nil), Buttons: []fyne.CanvasObject{w.configFile(p)}})
			return
		}
		body := f.build(w.draft(p, c.Text, f.before))
		w.Forms[p.ID] = f
		w.Open(&Sheet{
			Title: tr("Settings of %s", p.Name), Body: body, foot: f.Effect.Box, first: f.Entries[present.FieldExclude],
			Buttons: []fyne.CanvasObject{w.configFile(p), NewButton("Cancel", f.leave), Primary("Save", f.store)},
		})
		f.show(c.Problems)
		f.try()
	})
}

func (w *Window) draft(p api.Project, text string, file present.Config) present.Config {
	old := w.Forms[p.ID]
	if old == nil {
		return file
	}
	typed := old.Read()
	if text != old.text { // apply the user's input to the changed file
		merged, err := typed.Patch(text, old.before)
		if c, wrong := present.ParseConfig(merged); err == nil && wrong == nil {
			return c
		}
	}
	return typed
}

func (f *configForm) leave() {
	delete(f.w.Forms, f.project.ID)
	f.w.CloseSheet()
}

func (w *Window) configFile(p api.Project) *widget.Button {
	return Link("Open config.json", func() {
		w.OpenAt(filepath.Join(w.Model.Data, "indexes", p.ID, "config.json"), 0)
	})
}

func (f *configForm) build(b present.Config) fyne.CanvasObject {
	f.values = b
	var strategies []widget.Option
	for _, s := range present.Strategies {
		strategies = append(strategies, widget.Option{Key: string(s.Value), Name: tr(s.Text)})
	}
	f.strategy = f.w.NewChooser(strategies, b[present.FieldStrategy], func(string) { f.showIdling() })
	f.Effect, f.Left = widget.NewParagraph("", widget.ColorMuted), container.NewStack()
	f.idling = f.short("Idle for", "Seconds without changes before indexing starts.", present.FieldIdle)
	f.showIdling()
	part := func(title present.Text, objects ...fyne.CanvasObject) fyne.CanvasObject {
		return group(title, widget.Pad(widget.GapSmall, 0, 0, 0, widget.Column(12, objects...)))
	}
	return widget.Column(widget.GapPage,
		part("Indexed files",
			f.field("Exclude", present.FieldExclude, "One pattern per line. ** matches any number of folders."),
			f.flip("Respect .gitignore", present.FieldGitignore), f.Left,
			f.field("Index only", present.FieldInclude, "**/* matches everything.")),
		part("Documents",
			f.flip("Index documents too", present.FieldIndexDocs),
			f.field("Treat as documents", present.FieldDocs, "Searched separately from code.")),
		part("When to index changes", widget.Row(widget.Wide(240, f.strategy)), f.idling),
		part("Limits",
			f.short("Largest file", "Such as 500KB or 2MB.", present.FieldSize),
			f.short("Files", "Indexing more files than this needs your approval again.", present.FieldFiles)),
		part("Assistants", f.flip("Describe the tools to assistants in more detail", present.FieldHints)))
}

func (f *configForm) showIdling() {
	lazy := f.strategy.Chosen == string(api.Lazy)
	if f.idling.Visible() != lazy {
		f.idling.(*fyne.Container).Hidden = !lazy
		f.w.Relayout()
	}
}

func (f *configForm) flip(label present.Text, name string) *widget.Switch {
	x := widget.NewSwitch(tr(label))
	x.SetChecked(f.values[name] == "true")
	x.OnChanged = func(bool) { f.changed() }
	f.flips[name] = x
	return x
}

func (f *configForm) short(label, hint present.Text, name string) fyne.CanvasObject {
	e := f.w.newEntry(f.values[name], f.w.CloseSheet)
	e.OnChanged = func(string) { f.changed() }
	f.Entries[name] = e
	return widget.Column(4, settingRow(label, hint, widget.Wide(shortField, e)), f.problem(name))
}

const shortField = 104

func (f *configForm) problem(name string) fyne.CanvasObject {
	p := widget.NewParagraph("", theme.ColorNameWarning)
	p.Box.Hide()
	f.Problems[name] = p
	return p.Box
}

func (f *configForm) field(title present.Text, name string, hint present.Text) fyne.CanvasObject {
	e, high := f.w.newEntry("", f.w.CloseSheet), widget.RowsOf(f.values[name])
	e.MultiLine, e.TextStyle.Monospace, e.Wrapping = true, true, fyne.TextWrapBreak
	e.SetMinRowsVisible(high)
	e.SetText(f.values[name])
	e.OnChanged = func(text string) {
		if n := widget.RowsOf(text); n != high {
			high = n
			e.SetMinRowsVisible(n)
			f.w.Relayout()
		}
		f.changed()
	}
	f.Entries[name] = e
	return widget.Column(4, widget.Plain(tr(title)), container.NewStack(e, widget.NewWheel(f.w.scrolled)),
		widget.Caption(tr(hint)), f.problem(name))
}

func (f *configForm) show(problems []string) {
	changed := false
	for name, p := range f.Problems {
		s := present.ProblemOfField(problems, name)
		if s == p.Words.String() {
			continue
		}
		changed = true
		p.Set(s)
		p.Box.Hidden = s == ""
	}
	if changed {
		f.w.Relayout()
	}
}

// tryPause is how long the user must not type before changed settings are previewed. Each preview walks the folder.
const tryPause = 400 * time.Millisecond

func (f *configForm) changed() {
	f.round++
	round := f.round
	f.w.After(tryPause, func() {
		if f.round == round {
			f.try()
		}
	})
}

func (f *configForm) try() {
	f.round++
	round := f.round
	text, err := f.Read().Patch(f.text, f.before)
	if err != nil {
		f.Effect.Set(tr(badConfig))
		return
	}
	config := wire.ConfigText{ProjectRef: wire.RefTo(f.project.Root()), Text: text}
	Request(f.w, wire.MethodConfigTry, config, func(v wire.ConfigTried, err error) {
		if f.round != round {
			return
		}
		if err != nil {
			f.Effect.Set(present.ProblemOf(err).Happened)
			return
		}
		if text == f.text {
			f.project.Files = v.Preview.Files
		}
		f.Effect.Set(present.Effect(v.Preview, f.project))
		room := f.Left.MinSize()
		f.Left.Objects = nil
		if own := present.ByChoice(v.Preview.Skipped); len(own) > 0 {
			f.Left.Objects = []fyne.CanvasObject{skippedList(own, v.Preview.Examples)}
		}
		if f.Left.MinSize() == room {
			f.Left.Refresh()
		} else {
			f.w.Relayout()
		}
		f.show(v.Problems)
	})
}

func (f *configForm) Read() present.Config {
	c := present.Config{present.FieldStrategy: f.strategy.Chosen}
	for name, e := range f.Entries {
		c[name] = e.Text
	}
	for name, x := range f.flips {
		c[name] = strconv.FormatBool(x.Checked)
	}
	return c
}

func (f *configForm) store() {
	now := f.Read()
	text, err := now.Patch(f.text, f.before)
	if err != nil {
		f.w.Failed(present.Failed(badConfig, err))
		return
	}
	if text == f.text {
		f.leave()
		return
	}
	config := wire.ConfigText{ProjectRef: wire.RefTo(f.project.Root()), Text: text}
	here := f.w.Here()
	Request(f.w, wire.MethodConfigSet, config, func(c wire.ConfigText, err error) {
		switch {
		case err != nil:
			f.w.Failed(err)
			return
		case !here():
			return
		case len(c.Problems) == 0:
			f.leave()
			return
		}
		f.text, f.before = c.Text, now
		f.show(c.Problems)
	})
}

func (s *Sources) shared() (rows []fyne.CanvasObject) {
	for _, p := range s.w.Model.Projects() {
		if p.Shared == nil {
			continue
		}
		mark := present.MarkReady
		line, urgent := present.SharedState(*p.Shared, s.w.Now())
		if urgent {
			mark = present.MarkNeeds
		}
		rows = append(rows, twoLines(mark, p.Name, present.Join(line, present.Location(p.Shared.Location)), urgent,
			more("Remove…", func() { s.w.removeShared(p) })))
	}
	return rows
}

// sharers returns the projects that can get a shared index.
func (w *Window) sharers() []widget.Option {
	return w.options(func(p api.Project) bool { return p.Shared == nil })
}

// options returns the projects for which chosen is true. Their roots are the keys.
func (w *Window) options(chosen func(api.Project) bool) (all []widget.Option) {
	for _, p := range w.Model.Projects() {
		if chosen(p) {
			all = append(all, widget.Option{Key: p.Root(), Name: p.Name, Note: present.Home(p.Root(), w.Home)})
		}
	}
	return all
}

func indexed(p api.Project) bool { return p.State != api.StateNotIndexed }

type place struct {
	endpoint, region *widget.Entry
	box              *fyne.Container
}

func (w *Window) newPlace() place {
	s := place{endpoint: w.field("Amazon S3"), region: w.field("us-east-1")}
	s.box = widget.Column(widget.GapGroup, section("Bucket server", s.endpoint), section("Region", s.region))
	return s
}

func (w *Window) field(hint present.Text) *widget.Entry {
	e := w.newEntry("", w.CloseSheet)
	e.SetPlaceHolder(tr(hint))
	return e
}

// AddShared shows a form for a project and the location of its shared index. The project with the given ID is selected.
func (w *Window) AddShared(id string) {
	choices, first := w.sharers(), ""
	p, _ := w.Model.Project(id)
	for i, o := range choices {
		if i == 0 || o.Key == p.Root() {
			first = o.Key
		}
	}
	choice := w.NewChooser(choices, first, nil)
	location, at := w.field("s3://bucket/prefix"), w.newPlace()
	result, say := w.slot(nil)
	var sh *Sheet
	fetch := Primary("Continue…", nil)
	fetch.OnTapped = func() {
		p, known := w.Model.Project(choice.Chosen)
		where := present.SharedLocation(location.Text, at.endpoint.Text, at.region.Text)
		if !known || fetch.Disabled() {
			return
		}
		w.frame.Confirm(Confirmation{View: present.AskShared(p, where), Yes: func() {
			fetch.Disable()
			say(busyLine("Downloading the shared index"))
			share := wire.Share{ProjectRef: wire.RefTo(p.Root()), Location: where}
			Request(w, wire.MethodShareAdd, share, func(_ api.Project, err error) {
				if w.Sheet != sh {
					w.Failed(err)
					return
				}
				fetch.Enable()
				if err != nil {
					say(w.ProblemBox(present.ProblemOf(err), nil))
					return
				}
				w.CloseSheet()
				w.Pages[w.Current].Shown()
			})
		}})
	}
	fetch.Disable()
	location.OnChanged = func(text string) {
		say(nil)
		if strings.HasPrefix(strings.TrimSpace(text), "s3://") {
			fetch.Enable()
		} else {
			fetch.Disable()
		}
	}
	location.OnSubmitted = func(string) { fetch.OnTapped() }
	sh = &Sheet{
		Title: tr("Add shared index"), first: location,
		Body: widget.Column(widget.GapGroup,
			widget.Quiet(tr("Credentials come from the environment of Search MCP or from ~/.aws/credentials. "+
				"They are not saved.")),
			section("Project", choice), section("Location of the shared index", location), at.box, result),
		Buttons: []fyne.CanvasObject{NewButton("Cancel", w.CloseSheet), fetch},
	}
	w.Open(sh)
}

func (w *Window) removeShared(p api.Project) {
	w.frame.Confirm(Confirmation{View: present.AskUnshared(p), Yes: func() {
		Request(w, wire.MethodShareRemove, reference(p), func(_ api.Project, err error) {
			w.Failed(err)
			w.Pages[w.Current].Shown()
		})
	}})
}
