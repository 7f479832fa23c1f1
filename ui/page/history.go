package page

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

// The preferences for past and saved queries. A past query is followed by a tab and its time.
const (
	PrefAsked = "search.asked"
	PrefSaved = "search.saved"
	mostAsked = 200
)

const (
	// restTime is how long results must be visible before their query enters the history.
	restTime = 2 * time.Second
	// GoesOn limits the time between a query and an extended or shortened query that replaces it in the history.
	GoesOn = time.Minute
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
	if !same {
		s.count(wire.Asked{Projects: s.Roots(), Took: s.answer.Code.Took})
	}
}

func (s *Search) countOpened() { s.count(wire.Asked{Opened: true}) }

func (s *Search) count(a wire.Asked) { Request(s.w, wire.MethodAsked, a, func(wire.Empty, error) {}) }

func (w *Window) Forget() {
	w.App.Preferences().RemoveValue(PrefAsked)
	w.frame.Refresh()
}

var (
	starIcon = widget.LineIcon("star",
		`<path d="M10 3l2.2 4.6l5 0.7l-3.6 3.5l0.9 5L10 14.4L5.5 16.8l0.9-5L2.8 8.3l5-0.7z"/>`)
	keptIcon = widget.Sign("star", widget.ColorStar,
		`<path d="M8 1.6l2 4.2l4.6 0.6l-3.3 3.2l0.8 4.6L8 12l-4.1 2.2l0.8-4.6L1.4 6.4L6 5.8z"/>`)
)

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
		s.addOffer(query, "", ResultRow{does: "Search again", icon: icon, aside: ago, pick: func() { s.Put(query) }})
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
			s.addOffer(tr("All %s", present.Count(len(all), "search")), "", ResultRow{does: "Show all", icon: askedIcon,
				pick: func() {
					s.older = true
					s.Settle()
				}})
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

const linesLimit = 500

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

// Put puts query into the field. The palette has no toggles, so it shows the prefix of a Match as text.
func (s *Search) Put(query string) {
	if !s.brief {
		m, text := present.MatchOf(query)
		s.setMatch(m)
		query = text
	}
	s.Field.SetText(query)
}

func askLines(ctx context.Context, b Backend, roots []string, q api.GrepQuery) (Answer, error) {
	started := time.Now()
	r, err := wire.MethodGrep.Call(ctx, b, wire.Grep{Projects: roots, Query: q})
	return Answer{lines: r, several: len(roots) > 1, Code: api.Results{Took: time.Since(started)}}, err
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
			row := ResultRow{Found: &f, line: true, brief: s.brief, short: s.short, does: "Open in editor", terms: terms,
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

func (w *Window) MatchShortcuts(register func(fyne.KeyModifier, fyne.KeyName, func())) {
	for i, key := range matchKeys {
		register(MatchModifier(), key, func() {
			if w.Current == PageSearch {
				w.Pages[PageSearch].(*Search).toggle(i)
			}
		})
	}
}
