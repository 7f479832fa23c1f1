package page

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

const (
	KeyDocuments = "documents"
	KeySites     = "sites"
	KeyNamed     = "namedIndexes"
	KeyNamedMB   = "namedIndexMB"
	KeyArchives  = "archives"
)

type Sources struct {
	w       *Window
	all     wire.Sources
	saved   map[string]any
	err     error
	loaded  bool
	Running fyne.CanvasObject // progress of an import, or nil
	drawn   string
	every   map[present.Text]bool
	Body    *fyne.Container
	root    fyne.CanvasObject
}

func newSources(w *Window) *Sources {
	s := &Sources{w: w, every: map[present.Text]bool{}, Body: container.New(widget.Groups{Aligned: true})}
	columns, _ := widget.Columns(s.Body)
	s.root = widget.Frame(tr("Sources"), nil, columns)
	return s
}

func (s *Sources) Content() fyne.CanvasObject { return s.root }

func (s *Sources) Refresh() {
	if shape := s.shape(); s.loaded && shape != s.drawn {
		s.draw()
	}
}

func (s *Sources) shape() string {
	shape := strconv.Itoa(len(s.w.sharers()))
	for _, p := range s.w.Model.Projects() {
		shape += p.Name + p.Term() + present.Ago(p.LastUpdated, s.w.Now())
		if p.Shared != nil {
			line, _ := present.SharedState(*p.Shared, s.w.Now())
			shape += p.Name + p.Shared.Location + line
		}
	}
	for _, x := range s.all.Sites {
		shape += present.Ago(x.Checked, s.w.Now())
	}
	return shape
}

// ReadsDocuments reports whether the app is reading a folder of documents that is not a project.
func (w *Window) ReadsDocuments() bool {
	s := w.Pages[PageSources].(*Sources)
	return slices.ContainsFunc(s.all.Documents, func(d api.DocumentSource) bool {
		_, known := s.w.Model.Project(d.Root)
		return d.Reading && !known
	})
}

func (s *Sources) Shown() {
	if !s.loaded {
		s.say(busyLine("Loading"))
	}
	var all wire.Sources
	var saved map[string]any
	s.w.Gather(func(err error) {
		if s.err = err; err == nil {
			s.all, s.saved, s.loaded = all, saved, true
		}
		s.draw()
	}, Get(wire.MethodSettingsGet, &saved), Get(wire.MethodSources, &all))
}

func (s *Sources) say(objects ...fyne.CanvasObject) {
	s.w.keepFocus(s.Body, func() {
		s.Body.Objects = objects
		s.Body.Refresh()
		s.root.Refresh()
	})
}

func (s *Sources) draw() {
	s.drawn = s.shape()
	if s.err != nil {
		s.say(s.w.ProblemBox(present.ProblemOf(s.err), s.Shown))
		return
	}
	documents, pages, reading := 0, 0, false
	var failing, offered []string
	for _, d := range s.all.Documents {
		p, _ := s.w.Model.Project(d.Root)
		v := present.DocumentsOf(d, p.Own(s.w.Model.Problems), s.w.Now())
		documents, reading = documents+v.Documents, reading || v.Mark == present.MarkBusy && v.Documents == 0
	}
	counted := present.Count(documents, "document")
	if reading {
		counted = tr("Reading…")
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
	wrong := func(names []string, what present.Text) string {
		if len(names) == 0 {
			return ""
		}
		return tr(what, strings.Join(names, ", "))
	}
	shared := len(s.w.Model.Projects()) - len(s.w.sharers())
	var again, imports, share fyne.CanvasObject
	if len(s.all.Sites) > 0 {
		again = NewButton("Refresh", func() { change(s, wire.MethodSiteRefresh, wire.Empty{}) })
	}
	if s.Running == nil {
		imports = NewButton("Import folder…", func() { s.w.chooseFolder(s.ImportFolder) })
	}
	if len(s.w.sharers()) > 0 {
		share = NewButton("Add shared index…", func() { s.w.AddShared("") })
	}
	s.say(
		s.group("Documents", "Search your Markdown, HTML and text files.", KeyDocuments, present.Join(
			present.Count(len(s.all.Documents), "folder"), counted), false, s.documents(),
			NewButton("Add folder…", func() {
				s.w.chooseFolder(func(dir string) { change(s, wire.MethodDocsAdd, wire.Ref{Ref: dir}) })
			})),
		s.group("Sites", "Search a website's index.",
			KeySites, present.Join(wrong(failing, "%s not refreshed"), wrong(offered, "%s to review"),
				present.Count(len(s.all.Sites), "site"), present.Count(pages, "page")), len(failing)+len(offered) > 0, s.sites(),
			NewButton("Add site…", s.AddSite), again),
		s.group("Archive", "Search research notes and saved pages.",
			KeyArchives, present.Join(present.Sentence(s.all.Archive.Problem),
				present.Count(s.all.Archive.Documents, "document"), present.Count(s.all.Archive.Citations, "citation"),
				present.Size(s.all.Archive.Bytes)), s.all.Archive.Problem != "", s.archive(), imports),
		s.group("Shared indexes", "Use an index your team has published.", "",
			present.Count(shared, "project"), false, s.shared(), share),
		s.group("Assistants' notes", "Kept until Search MCP quits.", KeyNamed,
			tr("%s in use", present.Size(s.all.Named.Bytes)), false, s.named()),
	)
}

func (s *Sources) on(key string) bool {
	on, known := s.saved[key].(bool)
	return on || !known
}

const FewRows = 5

var groupIcons = map[present.Text]fyne.Resource{"Documents": PageIcons[PageSources], "Sites": glyph("site"),
	"Archive": glyph("archive"), "Assistants' notes": glyph("updated"), "Shared indexes": glyph("indexed")}

// groupHelp describes the kinds of sources while they are empty.
var groupHelp = map[present.Text]present.Text{
	"Documents": "Documents of your projects are found automatically. You can add other folders, such as a handbook.",
	"Sites":     "A site publishes its pages in one file. To make such a file: search-mcp site build public/",
	"Archive":   "Import notes, papers and saved web pages, such as ~/research. Assistants search and cite them.",
	"Assistants' notes": "Assistants collect texts here while they work. Try asking one: " +
		"“Put these meeting notes into an index and search it.”",
	"Shared indexes": "A CI job indexes a large project once, and you download the result: " +
		"search-mcp share publish s3://bucket/project",
}

func (s *Sources) group(title, about present.Text, key, line string, urgent bool, rows []fyne.CanvasObject,
	does ...fyne.CanvasObject) fyne.CanvasObject {
	picture, on := groupIcons[title], s.on(key)
	empty := len(rows) == 0 || !on
	switch {
	case !on:
		line, does = tr("Off: hidden from assistants."), nil
	case urgent:
		picture = Marks[present.MarkNeeds]
	case empty:
		line, about = tr(about), ""
	}
	if empty {
		rows = []fyne.CanvasObject{widget.Pad(4, 0, 0, 0, widget.Quiet(tr(groupHelp[title])))}
	}
	var control []fyne.CanvasObject
	if key != "" {
		control = append(control, toggle(on, func(on bool) { s.Set(map[string]any{key: on}) }))
	}
	head := noted(icon(picture), tr(title), tr(about), line, urgent && on, control...)
	if n := len(rows); n > FewRows {
		all := Link("", func() {
			s.every[title] = !s.every[title]
			s.draw()
		})
		all.Set(tr("Show fewer"), nil)
		if !s.every[title] {
			all.Set(tr("Show all %s", present.Number(n)), nil)
			rows = rows[:FewRows:FewRows]
		}
		rows = append(rows, widget.Pad(0, 0, rowText-widget.GapSmall/2, 0, widget.Row(all)))
	}
	buttons := widget.Row(does...)
	if !empty && slices.Contains(allSources, title) {
		buttons.Add(NewButton("Search…", func() { s.w.Pages[PageSearch].(*Search).Ask(title, "", "") }))
	}
	if len(buttons.Objects) > 0 {
		rows = append(rows, cardFoot(buttons))
	}
	return widget.Column(4, head, card(rows))
}

func (s *Sources) Set(changes map[string]any) { change(s, wire.MethodSettingsSet, changes) }

func change[P, R any](s *Sources, m wire.Method[P, R], params P) {
	Request(s.w, m, params, func(_ R, err error) {
		s.w.Failed(err)
		s.Shown()
	})
}

func (s *Sources) documents() (rows []fyne.CanvasObject) {
	views := make([]present.Documents, 0, len(s.all.Documents))
	for _, d := range s.all.Documents {
		p, _ := s.w.Model.Project(d.Root)
		views = append(views, present.DocumentsOf(d, p.Own(s.w.Model.Problems), s.w.Now()))
	}
	slices.SortStableFunc(views, func(a, b present.Documents) int { // folders without documents are last
		return min(b.Documents, 1) - min(a.Documents, 1)
	})
	for _, v := range views {
		rows = append(rows, s.documentRow(v))
	}
	return rows
}

func (s *Sources) documentRow(v present.Documents) fyne.CanvasObject {
	d, place := v.Source, present.Home(v.Source.Root, s.w.Home)
	p, known := s.w.Model.Project(d.Root)
	switch {
	case d.Origin == api.OriginAdded:
		return twoLines(v.Mark, place, v.Line, v.Urgent, more("Remove", func() {
			change(s, wire.MethodDocsRemove, wire.Ref{Ref: d.Root})
		}))
	case known:
		return noted(icon(Marks[v.Mark]), p.Name, place, v.Line, v.Urgent,
			Link("Settings…", func() { s.w.Configure(p) }))
	}
	return twoLines(v.Mark, place, v.Line, v.Urgent)
}

func (s *Sources) sites() (rows []fyne.CanvasObject) {
	for _, x := range s.all.Sites {
		mark, line, urgent := present.MarkReady, present.Join(x.Domain, present.Count(x.Pages, "page"),
			tr("checked %s", present.Ago(x.Checked, s.w.Now()))), false
		if x.Problem != "" {
			mark, line, urgent = present.MarkNeeds, tr("Not refreshed: %s", present.Cause(x.Problem)), true
		}
		links := widget.Row(more("Remove…", func() { s.RemoveSite(x) }))
		if x.Offered != (api.SiteWords{}) {
			mark, line, urgent = present.MarkNeeds,
				tr("Its description has changed. Assistants still see the earlier description."), true
			links = widget.Row(Link("Review…", func() { s.newWords(x) }), links)
		}
		rows = append(rows, twoLines(mark, x.Name, line, urgent, links))
	}
	return rows
}

func (s *Sources) newWords(x api.Site) {
	s.w.Open(&Sheet{
		Title: tr("New description of %s", x.Name),
		Body: widget.Column(widget.GapGroup, FactList([]present.Fact{{Label: "Site", Value: x.Offered.Name},
			{Label: "Domain", Value: x.Offered.Domain}, {Label: "Tool", Value: "search_" + x.Offered.Prefix}}),
			about(x.Offered.Description)),
		Buttons: []fyne.CanvasObject{NewButton("Use the new description", func() {
			s.w.CloseSheet()
			change(s, wire.MethodSiteAdd, wire.SiteAdd{SiteLocation: x.SiteLocation})
		}), Primary("Keep the current description", s.w.CloseSheet)},
	})
}

func about(description string) fyne.CanvasObject {
	return widget.Prose("“" + strings.Join(strings.Fields(description), " ") + "”")
}

func (s *Sources) RemoveSite(x api.Site) {
	s.w.Open(&Sheet{
		Title: tr("Remove %s", x.Name),
		Body: widget.Column(widget.GapGroup, widget.Prose(
			tr("Assistants will no longer see %s. The site itself is not touched.", x.Name)),
			widget.Quiet(x.URL)),
		Buttons: []fyne.CanvasObject{NewButton("Remove site", func() {
			s.w.CloseSheet()
			change(s, wire.MethodSiteRemove, wire.Ref{Ref: x.Tool})
		}), Primary("Keep site", s.w.CloseSheet)},
	})
}

func (s *Sources) archive() (rows []fyne.CanvasObject) {
	a := s.all.Archive
	if a.Problem != "" {
		rows = append(rows, Message(present.MarkNeeds, widget.Warning(present.Sentence(a.Problem))))
	}
	for _, f := range a.Folders {
		rows = append(rows, twoLines(present.MarkReady, present.Home(f.Folder, s.w.Home),
			present.Count(f.Documents, "document"), false,
			more("Remove", func() { change(s, wire.MethodArchiveRemove, wire.Ref{Ref: f.Folder}) })))
	}
	if s.Running != nil {
		rows = append([]fyne.CanvasObject{s.Running}, rows...)
	}
	return rows
}

func (s *Sources) ImportFolder(dir string) {
	ctx, cancel := context.WithCancel(s.w.Ctx)
	line, bar := widget.Muted(tr("Importing %s", present.Home(dir, s.w.Home))), widget.NewBar()
	bar.Set(0)
	s.Running = container.NewBorder(nil, nil, nil, NewButton("Stop", cancel), widget.Column(4, line, bar))
	s.draw()
	here := s.w.Here()
	later(s.w, func(_ context.Context, b Backend) (api.ArchiveReport, error) {
		defer cancel()
		return wire.MethodArchiveImport.Call(ctx, b.Reporting(func(done, total int) {
			s.w.OnUI(func() {
				line.Set(tr("%s of %s", present.Number(done), present.Count(total, "document")))
				bar.Set(present.Share(done, total))
			})
		}), wire.ArchiveImport{Dir: dir})
	}, func(r api.ArchiveReport, err error) {
		s.Running = nil
		s.Shown()
		switch {
		case err != nil:
			s.w.Failed(err)
		case here():
			s.imported(r)
		}
	})
}

func (s *Sources) imported(r api.ArchiveReport) {
	parts := []fyne.CanvasObject{widget.Quiet(present.Home(r.Folder, s.w.Home)), FactList([]present.Fact{
		{Label: "Documents", Value: present.Number(r.Documents)},
		{Label: "New", Value: present.Number(r.Added)},
		{Label: "Changed", Value: present.Number(r.Updated)},
		{Label: "Gone", Value: present.Number(r.Removed)},
		{Label: "Citations", Value: tr("%s, %s of them in the archive", present.Number(r.Citations),
			present.Number(r.Resolved))},
	})}
	if len(r.Skipped) > 0 {
		rows := widget.Column(6)
		for _, x := range r.Skipped {
			rows.Add(widget.Quiet(present.Sentence(x)))
		}
		parts = append(parts, section("Excluded", rows))
	}
	s.w.Open(&Sheet{Title: tr("Imported"), Body: widget.Column(widget.GapGroup, parts...),
		Buttons: []fyne.CanvasObject{Primary("Close", s.w.CloseSheet)}})
}

func (s *Sources) named() (rows []fyne.CanvasObject) {
	for _, x := range s.all.Named.Indexes {
		if x.Documents == 0 { // such as the default index
			continue
		}
		rows = append(rows, twoLines(present.MarkReady, x.Name,
			present.Join(present.Count(x.Documents, "document"), present.Size(x.Bytes)), false,
			more("Remove", func() { change(s, wire.MethodNamedRemove, wire.Ref{Ref: x.Name}) })))
	}
	if v, known := s.saved[KeyNamedMB].(float64); known && len(rows) > 0 {
		rows = append(rows, labelled(tr("Memory"), "",
			s.w.choose([]int{64, 128, 256, 512, 1024}, int(v), func(mb int) string { return present.Size(int64(mb) << 20) },
				func(mb int) { s.Set(map[string]any{KeyNamedMB: mb}) })))
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
	return widget.Wide(176, w.NewChooser(options, strconv.Itoa(set), func(key string) {
		if n, err := strconv.Atoi(key); err == nil {
			changed(n)
		}
	}))
}

func (s *Sources) AddSite() {
	w := s.w
	url, prefix := w.field("https://…, s3://bucket/key or the path of a file"), w.field("as in the index")
	bucket := w.newPlace()
	bucket.box.Hide()
	result, say := w.slot(nil)
	var valid fyne.CanvasObject // report about the checked index, or nil
	at := func() api.SiteLocation {
		l := api.SiteLocation{URL: strings.TrimSpace(url.Text)}
		if strings.HasPrefix(l.URL, "s3://") {
			l.Endpoint, l.Region = strings.TrimSpace(bucket.endpoint.Text), strings.TrimSpace(bucket.region.Text)
		}
		return l
	}
	add := Primary("Add site", func() {
		site := wire.SiteAdd{SiteLocation: at(), Prefix: strings.TrimSpace(prefix.Text)}
		here := w.Here()
		Request(w, wire.MethodSiteAdd, site, func(_ api.Site, err error) {
			switch {
			case !here():
				w.Failed(err)
				return
			case err != nil:
				say(w.ProblemBox(present.ProblemOf(err), nil))
				return
			}
			w.CloseSheet()
			s.Shown()
		})
	})
	add.Disable()
	url.OnChanged = func(text string) {
		add.Disable() // the new address must be checked first
		valid = nil
		say(nil)
		if is := strings.HasPrefix(text, "s3://"); is != bucket.box.Visible() {
			bucket.box.Hidden = !is
			w.Relayout()
		}
	}
	prefix.OnChanged = func(string) { say(valid) }
	check := NewButton("Check", func() {
		say(busyLine("Checking"))
		checked := at()
		Request(w, wire.MethodSiteValidate, checked, func(r api.SiteReport, err error) {
			switch {
			case checked != at(): // changed meanwhile
			case err != nil:
				say(w.ProblemBox(present.ProblemOf(err), nil))
			case !r.Valid:
				say(siteProblems(r.Problems))
			default:
				valid = siteFound(r)
				say(valid)
				add.Enable()
				w.Win.Canvas().Focus(add)
			}
		})
	})
	url.OnSubmitted = func(string) { check.OnTapped() }
	w.Open(&Sheet{
		Title: tr("Add site"), first: url,
		Body: widget.Column(widget.GapGroup,
			section("Location of the search index", url), bucket.box,
			section("Name of the tool: search_…", prefix), result),
		Buttons: []fyne.CanvasObject{NewButton("Cancel", w.CloseSheet), check, add},
	})
}

func siteProblems(all []api.SiteProblem) fyne.CanvasObject {
	rows := widget.Column(6, Message(present.MarkNeeds,
		widget.Warning(tr("%s in this index. Fix them before adding it.", present.Count(len(all), "mistake")))))
	for _, p := range all {
		place := widget.NewText(p.Path, theme.SizeNameCaptionText, theme.ColorNameForeground, false)
		place.Style.Monospace = true
		rows.Add(widget.Column(0, place, widget.Quiet(present.Sentence(p.Message))))
	}
	return rows
}

func siteFound(r api.SiteReport) fyne.CanvasObject {
	return widget.Column(widget.GapSmall, Message(present.MarkReady, widget.Prose(tr("The index is valid."))),
		FactList([]present.Fact{
			{Label: "Site", Value: r.Name}, {Label: "Domain", Value: r.Domain},
			{Label: "Pages", Value: present.Number(r.Pages)}, {Label: "Tool", Value: r.Tool},
		}), widget.Some(about, r.About), widget.Some(widget.Quiet, present.Sentence(r.Note)))
}
