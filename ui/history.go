package ui

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
	prefAsked = "search.asked"
	prefSaved = "search.saved"
	mostAsked = 200
)

const (
	// restTime is how long results must be shown before their query enters the history.
	restTime = 2 * time.Second
	// goesOn is the time within which a query that extends or shortens the previous query replaces that query in the
	// history.
	goesOn = time.Minute
)

type pastSearch struct {
	query string
	at    time.Time
}

func (w *Window) history() (all []pastSearch) {
	for _, line := range w.app.Preferences().StringList(prefAsked) {
		query, when, _ := strings.Cut(line, "\t")
		at, _ := time.Parse(time.RFC3339, when) // zero for an old entry without a time
		all = append(all, pastSearch{query, at})
	}
	return all
}

func (s *search) remember() {
	round, query := s.round, s.query
	s.w.after(restTime, func() {
		if s.round == round {
			s.keep(query, false)
		}
	})
}

func (s *search) keep(query string, opened bool) {
	now, all := s.w.now(), s.w.history()
	same := false
	if len(all) > 0 && now.Sub(all[0].at) < goesOn {
		last := all[0].query
		same = last == query || !opened && (strings.HasPrefix(query, last) || strings.HasPrefix(last, query))
	}
	if same {
		all = all[1:]
	}
	all = slices.DeleteFunc(all, func(a pastSearch) bool { return a.query == query })
	lines := []string{query + "\t" + now.Format(time.RFC3339)}
	for _, a := range all[:min(len(all), mostAsked-1)] {
		lines = append(lines, a.query+"\t"+a.at.Format(time.RFC3339))
	}
	s.w.app.Preferences().SetStringList(prefAsked, lines)
	if !same {
		s.count(wire.Asked{Project: s.answering(), Took: s.answer.code.Took})
	}
	if opened {
		s.count(wire.Asked{Opened: true})
	}
}

func (s *search) answering() string {
	name := ""
	switch a := s.answer; {
	case s.project != everywhere:
		name = s.project
	case len(a.lines.Files) > 0:
		name = a.lines.Files[0].Project
	case len(a.code.Hits) > 0:
		name = a.code.Hits[0].Project
	case len(a.docs.Hits) > 0:
		name = a.docs.Hits[0].Project
	}
	p, _ := s.w.model.Project(name)
	return p.Root()
}

func (s *search) count(a wire.Asked) {
	request(s.w, wire.MethodAsked, a, func(wire.Empty, error) {})
}

func (w *Window) forget() {
	w.app.Preferences().RemoveValue(prefAsked)
	w.refresh()
}

var (
	starIcon = widget.LineIcon("star",
		`<path d="M10 3l2.2 4.6l5 0.7l-3.6 3.5l0.9 5L10 14.4L5.5 16.8l0.9-5L2.8 8.3l5-0.7z"/>`)
	keptIcon = widget.Sign("star", widget.ColorStar,
		`<path d="M8 1.6l2 4.2l4.6 0.6l-3.3 3.2l0.8 4.6L8 12l-4.1 2.2l0.8-4.6L1.4 6.4L6 5.8z"/>`)
)

func (w *Window) saved() []string { return w.app.Preferences().StringList(prefSaved) }

func (s *search) save() {
	query := s.text()
	all := slices.DeleteFunc(s.w.saved(), func(q string) bool { return q == query })
	if query != "" && len(all) == len(s.w.saved()) {
		all = append(all, query)
	}
	s.w.app.Preferences().SetStringList(prefSaved, all)
	s.starred()
	s.win.Canvas().Focus(s.field)
}

func (s *search) starred() {
	query := s.text()
	var icon fyne.Resource = starIcon
	if slices.Contains(s.w.saved(), query) {
		icon = keptIcon
	}
	s.star.Hidden = query == "" || strings.HasPrefix(query, ">")
	s.star.Set("", icon)
}

// offerAsked adds saved and past queries and returns their number.
func (s *search) offerAsked() int {
	saved, all, most := s.w.saved(), s.w.history(), pageAsked
	if s.brief {
		most = paletteAsked
	}
	add := func(query, ago string, icon fyne.Resource) {
		s.addOffer(query, "", resultRow{does: "Search again", icon: icon, aside: ago, pick: func() { s.put(query) }})
	}
	if len(saved) > 0 {
		s.offerHead(resultRow{title: "Saved searches"})
	}
	for _, q := range saved {
		add(q, "", keptIcon)
	}
	if len(all) > 0 {
		s.offerHead(resultRow{title: "Recent searches", count: tr("Clear"), more: true, do: s.w.forget})
	}
	for i, a := range all {
		if i == most && !s.older && len(all) > most+1 {
			s.addOffer(tr("All %s", present.Count(len(all), "search")), "", resultRow{does: "Show all", icon: askedIcon,
				pick: func() {
					s.older = true
					s.settle()
				}})
			break
		}
		ago := ""
		if !a.at.IsZero() {
			ago = present.Ago(a.at, s.w.now())
		}
		add(a.query, ago, askedIcon)
	}
	return len(saved) + min(len(all), most)
}

const linesLimit = 500

type matchToggles struct {
	s       *search
	buttons []*widget.Button
	box     *fyne.Container
}

var matchKeys = []fyne.KeyName{fyne.KeyE, fyne.KeyC, fyne.KeyR}

func matchModifier() fyne.KeyModifier {
	if runtime.GOOS == "darwin" {
		return fyne.KeyModifierAlt | fyne.KeyModifierSuper
	}
	return fyne.KeyModifierAlt
}

func newMatchToggles(s *search) *matchToggles {
	t := &matchToggles{s: s, box: container.New(layout.NewCustomPaddedHBoxLayout(2))}
	for i, x := range []struct {
		sign string
		tip  present.Text
	}{{"“ab”", "Search exact text"}, {"Aa", "Match case"}, {".*", "Search by a regular expression"}} {
		b := newButton("", func() { t.press(i) }).As(widget.ToneTool)
		b.Tip = tr(x.tip) + " (" + keyName("Alt+"+string(matchKeys[i])) + ")"
		b.Set(x.sign, nil)
		t.buttons = append(t.buttons, b)
		t.box.Add(b)
	}
	return t
}

func (t *matchToggles) press(i int) {
	m := &t.s.match
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
	t.set(*m)
	t.s.starred()
	t.s.run()
	t.s.win.Canvas().Focus(t.s.field)
}

func (t *matchToggles) set(m present.Match) {
	t.s.match = m
	for i, on := range []bool{m.Exact, m.Case, m.Regex} {
		tone := widget.ToneTool
		if on {
			tone = widget.ToneChosen
		}
		t.buttons[i].As(tone)
	}
	t.s.files.Set(tr("Searches the current text of all files"))
	t.s.placeholder()
	t.s.head.Refresh()
}

func (s *search) text() string {
	text := strings.TrimSpace(s.field.Text)
	if text == "" || strings.HasPrefix(text, ">") {
		return text
	}
	return s.match.Prefix() + text
}

// put puts query into the field. The palette shows the prefix of a Match as text, because it has no toggles.
func (s *search) put(query string) {
	if !s.brief {
		m, text := present.MatchOf(query)
		s.toggles.set(m)
		query = text
	}
	s.field.SetText(query)
}

func askLines(ctx context.Context, b Backend, roots []string, q api.GrepQuery) (answer, error) {
	started := time.Now()
	r, err := wire.MethodGrep.Call(ctx, b, wire.Grep{Projects: roots, Query: q})
	return answer{lines: r, several: len(roots) > 1, code: api.Results{Took: time.Since(started)}}, err
}

func (s *search) addLines() {
	terms, listed := s.terms(), 0
	for _, file := range s.answer.lines.Files {
		p, known := s.projectOf(file.Project)
		if !known || len(file.Hits) == 0 {
			continue
		}
		head := present.FoundLine(p, file, api.GrepHit{}, s.answer.several)
		s.rows = append(s.rows, resultRow{found: &head, file: true, aside: present.Number(file.Total)})
		in := ""
		for _, line := range file.Hits {
			f := present.FoundLine(p, file, line, s.answer.several)
			row := resultRow{found: &f, line: true, brief: s.brief, short: s.short, does: "Open in editor", terms: terms,
				lines: sourceLines(f.Lines, f.Path, 0, terms)}
			if line.In != in {
				in, row.context = line.In, line.In
			}
			s.rows = append(s.rows, row)
			listed++
		}
	}
	if left := s.answer.lines.Total - listed; left > 0 && s.lines < api.MaxGrepHits {
		s.rows = append(s.rows, resultRow{title: "More", more: true,
			count: tr("Load %s more", present.Number(min(left, api.MaxGrepHits))), do: func() {
				s.lines = api.MaxGrepHits
				s.run()
			}})
	}
}

func (w *Window) matchShortcuts(register func(fyne.KeyModifier, fyne.KeyName, func())) {
	for i, key := range matchKeys {
		register(matchModifier(), key, func() {
			if w.current == PageSearch {
				w.pages[PageSearch].(*search).toggles.press(i)
			}
		})
	}
}
