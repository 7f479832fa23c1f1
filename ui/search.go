package ui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/highlight"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

const (
	// typingPause is the pause in typing after which a search starts. A search over thirty projects takes 250 ms, so
	// results appear within 300 ms.
	typingPause  = 40 * time.Millisecond
	filesLimit   = 500
	outsideLimit = 25
	againTime    = 500 * time.Millisecond
)

const everywhere = "*"

type search struct {
	w       *Window
	win     fyne.Window
	project string // root of the searched project, or the constant everywhere
	source  present.Source

	field    *widget.Entry
	match    present.Match
	toggles  *matchToggles
	files    *widget.Text
	star     *widget.Button
	chip     *widget.Button // shows the only project that the palette searches; a click removes this limit
	sources  *widget.Segments[present.Text]
	kinds    *widget.Chooser // replaces sources in a narrow window
	projects *widget.Chooser
	summary  *widget.Text
	hints    *widget.KeyHints
	below    *fyne.Container
	head     *fyne.Container
	message  *fyne.Container
	list     *widget.List
	preview  *preview
	lately   []api.Activity
	split    fyne.CanvasObject
	root     fyne.CanvasObject

	round   int // number of the newest search; older answers are discarded
	cancel  func()
	first   present.Source // source of results shown before other answers arrive, or ""
	query   string
	typedAs present.Typed
	asked   string // query of the running search, or ""
	weak    bool
	lines   int     // maximum number of matching lines to request
	brief   bool    // the palette, with one row per result
	short   bool    // narrow window: two lines per result
	height  float32 // height available for the rows of an empty field
	every   bool
	older   bool
	settled func()       // called after the rows have changed; may be nil
	enter   bool         // Enter was pressed before the answer arrived
	dim     *widget.Fill // covers results of another query
	busy    *widget.Bar
	rows    []resultRow
	answer  answer

	clicked    time.Time // time of the last click on a result
	clickedRow int
}

type answer struct {
	code, docs api.Results
	files      api.FileResults
	outside    wire.SourceResults
	lines      api.GrepResults
	several    bool
}

var allSources = []present.Source{present.SourceAll, present.SourceCode, present.SourceDocuments, present.SourceSites,
	present.SourceArchive, present.SourceFiles}

func newSearch(w *Window, brief bool) *search {
	s := &search{w: w, win: w.win, source: present.SourceAll, cancel: func() {}, brief: brief}
	s.field = w.newEntry("", func() { s.field.SetText("") })
	s.field.Icon = theme.SearchIcon()
	s.star = widget.IconButton(starIcon, s.save)
	s.star.Hide()
	s.toggles = newMatchToggles(s)
	s.files = widget.Caption("")
	s.chip = newButton("", func() { s.scope(everywhere) }).As(widget.ToneChosen)
	s.chip.Hide()
	s.field.ActionItem = s.star
	if !brief {
		s.field.ActionItem = container.New(layout.NewCustomPaddedHBoxLayout(2), widget.Wide(widget.ButtonHeight, s.star),
			widget.Pad(2, 2, 0, 4, s.toggles.box))
	}
	s.field.OnChanged = func(string) { s.typed() }
	s.field.OnSubmitted = func(string) { s.submitted() }
	for key, by := range widget.Steps {
		s.field.Keys[key] = func() { s.list.Step(by) }
	}
	s.sources = newSegments(allSources, s.source, func(v present.Text) {
		s.source = v
		s.kinds.Offer(s.kinds.Options, string(v))
		s.placeholder()
		s.run()
	})
	var kinds []widget.Option
	for _, k := range allSources {
		kinds = append(kinds, widget.Option{Key: string(k), Name: tr(k)})
	}
	s.kinds = w.newChooser(kinds, string(s.source), func(k string) { s.sources.Choose(present.Source(k)) })
	s.projects = w.newChooser(nil, "", func(root string) {
		s.project = root
		s.run()
	})
	s.summary = widget.WholeCaption("")
	s.dim, s.busy = widget.NewFill(widget.ColorDim, 0), widget.NewBar()
	s.dim.Hide()
	s.list = widget.NewList(headingHeight, func() int { return len(s.rows) }, newResultView,
		func(i int, o fyne.CanvasObject) { o.(*resultView).set(s.rows[i]) })
	s.list.Lined = true
	s.list.Height = func(i int) float32 { return s.rows[i].height(s.list.Width()) }
	s.list.Stops = func(i int) bool { return s.rows[i].result() }
	s.list.Leads = func(i int) bool { return s.rows[i].do != nil }
	s.list.Moved = func(i int) {
		s.showHints()
		if s.rows[i].pick == nil {
			s.preview.show(*s.rows[i].found, s.terms())
		}
	}
	s.list.Clicked = s.click
	s.list.Picked = s.open
	s.preview = newPreview(s)
	s.hints = widget.NewKeyHints()
	s.below = widget.FootLine(s.hints.Box, s.summary)
	s.split = container.New(&searchLayout{s}, s.list, widget.NewFill(theme.ColorNameSeparator, 0), s.preview.root)
	s.message = container.NewStack()
	s.placeholder()
	s.head = container.New(searchHead{s}, container.NewThemeOverride(s.field, widget.Roomy), s.projects, s.sources.Box,
		s.kinds,
		s.files)
	s.root = widget.Pad(widget.GapGroup, widget.GapSmall, widget.GapPage, widget.GapPage,
		container.NewBorder(widget.Column(2, s.head, s.busy), s.below, nil, nil,
			container.NewStack(s.split, s.message, s.dim)))
	s.settle()
	return s
}

func (s *search) roots() []string {
	if s.project != everywhere {
		return []string{s.project}
	}
	var all []string
	for _, p := range s.w.model.Projects() {
		if p.State != api.StateNotIndexed {
			all = append(all, p.Root())
		}
	}
	return all
}

func (s *search) content() fyne.CanvasObject { return s.root }

func (s *search) shown() {
	s.refresh()
	s.preview.names()
	s.fetchLately()
	s.win.Canvas().Focus(s.field)
}

func (s *search) in(p api.Project) {
	s.project = p.Root()
	s.refresh()
	s.run()
}

func (s *search) ask(source present.Source, project, query string) {
	if p, known := s.w.model.Project(project); known {
		s.project = p.Root()
	}
	s.w.Go(PageSearch, "")
	s.sources.Choose(source)
	s.put(query)
}

func (s *search) placeholder() {
	p := present.Text("Sentence, name or word")
	switch {
	case s.match.Regex:
		p = `A regular expression, such as func \w+Token\(`
	case s.match.Exact:
		p = "Text exactly as it is in the files"
	case s.brief && s.project != everywhere:
		p = "Search this project"
	case s.brief:
		p = "Sentence, name or word; > for actions"
	case s.source == present.SourceFiles:
		p = "A pattern such as **/auth*.ts"
	}
	s.field.SetPlaceHolder(tr(p))
}

func (s *search) refresh() {
	var options []widget.Option
	for _, p := range s.w.model.Projects() {
		if p.State != api.StateNotIndexed {
			options = append(options, widget.Option{Key: p.Root(), Name: p.Name, Note: present.Home(p.Root(), s.w.home)})
		}
	}
	known := slices.ContainsFunc(options, func(c widget.Option) bool { return c.Key == s.project })
	if len(options) > 1 {
		options = append([]widget.Option{{Key: everywhere, Name: tr("All projects")}}, options...)
		known = known || s.project == everywhere
	}
	before := len(s.projects.Options)
	if !known && len(options) > 0 {
		s.project = options[0].Key // this is everywhere if there are several projects
		defer s.scoped()
	}
	s.projects.Offer(options, s.project)
	switch {
	case s.query != "":
	case before != len(options):
		s.settle()
	default:
		s.renew()
	}
}

// renew updates the rows of an empty field, such as their ages.
func (s *search) renew() {
	before, at := s.rows, s.list.At
	s.arrange()
	if slices.EqualFunc(before, s.rows, resultRow.same) {
		return
	}
	if at >= 0 && at < len(before) {
		s.list.At = slices.IndexFunc(s.rows, func(r resultRow) bool {
			return r.result() && r.found.Title == before[at].found.Title && r.icon == before[at].icon
		})
	}
	if s.list.At < 0 {
		s.list.At = slices.IndexFunc(s.rows, resultRow.result)
	}
	s.list.Refresh()
}

func (s *search) typed() {
	s.round++
	s.cancel()
	s.asked, s.enter = "", false
	s.age()
	s.starred()
	round := s.round
	s.w.after(typingPause, func() {
		if s.round == round {
			s.run()
		}
	})
}

func (s *search) age() {
	text := s.text()
	old := (text != s.query || s.asked != "") && !strings.HasPrefix(text, ">")
	if s.dim.Hidden = !old || text == s.query || len(s.rows) == 0; old && text != "" {
		s.busy.Set(busyShare)
	} else {
		s.busy.Set(-1)
	}
	s.dim.Refresh()
}

const busyShare = 0.3

func (s *search) run() {
	s.round++
	round := s.round
	query := s.text()
	if query == "" || s.project == "" || strings.HasPrefix(query, ">") {
		s.query, s.asked, s.answer = "", "", answer{}
		s.settle()
		return
	}
	typed := present.TypedOf(query)
	if s.source == present.SourceFiles && !typed.Match.Lines() {
		typed = present.Typed{Words: query}
	}
	if typed.Words == "" {
		return
	}
	if _, wrong := typed.Pattern(); typed.Match.Regex && wrong != "" {
		s.cancel()
		s.query, s.typedAs, s.asked = query, typed, ""
		s.empty()
		s.explain(centredText("%s", wrong))
		return
	}
	if s.query != query {
		s.lines = linesLimit
	}
	s.cancel()
	ctx, cancel := context.WithCancel(s.w.ctx)
	s.asked, s.first, s.cancel = query, "", cancel
	s.age()
	roots, source, lines := s.roots(), s.source, s.lines
	part := func(a answer) {
		s.w.onUI(func() {
			if s.round == round && s.asked != "" {
				s.first = present.SourceCode
				s.query, s.typedAs, s.answer, s.weak = query, typed, a, false
				s.settle()
				s.entered()
			}
		})
	}
	if s.w.opts.Inline {
		part = nil
	}
	later(s.w, func(_ context.Context, b Backend) (answer, error) {
		if typed.Match.Lines() {
			return askLines(ctx, b, roots, typed.Grep(lines))
		}
		return askSources(ctx, b, roots, source, typed, part)
	},
		func(a answer, err error) {
			cancel()
			if s.round != round {
				return
			}
			again := s.query == query
			s.query, s.typedAs, s.asked, s.weak = query, typed, "", s.weak && again
			if err != nil {
				s.empty()
				s.say(s.w.problemBox(present.ProblemOf(err), s.run))
				return
			}
			s.answer = a
			s.remember()
			if kept, ok := s.chosen(); ok && again {
				defer s.keepChosen(kept)
			}
			s.settle()
			s.entered()
			s.enter = false
		})
}

func (s *search) entered() {
	if f, ok := s.chosen(); s.enter && ok && !f.Weak {
		s.enter = false
		s.open()
	}
}

func (s *search) keepChosen(kept present.Found) {
	i := slices.IndexFunc(s.rows, func(r resultRow) bool {
		return r.found != nil && r.found.Source == kept.Source && r.found.File == kept.File && r.found.Best == kept.Best &&
			r.found.Title == kept.Title
	})
	if i >= 0 && i != s.list.At {
		s.list.Choose(i)
	}
}

// askSources searches the sources concurrently. If there are several projects, it searches code first. If part is not
// nil, it passes that answer to part, unless the matches are weak. It returns an error only if the search of code or of
// the only source failed.
func askSources(ctx context.Context, b Backend, roots []string, source present.Source, query present.Typed,
	part func(answer)) (answer, error) {
	a := answer{several: len(roots) > 1}
	if source == present.SourceFiles {
		files, err := wire.MethodFiles.Call(ctx, b, wire.Files{Projects: roots,
			Query: api.FileQuery{Pattern: query.Words, Limit: filesLimit}})
		a.files = files
		return a, err
	}
	wanted := func(sources ...present.Source) bool {
		return source == present.SourceAll || slices.Contains(sources, source)
	}
	var work sync.WaitGroup
	var codeErr, docsErr, outsideErr error
	project := func(corpus api.Corpus, into *api.Results, failed *error) {
		work.Go(func() {
			started := time.Now()
			*into, *failed = wire.MethodSearch.Call(ctx, b, wire.Search{Projects: roots, Query: query.Query(corpus, 0)})
			if into.Took == 0 {
				into.Took = time.Since(started)
			}
		})
	}
	if wanted(present.SourceCode) {
		project(api.CorpusCode, &a.code, &codeErr)
	}
	if a.several && source == present.SourceAll {
		work.Wait()
		if part != nil && len(a.code.Hits) > 0 && !a.code.Hits[0].Weak {
			part(a)
		}
	}
	if wanted(present.SourceDocuments) {
		project(api.CorpusDocs, &a.docs, &docsErr)
	}
	if wanted(present.SourceDocuments, present.SourceSites, present.SourceArchive) && !query.Filtered() {
		work.Go(func() {
			q := wire.SourceSearch{Text: query.Words, Limit: outsideLimit}
			a.outside, outsideErr = wire.MethodSourcesSearch.Call(ctx, b, q)
		})
	}
	work.Wait()
	if errors.Is(docsErr, &api.Error{Code: api.DocsIndexNotFound}) { // projects without documents are not an error
		a.docs.Notes, docsErr = append(a.docs.Notes, present.ProblemOf(docsErr).Happened), nil
	}
	if source != present.SourceAll || codeErr != nil {
		return a, cmp.Or(codeErr, docsErr, outsideErr)
	}
	for _, err := range []error{docsErr, outsideErr} { // not fatal, because other sources answered
		if err != nil {
			a.outside.Notes = append(a.outside.Notes, present.ProblemOf(err).Happened)
		}
	}
	return a, nil
}

func (s *search) terms() highlight.Terms {
	if re, _ := s.typedAs.Pattern(); s.typedAs.Match.Lines() && re != nil {
		return highlight.Pattern(re)
	}
	return highlight.Question(s.typedAs.Words, slices.Concat(s.answer.code.Forms, s.answer.docs.Forms)...)
}

func (s *search) projectOf(name string) (api.Project, bool) {
	if name == "" {
		name = s.project
	}
	return s.w.model.Project(name)
}

func (s *search) settle() {
	s.arrange()
	s.age()
	if s.settled != nil {
		defer s.settled()
	}
	s.summary.Set(s.sum())
	s.showHints()
	s.head.Refresh() // adapts the field's width
	s.list.Refresh()
	if len(s.rows) > 0 {
		s.message.Hide()
		s.preview.root.Hidden = s.query == "" || s.rows[len(s.rows)-1].pick != nil
		s.split.Refresh()
		s.split.Show()
		s.list.ToTop()
		s.list.Choose(slices.IndexFunc(s.rows, resultRow.result))
		s.list.ToTop()
		return
	}
	switch {
	case len(s.projects.Options) == 0:
		s.explain(widget.Column(widget.GapGroup, centredText("No project to search yet."),
			container.NewCenter(primary("Add folder", s.w.addFolder))))
	case s.query == "":
		s.explain(centredText("Your assistant gets the same results. Press Enter to open a result in your editor."))
	case s.typedAs.Match.Lines():
		s.explain(noted(widget.Column(widget.GapSmall, centredText("No match in %s.",
			present.Count(s.answer.lines.Searched, "file"))),
			s.answer.lines.Notes))
	default:
		parts := widget.Column(widget.GapSmall, centredText("Nothing found."))
		if places := s.nearest(); len(places) > 0 {
			parts = widget.Column(widget.GapSmall, centredText("No match. Closest places:"))
			for _, p := range places {
				parts.Add(container.NewCenter(p))
			}
		}
		s.explain(noted(parts, slices.Concat(s.answer.code.Notes, s.answer.docs.Notes, s.answer.outside.Notes)))
	}
}

func noted(parts *fyne.Container, notes []string) fyne.CanvasObject {
	for _, n := range notes {
		parts.Add(centredText("%s", present.Sentence(n)))
	}
	return parts
}

func (s *search) nearest() (links []fyne.CanvasObject) {
	p, known := s.w.model.Project(s.project)
	if !known { // places don't name their project
		return nil
	}
	for _, place := range slices.Concat(s.answer.code.Nearest, s.answer.docs.Nearest) {
		if at, n, ok := present.PlaceOf(place); ok && len(links) < nearestShown {
			b := link("", func() { s.w.openAt(present.File(p, at), n) })
			b.Set(present.Middle(place, 56), nil)
			links = append(links, b)
		}
	}
	return links
}

const nearestShown = 5

func (s *search) empty() {
	s.answer, s.rows = answer{}, nil
	s.list.Refresh()
	s.summary.Set("")
	s.showHints()
	s.age()
}

func (s *search) explain(o fyne.CanvasObject) {
	s.say(container.New(widget.Within(420), o))
}

func (s *search) say(o fyne.CanvasObject) {
	s.split.Hide()
	s.message.Objects = []fyne.CanvasObject{o}
	s.message.Show()
	s.message.Refresh()
}

func (s *search) click(i int) {
	if r := s.rows[i]; !r.result() {
		if r.do != nil {
			r.do()
		}
		return
	}
	if s.rows[i].pick != nil {
		s.list.Choose(i)
		s.open()
		return
	}
	s.win.Canvas().Focus(s.field) // a click would remove the focus
	now := s.w.now()
	if now.Sub(s.clicked) < againTime && i == s.clickedRow {
		s.open()
		now = time.Time{}
	}
	s.clicked, s.clickedRow = now, i
}

func (s *search) submitted() {
	text := s.text()
	if (text == s.query || strings.HasPrefix(text, ">")) && s.list.At >= 0 {
		s.open()
		return
	}
	s.enter = true
	if text == "" || text != s.asked { // otherwise the same search is running
		s.run()
	}
}

func (s *search) chosen() (present.Found, bool) {
	if s.list.At < 0 || s.list.At >= len(s.rows) || !s.rows[s.list.At].result() {
		return present.Found{}, false
	}
	return *s.rows[s.list.At].found, true
}

func (s *search) open() {
	f, ok := s.chosen()
	if !ok {
		return
	}
	if do := s.rows[s.list.At].pick; do != nil {
		do()
		return
	}
	s.keep(s.query, true)
	s.w.opening++
	s.leave()
	s.w.openFound(f)
}
