package page

import (
	"cmp"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

var (
	sourceIcons = map[present.Source]fyne.Resource{present.SourceCode: PageIcons[PageEditors],
		present.SourceDocuments: PageIcons[PageSources], present.SourceFiles: PageIcons[PageSources],
		present.SourceSites: glyph("site"), present.SourceArchive: glyph("archive")}
	askedIcon = glyph("asked")
	starIcon  = glyph("star")
	keptIcon  = sign("kept", widget.ColorStar)
)

const (
	paletteAsked   = 4
	pageAsked      = 8
	leastOffered   = 6
	offeredBeside  = 8
	offeredActions = 3
	mostLately     = 5
	mostNamed      = 3
	chipRunes      = 24
	PaletteRows    = 9
)

// offer adds the rows shown for an empty field, or the actions that match the text after ">".
func (s *Search) offer(typed string) {
	if name, command := strings.CutPrefix(typed, ">"); command {
		s.offerActions(strings.ToLower(strings.TrimSpace(name)), s.w.frame.Actions())
		return
	}
	rows, several := s.offerAsked(), len(s.Projects.Options) > 1
	if !s.brief && len(s.lately) > 0 {
		s.offerHead(ResultRow{Title: "Asked by assistants"})
		for _, a := range s.lately {
			s.addOffer(a.Query, "", ResultRow{does: "Search again", icon: editorGlyph(present.Client(a.Client)),
				aside: present.Join(present.Client(a.Client), present.Ago(a.Time, s.w.Now())),
				pick:  func() { s.Ask(cmp.Or(sourceOf(a), present.SourceAll), a.Project, a.Query) }})
		}
	}
	switch {
	case several && s.Project == Everywhere:
		s.offerProjects(rows + len(s.lately))
	case several && !s.brief: // in the palette, Tab selects the projects
		s.offerHead(ResultRow{Title: "Projects"})
		s.addOffer(tr("All projects"), "", ResultRow{does: "Run", icon: PageIcons[PageProjects],
			pick: func() { s.Scope(Everywhere) }})
	}
	if !s.every && !s.brief && len(s.Projects.Options) > 0 { // wait until the app has sent its projects
		s.offerActions("", s.w.frame.Actions()[:offeredActions])
	}
}

func (s *Search) addOffer(title, where string, r ResultRow) {
	r.Found = &present.Found{Title: title, Where: where}
	s.Rows = append(s.Rows, r)
}

// addAll adds a row such as "All 12 projects".
func (s *Search) addAll(counted string, icon fyne.Resource, shown *bool, index int) {
	s.addOffer(tr("All %s", counted), "", ResultRow{does: "Show all", icon: icon, pick: func() {
		*shown = true
		s.Settle()
		if index > 0 {
			s.List.Choose(index)
		}
	}})
}

// offerHead adds a heading.
func (s *Search) offerHead(r ResultRow) {
	if s.brief {
		r = ResultRow{}
	}
	if !s.brief || len(s.Rows) > 0 {
		s.Rows = append(s.Rows, r)
	}
}

func (s *Search) offerActions(name string, all []Action) {
	group := present.Text("")
	for _, a := range all {
		label := tr(a.Label)
		if !strings.Contains(strings.ToLower(label), name) {
			continue
		}
		if a.Group != group {
			group = a.Group
			s.offerHead(ResultRow{Title: group})
		}
		s.addOffer(label, "", ResultRow{does: cmp.Or(a.Does, "Run"), icon: a.Icon, aside: a.Keys, key: true,
			pick: func() { s.leaveFor(a.Do) }})
	}
}

// leaveFor empties the field and calls do. It closes the palette last, because the program exits when no window
// is open.
func (s *Search) leaveFor(do func()) {
	s.Field.SetText("")
	do()
	s.Leave()
}

func latest(r present.Row) string {
	if r.Mark == present.MarkReady { // the icon already means "ready"
		return r.Last
	}
	return cmp.Or(r.Rest, r.Line)
}

// offerNamed adds the projects whose names match the typed text.
func (s *Search) offerNamed() {
	begins := regexp.MustCompile(`(?i)(^|[^\pL\d])` + regexp.QuoteMeta(s.typedAs.Words))
	for _, r := range s.w.Model.Rows(s.w.Home, s.w.Now()) {
		if begins.MatchString(r.Name) && len(s.Rows) < mostNamed {
			s.addOffer(r.Name, r.Path, ResultRow{does: "Open details", icon: Marks[r.Mark], aside: latest(r),
				pick: func() {
					s.leaveFor(func() {
						s.w.frame.Show()
						s.w.frame.Go(PageProjects, r.ID)
					})
				}})
			s.Rows[len(s.Rows)-1].Found.Project = r.Root
		}
	}
	if len(s.Rows) > 0 {
		s.offerHead(ResultRow{})
	}
}

func (s *Search) offerProjects(above int) {
	s.offerHead(ResultRow{Title: "Projects"})
	first := len(s.Rows)
	rows := slices.DeleteFunc(s.w.Model.Rows(s.w.Home, s.w.Now()), func(r present.Row) bool {
		p, _ := s.w.Model.Project(r.ID)
		return p.State == api.StateNotIndexed
	})
	slices.SortStableFunc(rows, func(a, b present.Row) int { return cmp.Compare(b.Used, a.Used) })
	most := max(leastOffered, int(s.height/HeadingHeight)-offeredBeside-above)
	if s.brief {
		most = PaletteRows - 1 - above
	}
	for i, r := range rows {
		if i == most && !s.every && len(rows) > i+1 {
			s.addAll(present.Count(len(rows), "project"), PageIcons[PageProjects], &s.every, first+i)
			break
		}
		where, state := r.Path, present.Join(r.Line, r.Rest)
		if s.short {
			where, state = "", latest(r)
		}
		s.addOffer(r.Name, where, ResultRow{does: "Search this project", icon: Marks[r.Mark], aside: state,
			pick: func() { s.Scope(r.Root) }})
		s.Rows[len(s.Rows)-1].Found.Project = r.Root
	}
}

func (s *Search) fetchLately() {
	Request(s.w, wire.MethodActivity, wire.Empty{}, func(all []api.Activity, _ error) {
		s.lately = lately(all, mostLately, func(client string) bool { return client != "" })
		s.Refresh()
	})
}

func (s *Search) Scope(root string) {
	s.Projects.Choose(root)
	s.scoped()
	s.Win.Canvas().Focus(s.Field)
}

func (s *Search) scoped() {
	s.Chip.Set(present.Middle(s.Projects.Shown(), chipRunes), theme.CancelIcon())
	s.Chip.Hidden = s.Project == Everywhere || len(s.Projects.Options) < 2
	if s.Settled != nil {
		s.Settled()
	}
	s.Placeholder()
}

func (s *Search) ShowHints() {
	var all []widget.Hint
	f, ok := s.Chosen()
	if ok {
		all = append(all, HintOf("Enter", s.Rows[s.List.At].does))
	}
	switch _, known := s.w.Model.Project(f.Project); {
	case !s.brief:
		if ok {
			all = append(all, HintOf("↑↓", "Choose"))
		}
		all = append(all, HintOf(">", "Actions"), HintOf("F1", "Keys"))
	default:
		if len(controls(s.Message)) > 0 {
			all = append(all, HintOf("Tab", "Choose"))
		} else if s.Project != Everywhere && len(s.Projects.Options) > 1 {
			all = append(all, HintOf("Tab", "All projects"))
		} else if known && s.Project == Everywhere {
			all = append(all, HintOf("Tab", "Only this project"))
		}
		if s.Query != "" {
			all = append(all, HintOf("Ctrl+Enter", "In the window"))
		}
		all = append(all, HintOf(">", "Actions"), HintOf("Esc", "Close"))
	}
	s.Hints.Set(all)
	s.Below.Refresh()
}

type Action struct {
	Group, Label present.Text
	Icon         fyne.Resource
	Keys         string
	Do           func()
	Does         present.Text // effect of the Enter key, if label does not name it
}

func (s *Search) Tab() {
	if buttons := controls(s.Message); len(buttons) > 0 {
		s.Win.Canvas().Focus(buttons[0])
	} else if s.Project != Everywhere {
		s.Scope(Everywhere)
	} else if f, ok := s.Chosen(); ok {
		if p, known := s.w.Model.Project(f.Project); known {
			s.Scope(p.Root())
		}
	}
}

const (
	// PrefAsked and PrefSaved are the preferences with past and saved queries.
	PrefAsked = "search.asked"
	PrefSaved = "search.saved"
	mostAsked = 200
	// restTime is how long results must be visible before their query enters the history.
	restTime = 2 * time.Second
	// GoesOn is the time during which an edited query replaces the previous one in the history.
	GoesOn     = time.Minute
	linesLimit = 500
)

type pastSearch struct {
	Query string
	at    time.Time
}

func (w *Window) History() (all []pastSearch) {
	for _, line := range w.App.Preferences().StringList(PrefAsked) {
		query, when, _ := strings.Cut(line, "\t")
		at, _ := time.Parse(time.RFC3339, when) // zero for an old entry without a time
		all = append(all, pastSearch{query, at})
	}
	return all
}

func (s *Search) remember() {
	round, query := s.round, s.Query
	s.w.After(restTime, func() {
		if s.round == round {
			s.keep(query, false)
		}
	})
}

func (s *Search) keep(query string, opened bool) {
	now, all := s.w.Now(), s.w.History()
	same := false
	if len(all) > 0 && now.Sub(all[0].at) < GoesOn {
		last := all[0].Query
		same = last == query || !opened && (strings.HasPrefix(query, last) || strings.HasPrefix(last, query))
	}
	if same {
		all = all[1:]
	}
	all = slices.DeleteFunc(all, func(a pastSearch) bool { return a.Query == query })
	lines := []string{query + "\t" + now.Format(time.RFC3339)}
	for _, a := range all[:min(len(all), mostAsked-1)] {
		lines = append(lines, a.Query+"\t"+a.at.Format(time.RFC3339))
	}
	s.w.App.Preferences().SetStringList(PrefAsked, lines)
	roots := s.answered()
	if s.w.Model.Asked(roots, now); !same {
		s.count(wire.SearchUse{Projects: roots, Took: s.answer.Code.Took})
	}
}

// answered returns the searched projects. If there are several, it returns those with results.
func (s *Search) answered() []string {
	roots := s.Roots()
	if len(roots) == 1 {
		return roots
	}
	return slices.DeleteFunc(roots, func(root string) bool {
		return !slices.ContainsFunc(s.Rows, func(r ResultRow) bool { return r.Found != nil && r.Found.Project == root })
	})
}

func (s *Search) countOpened() { s.count(wire.SearchUse{Opened: true}) }

func (s *Search) count(a wire.SearchUse) {
	Request(s.w, wire.MethodAsked, a, func(wire.Empty, error) {})
}

func (w *Window) Forget() {
	w.App.Preferences().RemoveValue(PrefAsked)
	w.frame.Refresh()
}

func (w *Window) saved() []string { return w.App.Preferences().StringList(PrefSaved) }

func (s *Search) save() {
	query := s.Text()
	all := slices.DeleteFunc(s.w.saved(), func(q string) bool { return q == query })
	if query != "" && len(all) == len(s.w.saved()) {
		all = append(all, query)
	}
	s.w.App.Preferences().SetStringList(PrefSaved, all)
	s.starred()
	s.Win.Canvas().Focus(s.Field)
}

func (s *Search) starred() {
	query := s.Text()
	icon := starIcon
	if slices.Contains(s.w.saved(), query) {
		icon = keptIcon
	}
	s.Star.Hidden = query == "" || strings.HasPrefix(query, ">")
	s.Star.Set("", icon)
}

func (s *Search) offerAsked() int {
	saved, all, most := s.w.saved(), s.w.History(), pageAsked
	if s.brief {
		most = paletteAsked
	}
	add := func(query, ago string, icon fyne.Resource) {
		m, text := present.MatchOf(query)
		s.addOffer(text, m.InWords(), ResultRow{does: "Search again", icon: icon, aside: ago,
			pick: func() { s.Put(query) }})
	}
	if len(saved) > 0 {
		s.offerHead(ResultRow{Title: "Saved searches"})
	}
	for _, q := range saved {
		add(q, "", keptIcon)
	}
	if len(all) > 0 {
		s.offerHead(ResultRow{Title: "Recent searches", Count: tr("Clear"), More: true, Do: s.w.Forget})
	}
	for i, a := range all {
		if i == most && !s.older && len(all) > most+1 {
			s.addAll(present.Count(len(all), "search"), askedIcon, &s.older, 0)
			break
		}
		ago := ""
		if !a.at.IsZero() {
			ago = present.Ago(a.at, s.w.Now())
		}
		add(a.Query, ago, askedIcon)
	}
	return len(saved) + min(len(all), most)
}

var matchKeys = []fyne.KeyName{fyne.KeyE, fyne.KeyC, fyne.KeyR}

func MatchModifier() fyne.KeyModifier {
	if runtime.GOOS == "darwin" {
		return fyne.KeyModifierAlt | fyne.KeyModifierSuper
	}
	return fyne.KeyModifierAlt
}

// matchToggles returns the buttons for exact text, case and regular expressions.
func (s *Search) matchToggles() *fyne.Container {
	box := container.New(layout.NewCustomPaddedHBoxLayout(2))
	for i, x := range []struct {
		sign string
		tip  present.Text
	}{{"“ab”", "Search exact text"}, {"Aa", "Match case"}, {".*", "Search by a regular expression"}} {
		b := NewButton("", func() { s.toggle(i) }).As(widget.ToneTool)
		b.Tip = tr(x.tip) + " (" + KeyName("Alt+"+string(matchKeys[i])) + ")"
		b.Set(x.sign, nil)
		s.Toggles = append(s.Toggles, b)
		box.Add(b)
	}
	return box
}

func (s *Search) toggle(i int) {
	m := s.Match
	switch i {
	case 0:
		m.Exact, m.Regex = !m.Exact, false
	case 1:
		if m.Case = !m.Case; m.Case && !m.Regex {
			m.Exact = true
		}
	case 2:
		m.Regex, m.Exact = !m.Regex, false
	}
	m.Case = m.Case && m.Lines()
	s.setMatch(m)
	s.starred()
	s.Run()
	s.Win.Canvas().Focus(s.Field)
}

func (s *Search) setMatch(m present.Match) {
	s.Match = m
	for i, on := range []bool{m.Exact, m.Case, m.Regex} {
		s.Toggles[i].As(map[bool]widget.Tone{true: widget.ToneChosen, false: widget.ToneTool}[on])
	}
	s.Placeholder()
	s.head.Refresh()
}

func (s *Search) Text() string {
	text := strings.TrimSpace(s.Field.Text)
	if text == "" || strings.HasPrefix(text, ">") {
		return text
	}
	return s.Match.Prefix() + text
}

// Put shows query in the field.
func (s *Search) Put(query string) {
	if !s.brief {
		m, text := present.MatchOf(query)
		s.setMatch(m)
		query = text
	}
	s.Field.SetText(query)
}

func (s *Search) addLines() {
	terms, listed := s.Terms(), 0
	for _, file := range s.answer.lines.Files {
		p, known := s.projectOf(file.Project)
		if !known || len(file.Hits) == 0 {
			continue
		}
		head := present.FoundLine(p, file, api.GrepHit{}, s.answer.several)
		s.Rows = append(s.Rows, ResultRow{Found: &head, file: true, aside: present.Number(file.Total)})
		in := ""
		for _, line := range file.Hits {
			f := present.FoundLine(p, file, line, s.answer.several)
			row := ResultRow{Found: &f, line: true, does: "Open in editor", terms: terms,
				lines: sourceLines(f.Lines, f.Path, 0, terms)}
			if line.In != in {
				in, row.Context = line.In, line.In
			}
			s.Rows = append(s.Rows, row)
			listed++
		}
	}
	if left := s.answer.lines.Total - listed; left > 0 && s.lines < api.MaxGrepHits {
		s.Rows = append(s.Rows, ResultRow{Title: "More", More: true,
			Count: tr("Load %s more", present.Number(min(left, api.MaxGrepHits))), Do: func() {
				s.lines = api.MaxGrepHits
				s.Run()
			}})
	}
}

// SearchShortcuts registers the keys of the search page.
func (w *Window) SearchShortcuts(register func(fyne.KeyModifier, fyne.KeyName, func())) {
	on := func(key fyne.KeyName, do func(*Search)) {
		register(MatchModifier(), key, func() {
			if w.Current == PageSearch {
				do(w.Pages[PageSearch].(*Search))
			}
		})
	}
	for i, key := range matchKeys {
		on(key, func(s *Search) { s.toggle(i) })
	}
	for i, key := range tabKeys {
		on(key, func(s *Search) { s.Preview.turn(tabs[i]) })
	}
	for i, source := range allSources {
		on(fyne.KeyName(rune('1'+i)), func(s *Search) { s.Sources.Choose(source) })
	}
	on(fyne.KeyP, func(s *Search) { s.Projects.Open("") })
}
