package ui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func (w *Window) details(id string) { w.detailsOf(id, false) }

func (w *Window) detailsOf(id string, still bool) {
	p, ok := w.model.Project(id)
	if !ok {
		return
	}
	body := container.NewStack()
	drawn, gone := "", p.State == api.StateOffline
	draw := func() {
		p, ok := w.model.Project(id)
		if !ok {
			w.closeSheet()
			return
		}
		if (p.State == api.StateOffline) != gone { // an offline project has other actions
			w.detailsOf(id, true)
			return
		}
		used := present.UsedProject(present.Searches(w.model.Usage, p.Root(), w.now()))
		if shape := fmt.Sprint(present.RowOf(p, nil, w.home, w.now()), present.Facts(p, w.now()), present.Note(p), used,
			p.Warnings, p.Roots, p.AlwaysAllow); shape != drawn {
			drawn = shape
			body.Objects = []fyne.CanvasObject{w.detailsBody(p)}
			body.Refresh()
		}
	}
	draw()
	list := w.pages[PageProjects].(*projects)
	search := newButton("Search…", func() { w.Go(PageSearch, id) })
	buttons := []fyne.CanvasObject{link("Settings…", func() { w.configure(p) })}
	if p.State != api.StateOffline { // an offline project has Locate as its main action
		search.As(widget.ToneMain)
		buttons = append(buttons, newButton("Rebuild…", func() { w.reindex(p) }))
	}
	w.open(&sheet{
		title: p.Name, body: body, refresh: draw, still: still,
		buttons: append(buttons, search),
		from:    list.list, row: slices.IndexFunc(list.rows, func(r present.Row) bool { return r.ID == id }),
	})
}

func (w *Window) detailsBody(p api.Project) fyne.CanvasObject {
	r := present.RowOf(p, nil, w.home, w.now())
	var state, parts []fyne.CanvasObject
	if p.Problem == nil { // otherwise the problem box shows the state
		state = append(state, message(r.Mark, widget.Prose(present.Join(r.Line, r.Rest))))
	}
	if r.Progress >= 0 {
		b := widget.NewBar()
		b.Set(r.Progress)
		state = append(state, b)
	}
	if len(state) > 0 {
		parts = append(parts, widget.Column(widget.GapSmall, state...))
	}
	if p.Problem != nil {
		v := present.ProblemOfError(*p.Problem)
		do := detailAction(v.Action)
		parts = append(parts, w.problemBox(v, func() { w.perform(do, p.ID) }, do == present.DoLocate))
	}
	for _, x := range p.Warnings {
		parts = append(parts, widget.Warning(present.Sentence(x)))
	}
	if len(p.Warnings) > 0 {
		parts = append(parts, widget.Flush(w.configFile(p)))
	}
	for _, x := range present.Notices(p) {
		parts = append(parts, widget.Warning(x))
	}
	parts = append(parts, factList(present.Facts(p, w.now())))
	if note := present.Note(p); note != "" {
		parts = append(parts, widget.Quiet(note))
	}
	parts = append(parts, w.usedProject(p.Root()), w.folders(p))
	more := widget.Column(0)
	if len(p.Skipped) > 0 {
		show, list := leftOut(p.Skipped, p.Examples, w.relayout)
		more.Objects = append(more.Objects, widget.Flush(show), list)
	}
	if lines := present.Partly(p); len(lines) > 0 {
		var list []fyne.CanvasObject
		for _, l := range lines {
			list = append(list, widget.Quiet(l))
		}
		parts = append(parts, section("Partly indexed", widget.Column(widget.GapSmall, list...)))
	}
	if p.AlwaysAllow {
		parts = append(parts, section("Allowed",
			widget.Quiet(tr("Assistants can index this project again without asking.")),
			widget.Row(newButton("Ask again", func() { order(w, wire.MethodRevoke, reference(p)) }))))
	}
	shared := link("Use a shared index…", func() { w.addShared(p.ID) })
	if p.Shared != nil {
		shared = link("Remove shared index…", func() { w.removeShared(p) })
	}
	more.Add(widget.Flush(shared))
	parts = append(parts, more, fynewidget.NewSeparator(),
		labelled(tr("Your files stay as they are."), "",
			newButton("Delete index…", func() { w.remove(p) }).As(widget.ToneWarn)))
	return widget.Column(widget.GapGroup, parts...)
}

func detailAction(do present.Do) present.Do {
	if do == present.DoRetry || do == present.DoCheck {
		return present.DoReindex
	}
	return do
}

func (w *Window) folders(p api.Project) fyne.CanvasObject {
	list := widget.Column(4)
	for i, r := range p.Roots {
		show := widget.IconButton(theme.FolderOpenIcon(), func() { w.reveal(r.Path) })
		side := widget.Row(show)
		if i > 0 {
			side.Add(widget.IconButton(theme.ContentRemoveIcon(), func() {
				order(w, wire.MethodRootDel, wire.RootChange{Project: p.Root(), Dir: r.Path})
			}))
		}
		list.Add(container.NewBorder(nil, nil, nil, side,
			widget.Centred(widget.Plain(present.Middle(present.Home(r.Path, w.home), 40)))))
	}
	more := link("Add another folder…", func() {
		w.chooseFolder(func(dir string) {
			order(w, wire.MethodRootAdd, wire.RootChange{Project: p.Root(), Dir: dir})
		})
	})
	list.Add(widget.Flush(more))
	return section("Folders", list)
}

type configForm struct {
	w       *Window
	project api.Project
	text    string
	before  present.Config
	values  present.Config // values when the form was built

	entries  map[string]*widget.Entry
	flips    map[string]*widget.Switch
	strategy *widget.Chooser
	idling   fyne.CanvasObject // field for the idle time, shown for the lazy strategy
	effect   *widget.Paragraph
	left     *fyne.Container
	problems map[string]*widget.Paragraph
	round    int // number of the newest change; results for older changes are discarded
}

const badConfig present.Text = "The project's config.json can't be read. Please correct it by hand."

func (w *Window) configure(p api.Project) {
	here := w.here()
	request(w, wire.MethodConfigGet, reference(p), func(c wire.ConfigText, err error) {
		if !here() {
			return
		}
		if err != nil {
			w.failed(err)
			return
		}
		f := &configForm{w: w, project: p, text: c.Text, entries: map[string]*widget.Entry{},
			flips:    map[string]*widget.Switch{},
			problems: map[string]*widget.Paragraph{}}
		if f.before, err = present.ParseConfig(c.Text); err != nil {
			w.open(&sheet{title: tr("Settings of %s", p.Name), body: w.problemBox(
				present.ProblemOf(present.Failed(badConfig, err)), nil), buttons: []fyne.CanvasObject{w.configFile(p)}})
			return
		}
		body := f.build(w.draft(p, c.Text, f.before))
		w.forms[p.ID] = f
		w.open(&sheet{
			title: tr("Settings of %s", p.Name), body: body, foot: f.effect.Box, first: f.entries[present.FieldExclude],
			buttons: []fyne.CanvasObject{w.configFile(p), newButton("Cancel", f.leave), primary("Save", f.store)},
		})
		f.show(c.Problems)
		f.try()
	})
}

func (w *Window) draft(p api.Project, text string, file present.Config) present.Config {
	old := w.forms[p.ID]
	if old == nil {
		return file
	}
	typed := old.read()
	if text != old.text { // the file has changed, so use its values for fields without input
		merged, err := typed.Patch(text, old.before)
		if c, wrong := present.ParseConfig(merged); err == nil && wrong == nil {
			return c
		}
	}
	return typed
}

func (f *configForm) leave() {
	delete(f.w.forms, f.project.ID)
	f.w.closeSheet()
}

func (w *Window) configFile(p api.Project) *widget.Button {
	return link("Open config.json", func() {
		w.openAt(filepath.Join(w.model.Data, "indexes", p.ID, "config.json"), 0)
	})
}

func (f *configForm) build(b present.Config) fyne.CanvasObject {
	f.values = b
	var strategies []widget.Option
	for _, s := range present.Strategies {
		strategies = append(strategies, widget.Option{Key: string(s.Value), Name: tr(s.Text)})
	}
	f.strategy = f.w.newChooser(strategies, b[present.FieldStrategy], func(string) { f.showIdling() })
	f.effect, f.left = widget.NewParagraph("", widget.ColorMuted), container.NewStack()
	f.idling = f.short("Idle for", "Seconds without changes before indexing starts.", present.FieldIdle)
	f.showIdling()
	part := func(title present.Text, objects ...fyne.CanvasObject) fyne.CanvasObject {
		return group(title, nil, widget.Pad(widget.GapSmall, 0, 0, 0, widget.Column(12, objects...)))
	}
	return widget.Column(widget.GapPage,
		part("Indexed files",
			f.field("Exclude", present.FieldExclude, "One pattern per line. ** matches any number of folders."),
			f.flip("Respect .gitignore", present.FieldGitignore), f.left,
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
		f.w.relayout()
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
	e := f.w.newEntry(f.values[name], f.w.closeSheet)
	e.OnChanged = func(string) { f.changed() }
	f.entries[name] = e
	return widget.Column(4, settingRow(label, hint, widget.Wide(shortField, e)), f.problem(name))
}

const shortField = 104

func (f *configForm) problem(name string) fyne.CanvasObject {
	p := widget.NewParagraph("", theme.ColorNameWarning)
	p.Box.Hide()
	f.problems[name] = p
	return p.Box
}

func (f *configForm) field(title present.Text, name string, hint present.Text) fyne.CanvasObject {
	e := f.w.newLines(f.values[name], f.w.closeSheet)
	high := widget.RowsOf(e.Text)
	e.OnChanged = func(text string) {
		if n := widget.RowsOf(text); n != high {
			high = n
			e.SetMinRowsVisible(n)
			f.w.relayout()
		}
		f.changed()
	}
	f.entries[name] = e
	return widget.Column(4, widget.Plain(tr(title)), container.NewStack(e, widget.NewWheel(f.w.scrolled)),
		widget.Caption(tr(hint)), f.problem(name))
}

func (f *configForm) show(problems []string) {
	changed := false
	for name, p := range f.problems {
		s := present.ProblemOfField(problems, name)
		if s == p.Words.String() {
			continue
		}
		changed = true
		p.Set(s)
		p.Box.Hidden = s == ""
	}
	if changed {
		f.w.relayout()
	}
}

// tryPause is the pause in typing after which a change is tried. Changes are not tried at every key, because each try
// walks the folder.
const tryPause = 400 * time.Millisecond

func (f *configForm) changed() {
	f.round++
	round := f.round
	f.w.after(tryPause, func() {
		if f.round == round {
			f.try()
		}
	})
}

func (f *configForm) try() {
	f.round++
	round := f.round
	text, err := f.read().Patch(f.text, f.before)
	if err != nil {
		f.effect.Set(tr(badConfig))
		return
	}
	config := wire.ConfigText{Project: f.project.Root(), Text: text}
	request(f.w, wire.MethodConfigTry, config, func(v wire.ConfigTried, err error) {
		if f.round != round {
			return // the values have changed since
		}
		if err != nil {
			f.effect.Set(present.ProblemOf(err).Happened)
			return
		}
		if text == f.text { // show the count of the index, which also excludes files by content
			f.project.Files = v.Preview.Files
		}
		f.effect.Set(present.Effect(v.Preview, f.project))
		room := f.left.MinSize()
		f.left.Objects = nil
		if own := present.ByChoice(v.Preview.Skipped); len(own) > 0 {
			f.left.Objects = []fyne.CanvasObject{skippedList(own, v.Preview.Examples)}
		}
		if f.left.MinSize() == room {
			f.left.Refresh()
		} else {
			f.w.relayout()
		}
		f.show(v.Problems)
	})
}

func (f *configForm) read() present.Config {
	c := present.Config{present.FieldStrategy: f.strategy.Chosen}
	for name, e := range f.entries {
		c[name] = e.Text
	}
	for name, x := range f.flips {
		c[name] = strconv.FormatBool(x.Checked)
	}
	return c
}

func (f *configForm) store() {
	now := f.read()
	text, err := now.Patch(f.text, f.before)
	if err != nil {
		f.w.failed(present.Failed(badConfig, err))
		return
	}
	if text == f.text {
		f.leave()
		return
	}
	config := wire.ConfigText{Project: f.project.Root(), Text: text}
	here := f.w.here()
	request(f.w, wire.MethodConfigSet, config, func(c wire.ConfigText, err error) {
		switch {
		case err != nil:
			f.w.failed(err)
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

func (s *sources) shared() (rows []fyne.CanvasObject) {
	for _, p := range s.w.model.Projects() {
		if p.Shared == nil {
			continue
		}
		mark := present.MarkReady
		line, urgent := present.SharedState(*p.Shared, s.w.now())
		if urgent {
			mark = present.MarkNeeds
		}
		rows = append(rows, twoLines(mark, p.Name, present.Join(line, present.Location(p.Shared.Location)), urgent,
			more("Remove…", func() { s.w.removeShared(p) })))
	}
	return rows
}

func (w *Window) sharers() []api.Project {
	var all []api.Project
	for _, p := range w.model.Projects() {
		if p.Shared == nil {
			all = append(all, p)
		}
	}
	return all
}

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
	e := w.newEntry("", w.closeSheet)
	e.SetPlaceHolder(tr(hint))
	return e
}

// addShared asks for a project and the location of its shared index. The project with the given id is preselected.
// Nothing is fetched before the user confirms.
func (w *Window) addShared(id string) {
	among := w.sharers()
	choices, first := make([]widget.Option, len(among)), ""
	for i, p := range among {
		choices[i] = widget.Option{Key: p.Root(), Name: p.Name, Note: present.Home(p.Root(), w.home)}
		if p.ID == id || i == 0 {
			first = p.Root()
		}
	}
	choice := w.newChooser(choices, first, nil)
	location, at := w.field("s3://bucket/prefix"), w.newPlace()
	result, say := w.slot()
	var sh *sheet
	fetch := primary("Continue…", nil)
	fetch.OnTapped = func() {
		p, known := w.model.Project(choice.Chosen)
		where := present.SharedLocation(location.Text, at.endpoint.Text, at.region.Text)
		if !known || fetch.Disabled() {
			return
		}
		w.asking.confirm(present.AskShared(p, where), func() {
			fetch.Disable()
			say(busyLine("Downloading the shared index"))
			share := wire.Share{Project: p.Root(), Location: where}
			request(w, wire.MethodShareAdd, share, func(_ api.Project, err error) {
				if w.sheet != sh {
					w.failed(err)
					return
				}
				fetch.Enable()
				if err != nil {
					say(w.problemBox(present.ProblemOf(err), nil))
					return
				}
				w.closeSheet()
				w.pages[w.current].shown()
			})
		})
	}
	fetch.Disable()
	location.OnChanged = func(text string) {
		if strings.HasPrefix(strings.TrimSpace(text), "s3://") {
			fetch.Enable()
		} else {
			fetch.Disable()
		}
	}
	location.OnSubmitted = func(string) { fetch.OnTapped() }
	sh = &sheet{
		title: tr("Add shared index"), first: location,
		body: widget.Column(widget.GapGroup,
			widget.Quiet(tr("Credentials come from the environment of Search MCP or from ~/.aws/credentials. "+
				"They are not saved.")),
			section("Project", choice), section("Location of the shared index", location), at.box, result),
		buttons: []fyne.CanvasObject{newButton("Cancel", w.closeSheet), fetch},
	}
	w.open(sh)
}

func (w *Window) removeShared(p api.Project) {
	w.asking.confirm(present.AskUnshared(p), func() {
		request(w, wire.MethodShareRemove, reference(p), func(_ api.Project, err error) {
			w.failed(err)
			w.pages[w.current].shown()
		})
	})
}
