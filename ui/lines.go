package ui

import (
	"context"
	"runtime"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

const linesLimit = 500

type matchToggles struct {
	s       *search
	buttons []*button
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
		b := newButton("", func() { t.press(i) }).as(toneTool)
		b.tip = tr(x.tip) + " (" + keyName("Alt+"+string(matchKeys[i])) + ")"
		b.set(x.sign, nil)
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
		tone := toneTool
		if on {
			tone = toneChosen
		}
		t.buttons[i].as(tone)
	}
	t.s.files.set(tr("Searches the current text of all files"))
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
