package page

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
	// typingPause is how long the user must not type before a search starts. A search over thirty projects takes 250
	// ms, so results appear within 300 ms.
	typingPause  = 40 * time.Millisecond
	filesLimit   = 500
	outsideLimit = 25
	againTime    = 500 * time.Millisecond
	busyShare    = 0.3
	notesShown   = 3
	nearestShown = 5
)

const Everywhere = "*"

type Search struct {
	w       *Window
	Win     fyne.Window
	Project string // root of the searched project, or Everywhere
	Source  present.Source

	Field           *widget.Entry
	Match           present.Match
	Toggles         []*widget.Button
	files           *widget.Text
	Star            *widget.Button
	Chip            *widget.Button // the only project that the palette searches
	Sources         *widget.Segments[present.Text]
	Kinds, Projects *widget.Chooser
	Summary         *widget.Text
	Hints           *widget.KeyHints
	Below, head     *fyne.Container
	Message         *widget.Scroll // shown instead of rows
	List            *widget.List
	Preview         *preview
	lately          []api.Activity
	Split, root     fyne.CanvasObject

	round          int // counts searches; answers to older searches are discarded
	cancel         func()
	Query, asked   string
	Wanted         *present.Found // result to choose in the next answer, or nil
	typedAs        present.Typed
	lines          int
	weak, enter    bool
	brief, short   bool
	every, older   bool
	height         float32 // height of the rows while the field is empty
	Settled, Leave func()
	Dim, line      *widget.Fill
	Busy           *widget.Bar
	Rows           []ResultRow
	answer         Answer

	clicked    time.Time
	clickedRow int
}

type Answer struct {
	Code, docs api.Results
	files      api.FileResults
	outside    wire.SourceResults
	lines      api.GrepResults
	failed     []string // errors of sources that did not answer
	several    bool
	lacking    bool // the only searched source does not exist yet
}

var allSources = []present.Source{present.SourceAll, present.SourceCode, present.SourceDocuments, present.SourceSites,
	present.SourceArchive, present.SourceFiles}

func NewSearch(w *Window, brief bool) *Search {
	s := &Search{w: w, Win: w.Win, Source: present.SourceAll, cancel: func() {}, Leave: func() {}, brief: brief}
	s.Field = w.newEntry("", func() { s.Field.SetText("") })
	s.Field.Icon = theme.SearchIcon()
	s.Star = widget.IconButton(starIcon, s.save)
	s.Star.Hide()
	s.files = widget.Caption(tr("Searches the current text of all files"))
	s.Chip = NewButton("", func() { s.Scope(Everywhere) }).As(widget.ToneChosen)
	s.Chip.Hide()
	s.Field.ActionItem = s.Star
	if !brief {
		s.Field.ActionItem = container.New(layout.NewCustomPaddedHBoxLayout(2), widget.Wide(widget.ButtonHeight, s.Star),
			widget.Pad(2, 2, 0, 4, s.matchToggles()))
	}
	s.Field.OnChanged = func(string) { s.typed() }
	s.Field.OnSubmitted = func(string) { s.Submitted() }
	for key, by := range widget.Steps {
		s.Field.Keys[key] = func() { s.List.Step(by) }
	}
	s.Sources = newSegments(allSources, s.Source, func(v present.Text) {
		s.Source = v
		s.Kinds.Offer(s.Kinds.Options, string(v))
		s.Placeholder()
		s.Run()
	})
	var kinds []widget.Option
	for _, k := range allSources {
		kinds = append(kinds, widget.Option{Key: string(k), Name: tr(k)})
	}
	s.Kinds = w.NewChooser(kinds, string(s.Source), func(k string) { s.Sources.Choose(present.Source(k)) })
	s.Projects = w.NewChooser(nil, "", func(root string) {
		s.Project = root
		s.Run()
	})
	s.Summary = widget.Caption("")
	s.Dim, s.Busy = widget.NewFill(widget.ColorDim, 0), widget.NewBar()
	s.Dim.Hide()
	s.List = widget.NewList(HeadingHeight, func() int { return len(s.Rows) }, func() (fyne.CanvasObject, func(i int)) {
		v := newResultView()
		return v.both, func(i int) { v.set(s.Rows[i]) }
	})
	s.List.Lined = true
	s.List.Height = func(i int) float32 { return s.Rows[i].height(s.List.Width()) }
	s.List.Stops = func(i int) bool { return s.Rows[i].Result() }
	s.List.Leads = func(i int) bool { return s.Rows[i].Do != nil }
	s.List.Moved = func(i int) {
		s.ShowHints()
		if s.Rows[i].pick == nil {
			s.Preview.show(*s.Rows[i].Found, s.Terms())
		}
	}
	s.List.Clicked = s.Click
	s.List.Picked = s.Open
	s.Preview, s.line = newPreview(s), widget.NewFill(theme.ColorNameSeparator, 0)
	s.Hints = widget.NewKeyHints()
	s.Below = widget.FootLine(s.Hints, s.Summary, !brief)
	s.Split = container.New(widget.Least(320, 240, s.lay), s.List,
		s.line, s.Preview.Root)
	s.Message = widget.Tall(container.NewStack())
	s.Message.Hide()
	s.Placeholder()
	field := widget.NewLarge(s.Field)
	s.head = container.New(widget.Least(320, field.MinSize().Height+chipGap+chipHeight, s.layHead), field, s.Projects,
		s.Sources.Box, s.Kinds, s.files)
	s.root = widget.Pad(widget.GapGroup, widget.GapSmall, widget.GapPage, widget.GapPage,
		container.NewBorder(widget.Column(2, s.head, s.Busy), s.Below, nil, nil,
			container.NewStack(s.Split, s.Message, s.Dim)))
	s.Settle()
	return s
}

func (s *Search) Roots() []string {
	if s.Project != Everywhere {
		return []string{s.Project}
	}
	var all []string
	for _, o := range s.w.options(indexed) {
		all = append(all, o.Key)
	}
	return all
}

func (s *Search) Content() fyne.CanvasObject { return s.root }

func (s *Search) Shown() {
	s.Refresh()
	s.Preview.names()
	s.fetchLately()
	s.Win.Canvas().Focus(s.Field)
	s.Field.SelectAll()
}

func (s *Search) Ask(source present.Source, project, query string) {
	if p, known := s.w.Model.Project(project); known {
		s.Project = p.Root()
	}
	s.w.frame.Go(PageSearch, "")
	s.Sources.Choose(source)
	s.Put(query)
}

// Resume takes over the query of before, a page in another language.
func (s *Search) Resume(before *Search) {
	s.Project = before.Project
	s.Refresh()
	s.Sources.Choose(before.Source)
	s.Put(before.Text())
}

func (s *Search) Placeholder() {
	p := present.Text("Sentence, name or word; lang:go or path:src to filter")
	switch {
	case s.Match.Regex:
		p = `A regular expression, such as func \w+Token\(`
	case s.Match.Exact:
		p = "Text exactly as it is in the files"
	case s.brief && s.Project != Everywhere:
		p = "Search this project"
	case s.brief:
		p = "Sentence, name or word; lang:go, path:src; > for actions"
	case s.Source == present.SourceFiles:
		p = "File name, path or pattern"
	case s.short:
		p = "Sentence, name or word"
	}
	s.Field.SetPlaceHolder(tr(p))
}

func (s *Search) Refresh() {
	options := s.w.options(indexed)
	known := slices.ContainsFunc(options, func(c widget.Option) bool { return c.Key == s.Project })
	if len(options) > 1 {
		options = append([]widget.Option{{Key: Everywhere, Name: tr("All projects")}}, options...)
		known = known || s.Project == Everywhere
	}
	before := len(s.Projects.Options)
	if !known && len(options) > 0 {
		s.Project = options[0].Key // all projects, if there are several
		defer s.scoped()
		if s.Query != "" { // the results are of a deleted project
			defer s.Run()
		}
	}
	s.Projects.Offer(options, s.Project)
	switch {
	case s.Query != "":
	case before != len(options):
		s.Settle()
	default:
		s.renew()
	}
}

func (s *Search) renew() {
	before, at := s.Rows, s.List.At
	s.arrange()
	if slices.EqualFunc(before, s.Rows, ResultRow.same) {
		return
	}
	if at >= 0 && at < len(before) {
		s.List.At = slices.IndexFunc(s.Rows, func(r ResultRow) bool {
			return r.Result() && r.Found.Title == before[at].Found.Title && r.icon == before[at].icon
		})
	}
	if s.List.At < 0 {
		s.List.At = slices.IndexFunc(s.Rows, ResultRow.Result)
	}
	s.List.Refresh()
}

func (s *Search) typed() {
	s.round++
	s.cancel()
	s.asked, s.enter = "", false
	s.age()
	s.starred()
	round := s.round
	s.w.After(typingPause, func() {
		if s.round == round {
			s.Run()
		}
	})
}

func (s *Search) age() {
	text := s.Text()
	old := (text != s.Query || s.asked != "") && !strings.HasPrefix(text, ">")
	if s.Dim.Hidden = !old || text == s.Query || len(s.Rows) == 0; old && text != "" {
		s.Busy.Set(busyShare)
	} else {
		s.Busy.Set(-1)
	}
	s.Dim.Refresh()
}

func (s *Search) Run() {
	s.round++
	round := s.round
	query := s.Text()
	if query == "" || s.Project == "" || strings.HasPrefix(query, ">") {
		s.Query, s.asked, s.answer = "", "", Answer{}
		s.Settle()
		return
	}
	typed := present.TypedOf(query)
	if s.Source == present.SourceFiles && !typed.Match.Lines() {
		typed = present.Typed{Words: query}
	}
	if typed.Words == "" {
		return
	}
	if _, wrong := typed.Pattern(); typed.Match.Regex && wrong != "" {
		s.cancel()
		s.Query, s.typedAs, s.asked = query, typed, ""
		s.refuse(wrong, "")
		return
	}
	if s.Query != query {
		s.lines = linesLimit
		if !s.Preview.Wide { // a wide preview always shows the source
			s.Preview.Tabs.Choose(TabCode)
		}
	}
	s.cancel()
	if s.Query != query {
		s.Message.Hide() // it is about the last query
		if sheet := s.w.Sheet; sheet != nil && !s.brief && !sheet.fenced && s.w.Current == PageSearch {
			sheet.still = true // the focus stays in the field
			s.w.CloseSheet()
		}
	}
	ctx, cancel := context.WithCancel(s.w.Ctx)
	s.asked, s.cancel = query, cancel
	s.age()
	roots, source, lines := s.Roots(), s.Source, s.lines
	later(s.w, func(_ context.Context, b Backend) (Answer, error) {
		if typed.Match.Lines() {
			started := time.Now()
			r, err := wire.MethodGrep.Call(ctx, b, wire.Grep{Projects: roots, Query: typed.Grep(lines)})
			return Answer{lines: r, several: len(roots) > 1, Code: api.Results{Took: time.Since(started)}}, err
		}
		return askSources(ctx, b, roots, source, typed)
	},
		func(a Answer, err error) {
			cancel()
			if s.round != round {
				return
			}
			again := s.Query == query
			s.Query, s.typedAs, s.asked, s.weak = query, typed, "", s.weak && again
			if api.CodeOf(err) == api.InvalidArgument { // an unknown language
				s.refuse(present.ProblemOf(err).Happened, present.NearLanguage(err))
				return
			}
			if err != nil {
				s.empty()
				s.say(s.w.ProblemBox(present.ProblemOf(err), s.Run))
				return
			}
			s.answer = a
			s.remember()
			if kept, ok := s.Chosen(); s.Wanted != nil {
				defer s.keepChosen(*s.Wanted)
			} else if ok && again {
				defer s.keepChosen(kept)
			}
			s.Wanted = nil
			s.Settle()
			if f, ok := s.Chosen(); s.enter && ok && !f.Weak {
				s.Open()
			}
			s.enter = false
		})
}

func (s *Search) keepChosen(kept present.Found) {
	i := slices.IndexFunc(s.Rows, func(r ResultRow) bool {
		return r.Found != nil && r.Found.Source == kept.Source && r.Found.File == kept.File && r.Found.Best == kept.Best &&
			r.Found.Title == kept.Title
	})
	if i >= 0 && i != s.List.At {
		s.List.Choose(i)
	}
}

// askSources searches the sources concurrently. It returns an error only if the search of code or of the only source
// failed.
func askSources(ctx context.Context, b Backend, roots []string, source present.Source,
	query present.Typed) (Answer, error) {
	a := Answer{several: len(roots) > 1}
	if source == present.SourceFiles {
		files, err := wire.MethodFiles.Call(ctx, b, wire.Files{Projects: roots,
			Query: api.FileQuery{Pattern: query.Words, Limit: filesLimit, Words: true}})
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
		project(api.CorpusCode, &a.Code, &codeErr)
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
	only := source == present.SourceSites || source == present.SourceArchive
	if only && len(a.outside.Sites)+len(a.outside.Archive) == 0 {
		known, err := wire.MethodSources.Call(ctx, b, wire.Empty{})
		a.lacking = err == nil && (source == present.SourceSites && len(known.Sites) == 0 ||
			source == present.SourceArchive && !known.Archive.Exists)
	}
	if errors.Is(docsErr, &api.Error{Code: api.DocsIndexNotFound}) { // a project may have no documents
		a.failed, docsErr = append(a.failed, present.ProblemOf(docsErr).Happened), nil
	}
	if source != present.SourceAll || codeErr != nil {
		return a, cmp.Or(codeErr, docsErr, outsideErr)
	}
	for _, err := range []error{docsErr, outsideErr} { // report as notes, because other sources answered
		if err != nil {
			a.failed = append(a.failed, present.ProblemOf(err).Happened)
		}
	}
	return a, nil
}

func (s *Search) Terms() highlight.Terms {
	if re, _ := s.typedAs.Pattern(); s.typedAs.Match.Lines() && re != nil {
		return highlight.Pattern(re)
	}
	return highlight.Question(s.typedAs.Words, slices.Concat(s.answer.Code.Forms, s.answer.docs.Forms)...)
}

func (s *Search) projectOf(name string) (api.Project, bool) {
	if name == "" {
		name = s.Project
	}
	return s.w.Model.Project(name)
}

func (s *Search) Settle() {
	s.arrange()
	s.age()
	if s.Settled != nil {
		defer s.Settled()
	}
	s.Summary.Set(s.sum())
	s.ShowHints()
	s.head.Refresh()
	s.List.Refresh()
	if len(s.Rows) > 0 {
		s.Message.Hide()
		s.Preview.Root.Hidden = s.Query == "" || s.Rows[len(s.Rows)-1].pick != nil
		s.Split.Refresh()
		s.Split.Show()
		s.List.ToTop()
		s.List.Choose(slices.IndexFunc(s.Rows, ResultRow.Result))
		s.List.ToTop()
		return
	}
	switch {
	case strings.HasPrefix(s.Text(), ">"):
		s.explain(centredText("No action matches."))
	case len(s.Projects.Options) == 0:
		s.explain(widget.Column(widget.GapGroup, centredText("No project to search yet."),
			container.NewCenter(Primary("Add folder", s.w.AddFolder))))
	case s.Query == "":
		s.explain(centredText("Your assistant gets the same results. Press Enter to open a result in your editor."))
	case s.typedAs.Match.Lines():
		s.explain(s.noted([]fyne.CanvasObject{centredText("No matches in %s.",
			present.Count(s.answer.lines.Searched, "file"))}))
	case s.answer.lacking:
		text, label, add := present.Text("No archive yet."), present.Text("Import folder…"), func(to *Sources) {
			s.w.chooseFolder(to.ImportFolder)
		}
		if s.Source == present.SourceSites {
			text, label, add = "No site yet.", "Add site…", (*Sources).AddSite
		}
		s.explain(widget.Column(widget.GapGroup, centredText(text), container.NewCenter(Primary(label, func() {
			s.w.frame.Go(PageSources, "")
			add(s.w.Pages[PageSources].(*Sources))
		}))))
	default:
		parts := []fyne.CanvasObject{centredText("Nothing found. Searched: %s.", present.Count(len(s.searched()), "project")),
			centredText("Check the spelling, or try other words.")}
		if places := s.nearest(); len(places) > 0 {
			parts = []fyne.CanvasObject{centredText("No matches. Closest results:")}
			for _, p := range places {
				parts = append(parts, container.NewCenter(p))
			}
		}
		s.explain(s.noted(parts))
	}
}

// refuse shows why the typed search can't run. language is the likely meaning of an unknown language, or "".
func (s *Search) refuse(why, language string) {
	s.empty()
	s.explain(widget.Column(widget.GapSmall,
		append([]fyne.CanvasObject{centredText("%s", why)}, s.remedies(language)...)...))
}

// noted appends the reasons why results may be missing, and buttons that may help.
func (s *Search) noted(parts []fyne.CanvasObject) fyne.CanvasObject {
	var lines []string
	for _, l := range slices.Concat(s.answer.failed, present.Unfinished(s.searched()), s.answer.outside.Notes) {
		if l = strings.TrimSuffix(present.Sentence(l), ".") + "."; !slices.Contains(lines, l) && len(lines) < notesShown {
			lines = append(lines, l)
			parts = append(parts, centredText("%s", l))
		}
	}
	return widget.Column(widget.GapSmall, append(parts, s.remedies("")...)...)
}

// remedies returns buttons that change the search so that it may find more.
func (s *Search) remedies(language string) (buttons []fyne.CanvasObject) {
	add := func(applies bool, label present.Text, do func(), args ...any) {
		if !applies {
			return
		}
		b := widget.NewButton(tr(label, args...), func() {
			do()
			s.Win.Canvas().Focus(s.Field)
		})
		b.Escape = func() { s.Win.Canvas().Focus(s.Field) }
		buttons = append(buttons, container.NewCenter(b))
	}
	put := func(query string) func() { return func() { s.Put(query); s.Run() } }
	m, text := present.MatchOf(s.Query)
	loose := m
	loose.Case = false
	add(language != "", "Search with %s", put(present.WithLanguage(s.Query, language)), "lang:"+language)
	add(s.Project != Everywhere && len(s.Projects.Options) > 1, "Search all projects", func() { s.Scope(Everywhere) })
	add(s.typedAs.Filtered(), "Search without lang: and path:", put(m.Prefix()+s.typedAs.Words))
	add(s.Source != present.SourceAll && !m.Lines(), "Search all sources", func() { s.Sources.Choose(present.SourceAll) })
	add(m.Case, "Ignore case", put(loose.Prefix()+text))
	add(!m.Lines() && !s.typedAs.Filtered() && s.Source != present.SourceFiles, "Search exact text",
		put(present.Match{Exact: true}.Prefix()+text))
	add(m.Lines(), "Search by words and meaning", put(text))
	return buttons
}

func (s *Search) nearest() (links []fyne.CanvasObject) {
	p, known := s.w.Model.Project(s.Project)
	if !known { // several projects were searched
		return nil
	}
	for _, place := range slices.Concat(s.answer.Code.Nearest, s.answer.docs.Nearest) {
		if at, n, ok := present.PlaceOf(place); ok && len(links) < nearestShown {
			b := Link("", func() { s.w.OpenAt(present.File(p, at), n) })
			b.Set(present.Middle(place, 56), nil)
			links = append(links, b)
		}
	}
	return links
}

func (s *Search) empty() {
	s.answer, s.Rows = Answer{}, nil
	s.List.Refresh()
	s.Summary.Set("")
	s.ShowHints()
	s.age()
}

func (s *Search) explain(o fyne.CanvasObject) { s.say(container.New(widget.Within(420), o)) }

func (s *Search) say(o fyne.CanvasObject) {
	s.Split.Hide()
	s.Message.Content = o
	s.Message.ScrollToTop()
	s.Message.Show()
	s.Message.Refresh()
	s.ShowHints()
}

func (s *Search) Click(i int) {
	s.Win.Canvas().Focus(s.Field) // the click has moved the focus to the list
	if r := s.Rows[i]; !r.Result() {
		if r.Do != nil {
			r.Do()
		}
		return
	}
	if s.Rows[i].pick != nil {
		s.List.Choose(i)
		s.Open()
		return
	}
	now := s.w.Now()
	if now.Sub(s.clicked) < againTime && i == s.clickedRow {
		s.Open()
		now = time.Time{}
	}
	s.clicked, s.clickedRow = now, i
}

func (s *Search) Submitted() {
	text := s.Text()
	if (text == s.Query || strings.HasPrefix(text, ">")) && s.List.At >= 0 {
		s.Open()
		return
	}
	s.enter = true
	if text == "" || text != s.asked { // otherwise this search is running
		s.Run()
	}
}

func (s *Search) Chosen() (present.Found, bool) {
	if s.List.At < 0 || s.List.At >= len(s.Rows) || !s.Rows[s.List.At].Result() {
		return present.Found{}, false
	}
	return *s.Rows[s.List.At].Found, true
}

func (s *Search) Open() {
	f, ok := s.Chosen()
	if !ok {
		return
	}
	if do := s.Rows[s.List.At].pick; do != nil {
		do()
		return
	}
	s.keep(s.Query, true)
	s.w.Opening++
	s.Leave()
	s.w.openFound(f, s.countOpened)
}
