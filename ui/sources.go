package ui

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

// The keys of the settings for the groups of tools.
const (
	keyDocuments = "documents"
	keySites     = "sites"
	keyNamed     = "namedIndexes"
	keyNamedMB   = "namedIndexMB"
	keyArchives  = "archives"
)

type sources struct {
	w       *Window
	all     wire.Sources
	saved   map[string]any
	err     error
	loaded  bool
	running *importing // nil if no import runs
	drawn   string
	every   map[present.Text]bool // titles of groups with all rows visible
	body    *fyne.Container
	root    fyne.CanvasObject
}

func newSources(w *Window) *sources {
	s := &sources{w: w, every: map[present.Text]bool{}, body: container.New(widget.Groups{})}
	s.root = widget.Frame(tr("Sources"), nil, widget.Columns(s.body))
	return s
}

func (s *sources) content() fyne.CanvasObject { return s.root }

func (s *sources) refresh() {
	if shape := s.shape(); s.loaded && shape != s.drawn {
		s.draw()
	}
}

func (s *sources) shape() string {
	shape := strconv.Itoa(len(s.w.sharers()))
	for _, p := range s.w.model.Projects() {
		shape += p.Name + p.Term()
		if p.Shared != nil {
			line, _ := present.SharedState(*p.Shared, s.w.now())
			shape += p.Name + p.Shared.Location + line
		}
	}
	for _, x := range s.all.Sites {
		shape += present.Ago(x.Checked, s.w.now())
	}
	return shape
}

func (s *sources) reads() bool {
	return slices.ContainsFunc(s.all.Documents, func(d api.DocumentSource) bool {
		_, known := s.w.model.Project(d.Root)
		return d.Reading && !known
	})
}

func (s *sources) shown() {
	if !s.loaded {
		s.say(busyLine("Loading"))
	}
	var all wire.Sources
	var saved map[string]any
	s.w.gather(func(err error) {
		if s.err = err; err == nil {
			s.all, s.saved, s.loaded = all, saved, true
		}
		s.draw()
	}, get(wire.MethodSettingsGet, &saved), get(wire.MethodSources, &all))
}

func (s *sources) say(objects ...fyne.CanvasObject) {
	s.body.Objects = objects
	s.body.Refresh()
	s.root.Refresh()
}

func (s *sources) draw() {
	s.drawn = s.shape()
	if s.err != nil {
		s.say(s.w.problemBox(present.ProblemOf(s.err), s.shown))
		return
	}
	documents, pages := 0, 0
	var failing, offered []string
	for _, d := range s.all.Documents {
		p, _ := s.w.model.Project(d.Root)
		documents += present.DocumentsOf(d, p, s.w.now()).Documents // the same number as in the row of d
	}
	for _, x := range s.all.Sites {
		pages += x.Pages
		switch {
		case x.Offered != (api.SiteWords{}):
			offered = append(offered, x.Name)
		case x.Problem != "":
			failing = append(failing, x.Name)
		}
	}
	wrong := func(names []string, what present.Text) string { // returns "" for no names
		if len(names) == 0 {
			return ""
		}
		return tr(what, strings.Join(names, ", "))
	}
	shared := len(s.w.model.Projects()) - len(s.w.sharers())
	var again, imports, share *widget.Button
	if len(s.all.Sites) > 0 {
		again = newButton("Refresh", func() { change(s, wire.MethodSiteRefresh, wire.Empty{}) })
	}
	if s.running == nil {
		imports = newButton("Import folder…", func() { s.w.chooseFolder(s.importFolder) })
	}
	if len(s.w.sharers()) > 0 {
		share = newButton("Add shared index…", func() { s.w.addShared("") })
	}
	s.say(
		s.group("Documents", "Search your Markdown, HTML and text files.", keyDocuments, present.Join(
			present.Count(len(s.all.Documents), "folder"), present.Count(documents, "document")), false, s.documents(),
			newButton("Add folder…", func() {
				s.w.chooseFolder(func(dir string) { change(s, wire.MethodDocsAdd, wire.DocumentsRef{Dir: dir}) })
			})),
		s.group("Sites", "Search a website's index.",
			keySites, present.Join(wrong(failing, "%s not refreshed"), wrong(offered, "%s to review"),
				present.Count(len(s.all.Sites), "site"), present.Count(pages, "page")), len(failing)+len(offered) > 0, s.sites(),
			newButton("Add site…", s.addSite), again),
		s.group("Archive", "Search research notes and saved pages.",
			keyArchives, present.Join(present.Sentence(s.all.Archive.Problem),
				present.Count(s.all.Archive.Documents, "document")), s.all.Archive.Problem != "", s.archive(), imports),
		s.group("Assistants' notes", "Kept until Search MCP quits.", keyNamed,
			present.Count(len(s.all.Named.Indexes), "index"), false, s.named()),
		s.group("Shared indexes", "Use an index your team has published.", "",
			present.Count(shared, "project"), false, s.shared(), share),
	)
}

func (s *sources) on(key string) bool {
	on, known := s.saved[key].(bool)
	return on || !known
}

const fewRows = 5

func (s *sources) group(title, about present.Text, key, line string, urgent bool, rows []fyne.CanvasObject,
	does ...*widget.Button) fyne.CanvasObject {
	mark, on := present.MarkReady, s.on(key)
	switch {
	case !on:
		mark, line = present.MarkGone, tr("Off: hidden from assistants.")
	case urgent:
		mark = present.MarkNeeds
	case len(rows) == 0:
		mark, line, about = present.MarkNone, tr(about), ""
	}
	var control []fyne.CanvasObject
	if key != "" {
		control = append(control, toggle(on, func(on bool) { s.set(map[string]any{key: on}) }))
	}
	head := under(mark, container.New(widget.Beside{}, widget.Strong(tr(title)), widget.Caption(tr(about))), line,
		urgent && on, control...)
	if !on {
		return head
	}
	if n := len(rows); n > fewRows && !s.every[title] {
		all := link("", func() {
			s.every[title] = true
			s.draw()
		})
		all.Set(tr("Show all %s", present.Number(n)), nil)
		rows = append(rows[:fewRows:fewRows], widget.Pad(0, 0, rowText-widget.GapSmall/2, 0, widget.Row(all)))
	}
	buttons := widget.Row()
	for _, b := range does {
		if b != nil {
			buttons.Add(b)
		}
	}
	if len(rows) > 0 && slices.Contains(allSources, title) {
		buttons.Add(newButton("Search…", func() { s.w.pages[PageSearch].(*search).ask(title, "", "") }))
	}
	if len(buttons.Objects) > 0 {
		rows = append(rows, cardFoot(buttons))
	}
	return widget.Column(4, head, card(rows))
}

func (s *sources) set(changes map[string]any) {
	change(s, wire.MethodSettingsSet, changes)
}

func change[P, R any](s *sources, m wire.Method[P, R], params P) {
	request(s.w, m, params, func(_ R, err error) {
		s.w.failed(err)
		s.shown()
	})
}

func (s *sources) documents() (rows []fyne.CanvasObject) {
	views := make([]present.Documents, 0, len(s.all.Documents))
	for _, d := range s.all.Documents {
		p, _ := s.w.model.Project(d.Root)
		views = append(views, present.DocumentsOf(d, p, s.w.now()))
	}
	slices.SortStableFunc(views, func(a, b present.Documents) int { // folders without documents are last
		return min(b.Documents, 1) - min(a.Documents, 1)
	})
	for _, v := range views {
		rows = append(rows, s.documentRow(v))
	}
	return rows
}

func (s *sources) documentRow(v present.Documents) fyne.CanvasObject {
	d, place := v.Source, present.Home(v.Source.Root, s.w.home)
	p, known := s.w.model.Project(d.Root)
	switch {
	case d.Origin == api.OriginAdded:
		return twoLines(v.Mark, place, v.Line, v.Urgent, more("Remove", func() {
			change(s, wire.MethodDocsRemove, wire.DocumentsRef{Dir: d.Root})
		}))
	case known:
		return twoLines(v.Mark, p.Name, present.Join(v.Line, place), v.Urgent,
			link("Settings…", func() { s.w.configure(p) }))
	}
	return twoLines(v.Mark, place, v.Line, v.Urgent)
}

func (s *sources) sites() (rows []fyne.CanvasObject) {
	for _, x := range s.all.Sites {
		mark, line, urgent := present.MarkReady, present.Join(x.Domain, present.Count(x.Pages, "page"),
			tr("checked %s", present.Ago(x.Checked, s.w.now()))), false
		if x.Problem != "" {
			mark, line, urgent = present.MarkNeeds, tr("Not refreshed: %s", present.Sentence(x.Problem)), true
		}
		links := widget.Row(more("Remove…", func() { s.removeSite(x) }))
		if x.Offered != (api.SiteWords{}) {
			mark, line, urgent = present.MarkNeeds,
				tr("Its description has changed. Assistants still see the earlier description."), true
			links = widget.Row(link("Review…", func() { s.newWords(x) }), links)
		}
		rows = append(rows, twoLines(mark, x.Name, line, urgent, links))
	}
	return rows
}

func (s *sources) newWords(x api.Site) {
	s.w.open(&sheet{
		title: tr("New description of %s", x.Name),
		body: widget.Column(widget.GapGroup, factList([]present.Fact{{Label: "Site", Value: x.Offered.Name},
			{Label: "Domain", Value: x.Offered.Domain}, {Label: "Tool", Value: "search_" + x.Offered.Prefix}}),
			about(x.Offered.Description)),
		buttons: []fyne.CanvasObject{newButton("Use the new description", func() {
			s.w.closeSheet()
			change(s, wire.MethodSiteAdd, wire.SiteAdd{SiteLocation: x.SiteLocation})
		}), primary("Keep the current description", s.w.closeSheet)},
	})
}

func about(description string) fyne.CanvasObject {
	return widget.Prose("“" + strings.Join(strings.Fields(description), " ") + "”")
}

func (s *sources) removeSite(x api.Site) {
	s.w.open(&sheet{
		title: tr("Remove %s", x.Name),
		body: widget.Column(widget.GapGroup, widget.Prose(
			tr("Assistants will no longer see %s. The site itself is not touched.", x.Name)),
			widget.Quiet(x.URL)),
		buttons: []fyne.CanvasObject{newButton("Remove site", func() {
			s.w.closeSheet()
			change(s, wire.MethodSiteRemove, wire.SiteRef{Site: x.Tool})
		}), primary("Keep site", s.w.closeSheet)},
	})
}

func (s *sources) archive() (rows []fyne.CanvasObject) {
	a := s.all.Archive
	if a.Problem != "" {
		rows = append(rows, message(present.MarkNeeds, widget.Warning(a.Problem)))
	}
	if a.Exists {
		rows = append(rows, labelled(present.Join(present.Count(a.Citations, "citation"), present.Size(a.Bytes)),
			present.Home(a.Path, s.w.home), container.NewStack()))
	}
	for _, f := range a.Folders {
		rows = append(rows, twoLines(present.MarkReady, present.Home(f.Folder, s.w.home),
			present.Count(f.Documents, "document"), false,
			more("Remove", func() { change(s, wire.MethodArchiveRemove, wire.ArchiveRef{Folder: f.Folder}) })))
	}
	if s.running != nil {
		rows = append([]fyne.CanvasObject{s.running.box}, rows...)
	}
	return rows
}

type importing struct {
	box    fyne.CanvasObject
	line   *widget.Text
	bar    *widget.Bar
	cancel context.CancelFunc
}

func (s *sources) importFolder(dir string) {
	ctx, cancel := context.WithCancel(s.w.ctx)
	i := &importing{line: widget.Muted(tr("Importing %s", present.Home(dir, s.w.home))), bar: widget.NewBar(),
		cancel: cancel}
	i.bar.Set(0)
	i.box = container.NewBorder(nil, nil, nil, newButton("Stop", cancel), widget.Column(4, i.line, i.bar))
	s.running = i
	s.draw()
	here := s.w.here()
	later(s.w, func(_ context.Context, b Backend) (api.ArchiveReport, error) {
		defer cancel()
		return wire.MethodArchiveImport.Call(ctx, b.Reporting(func(done, total int) {
			s.w.onUI(func() {
				i.line.Set(tr("%s of %s", present.Number(done), present.Count(total, "document")))
				i.bar.Set(present.Share(done, total))
			})
		}), wire.ArchiveImport{Dir: dir})
	}, func(r api.ArchiveReport, err error) {
		s.running = nil
		s.shown()
		switch {
		case err != nil:
			s.w.failed(err)
		case here():
			s.imported(r)
		}
	})
}

func (s *sources) imported(r api.ArchiveReport) {
	parts := []fyne.CanvasObject{widget.Quiet(present.Home(r.Folder, s.w.home)), factList([]present.Fact{
		{Label: "Documents", Value: present.Number(r.Documents)},
		{Label: "New", Value: present.Number(r.Added)},
		{Label: "Changed", Value: present.Number(r.Updated)},
		{Label: "Gone", Value: present.Number(r.Removed)},
		{Label: "Citations", Value: tr("%s, %s of them within the archive", present.Number(r.Citations),
			present.Number(r.Resolved))},
	})}
	if len(r.Skipped) > 0 {
		rows := widget.Column(6)
		for _, x := range r.Skipped {
			rows.Add(widget.Quiet(x))
		}
		parts = append(parts, section("Excluded", rows))
	}
	s.w.open(&sheet{title: tr("Imported"), body: widget.Column(widget.GapGroup, parts...),
		buttons: []fyne.CanvasObject{primary("Close", s.w.closeSheet)}})
}

func (s *sources) named() (rows []fyne.CanvasObject) {
	if v, known := s.saved[keyNamedMB].(float64); known {
		rows = append(rows, labelled(tr("Memory"), tr("%s in use", present.Size(s.all.Named.Bytes)),
			s.w.choose([]int{64, 128, 256, 512, 1024}, int(v), func(mb int) string { return present.Size(int64(mb) << 20) },
				func(mb int) { s.set(map[string]any{keyNamedMB: mb}) })))
	}
	for _, x := range s.all.Named.Indexes {
		rows = append(rows, twoLines(present.MarkReady, x.Name,
			present.Join(present.Count(x.Documents, "document"), present.Size(x.Bytes)), false,
			more("Remove", func() { change(s, wire.MethodNamedRemove, wire.NamedRef{Index: x.Name}) })))
	}
	return rows
}

func (w *Window) choose(choices []int, set int, word func(int) string, changed func(int)) fyne.CanvasObject {
	if !slices.Contains(choices, set) {
		choices = append(slices.Clone(choices), set)
		slices.Sort(choices)
	}
	var options []widget.Option
	for _, n := range choices {
		options = append(options, widget.Option{Key: strconv.Itoa(n), Name: word(n)})
	}
	return widget.Wide(176, w.newChooser(options, strconv.Itoa(set), func(key string) {
		if n, err := strconv.Atoi(key); err == nil {
			changed(n)
		}
	}))
}

func (s *sources) addSite() {
	w := s.w
	url, prefix := w.field("https://…, s3://bucket/key or the path of a file"), w.field("as in the index")
	bucket := w.newPlace()
	bucket.box.Hide()
	result, say := w.slot()
	at := func() api.SiteLocation {
		l := api.SiteLocation{URL: strings.TrimSpace(url.Text)}
		if strings.HasPrefix(l.URL, "s3://") {
			l.Endpoint, l.Region = strings.TrimSpace(bucket.endpoint.Text), strings.TrimSpace(bucket.region.Text)
		}
		return l
	}
	add := primary("Add site", func() {
		site := wire.SiteAdd{SiteLocation: at(), Prefix: strings.TrimSpace(prefix.Text)}
		here := w.here()
		request(w, wire.MethodSiteAdd, site, func(_ api.Site, err error) {
			switch {
			case !here():
				w.failed(err)
				return
			case err != nil:
				say(w.problemBox(present.ProblemOf(err), nil))
				return
			}
			w.closeSheet()
			s.shown()
		})
	})
	add.Disable()
	url.OnChanged = func(text string) {
		add.Disable() // the new address is unchecked
		if is := strings.HasPrefix(text, "s3://"); is != bucket.box.Visible() {
			bucket.box.Hidden = !is
			w.relayout()
		}
	}
	check := newButton("Check", func() {
		say(busyLine("Checking"))
		request(w, wire.MethodSiteValidate, at(), func(r api.SiteReport, err error) {
			switch {
			case err != nil:
				say(w.problemBox(present.ProblemOf(err), nil))
			case !r.Valid:
				say(siteProblems(r.Problems))
			default:
				say(siteFound(r))
				add.Enable()
				w.win.Canvas().Focus(add)
			}
		})
	})
	url.OnSubmitted = func(string) { check.OnTapped() }
	w.open(&sheet{
		title: tr("Add site"), first: url,
		body: widget.Column(widget.GapGroup,
			section("Location of the search index", url), bucket.box,
			section("Name of the tool (the part after search_)", prefix), result),
		buttons: []fyne.CanvasObject{newButton("Cancel", w.closeSheet), check, add},
	})
}

func siteProblems(all []api.SiteProblem) fyne.CanvasObject {
	rows := widget.Column(6, message(present.MarkNeeds,
		widget.Warning(tr("%s in this index. Fix them before adding it.", present.Count(len(all), "mistake")))))
	for _, p := range all {
		place := widget.NewText(p.Path, theme.SizeNameCaptionText, theme.ColorNameForeground, false)
		place.Style.Monospace = true
		rows.Add(widget.Column(0, place, widget.Quiet(present.Sentence(p.Message))))
	}
	return rows
}

func siteFound(r api.SiteReport) fyne.CanvasObject {
	parts := widget.Column(widget.GapSmall, message(present.MarkReady, widget.Prose(tr("The index is valid."))),
		factList([]present.Fact{
			{Label: "Site", Value: r.Name}, {Label: "Domain", Value: r.Domain},
			{Label: "Pages", Value: present.Number(r.Pages)}, {Label: "Tool", Value: r.Tool},
		}))
	if r.About != "" {
		parts.Add(about(r.About))
	}
	if r.Note != "" {
		parts.Add(widget.Quiet(present.Sentence(r.Note)))
	}
	return parts
}
