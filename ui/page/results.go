package page

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/app/highlight"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

type ResultRow struct {
	Found      *present.Found
	Title      present.Source
	Count      string
	More       bool
	Do         func()
	lines      []widget.SourceLine
	prose      string
	terms      highlight.Terms
	file, line bool
	Context    string
	brief      bool   // one line without the context
	pick       func() // action of Enter, if it does not open a result
	does       present.Text
	icon       fyne.Resource
	aside      string
	key        bool
}

func (r ResultRow) same(x ResultRow) bool {
	return r.Title == x.Title && r.aside == x.aside && r.icon == x.icon && (r.Found == nil) == (x.Found == nil) &&
		(r.Found == nil || r.Found.Title == x.Found.Title && r.Found.Where == x.Found.Where)
}

func (r ResultRow) Result() bool { return r.Found != nil && !r.file }
func (r ResultRow) single() bool { return r.brief && !r.line || r.pick != nil || r.file }

const (
	HeadingHeight = 34
	titleHeight   = 37
	contextHeight = 17
	codeHeight    = 17
	proseHeight   = 18
	rowSpace      = 8
	lineHeight    = codeHeight + 9
)

func (r ResultRow) height(width float32) float32 {
	switch {
	case r.Found == nil && r.Title == "":
		return widget.GapSmall
	case r.line && r.Context == "":
		return lineHeight
	case r.line:
		return lineHeight + contextHeight
	case r.Found == nil, r.single():
		return HeadingHeight
	}
	h, lines, line := float32(titleHeight), len(r.lines), float32(codeHeight)
	if r.Found.Context != "" || r.Found.Stale {
		h += contextHeight
	}
	if r.Found.Prose() {
		lines, line = widget.ExcerptLines, proseHeight
		small := fyne.CurrentApp().Settings().Theme().Size(theme.SizeNameCaptionText)
		if fyne.MeasureText(r.prose, small, fyne.TextStyle{}).Width < width-2*widget.GapSmall {
			lines = 1
		}
	}
	return h + float32(lines)*line
}

type resultView struct {
	heading, more           *widget.Text
	icon                    *fynewidget.Icon
	title, where            *widget.Text
	aside                   *widget.KeyCap
	context                 *widget.Text
	code                    *widget.Listing
	prose                   *widget.Excerpt
	row                     ResultRow
	head, body, both, place *fyne.Container
}

func newResultView() *resultView {
	v := &resultView{heading: widget.Strong(""), more: widget.Caption(""), title: widget.Strong(""),
		where: widget.Caption(""), context: widget.Caption(""),
		code: widget.NewListing(theme.SizeNameText), prose: widget.NewExcerpt(theme.SizeNameCaptionText, widget.ExcerptLines)}
	v.more.Align, v.where.Inner = fyne.TextAlignTrailing, true
	v.icon, v.aside = fynewidget.NewIcon(nil), widget.NewKeyCap("")
	v.head = widget.Beside(v.heading, v.more)
	v.place = widget.Beside(v.title, v.where)
	v.body = container.New(widget.Least(0, HeadingHeight, v.lay), v.place, v.context, v.code, v.prose,
		v.icon, v.aside)
	v.both = container.NewStack(widget.Pad(6, 0, widget.GapSmall, widget.GapSmall, v.head), v.body)
	return v
}

const (
	briefPlace  = 0.45
	briefLeast  = 280
	asideShare  = 0.65
	asideLeast  = 0.3
	pictureSize = 18
)

func (v *resultView) lay(size fyne.Size) {
	y := float32(rowSpace)
	width := max(0, size.Width-2*widget.GapSmall)
	if v.row.line {
		y = 4
	}
	if r := v.row; r.single() {
		left, end := float32(widget.GapSmall), size.Width-widget.GapGroup
		put := func(o fyne.CanvasObject, at, room, h float32) {
			widget.Place(o, at, (size.Height-h)/2, max(0, room), h)
		}
		if r.icon != nil {
			put(v.icon, left, pictureSize, pictureSize)
			left += pictureSize + widget.GapSmall + 4
		}
		if aside := v.aside.MinSize(); r.aside != "" {
			most := end - left - v.title.Full() - widget.GapGroup
			aside.Width = min(aside.Width, max(most, (end-left)*asideLeast), (end-left)*asideShare)
			end -= aside.Width
			put(v.aside, end, aside.Width, aside.Height)
			end -= widget.GapGroup
		}
		room := end - left
		if r.brief && len(r.Found.Lines) > 0 {
			room = max(width*briefPlace, min(briefLeast, width*asideShare)) - left
			put(v.code, left+room+widget.GapGroup, end-left-room-widget.GapGroup, proseHeight)
			put(v.prose, left+room+widget.GapGroup, end-left-room-widget.GapGroup, proseHeight)
		}
		put(v.place, left, room, v.place.MinSize().Height)
		return
	}
	for i, o := range v.body.Objects[:4] {
		if !o.Visible() {
			continue
		}
		h := o.MinSize().Height
		if i >= 2 {
			h = max(0, size.Height-y-rowSpace)
			y += 2
			if v.row.line {
				h = codeHeight
			}
		}
		widget.Place(o, widget.GapSmall, y, width, h)
		y += h
	}
}

func (v *resultView) set(r ResultRow) {
	v.row = r
	heading := r.Found == nil
	v.head.Hidden, v.body.Hidden = !heading, heading
	if heading {
		v.heading.Set(tr(r.Title))
		v.more.Set(r.Count)
		v.more.SetColor(widget.ColorMuted)
		if r.More {
			v.more.SetColor(theme.ColorNamePrimary)
		}
		v.both.Refresh()
		return
	}
	f := r.Found
	if v.title.Keep = 0; f.Hit != nil && f.Best > 0 {
		v.title.Keep = len(f.Title) - strings.LastIndexByte(f.Title, ':')
	}
	v.title.Set(f.Title)
	v.title.Style.Bold = r.pick == nil || f.Where != ""
	v.title.Inner = r.pick != nil && f.Project != ""
	v.title.Refresh()
	v.where.Set(f.Where)
	one := r.single()
	v.place.Hidden = r.line
	if v.icon.Hidden = !one || r.icon == nil; !v.icon.Hidden {
		v.icon.SetResource(r.icon)
	}
	v.aside.Hidden = r.aside == ""
	aside := r.aside
	if r.key {
		aside = KeyName(aside)
	}
	v.aside.Set(aside, r.key)
	second := f.Context
	if r.line {
		second = r.Context
	}
	if f.Stale {
		second = present.Join(second, tr("changed since it was indexed"))
	}
	v.context.Set(second)
	v.context.Hidden = second == "" && len(f.Lines) > 0 || one
	v.code.Hidden, v.prose.Hidden = f.Prose(), !f.Prose()
	if f.Prose() {
		v.prose.Most = widget.ExcerptLines
		if r.brief {
			v.prose.Most = 1
		}
		v.prose.Set(r.prose, r.terms.In)
	} else {
		v.code.Set(r.lines, true)
	}
	v.both.Refresh()
}

const (
	firstShown, otherShown, weakShown = 10, 5, 3
	foldedShare, weakShare            = 0.5, 0.5
	// codeFirst is how much better documents must be to come before code. Factors from 1 to 1.2 showed the expected source
	// first for 21 of 25 questions.
	codeFirst = 1.1
	// outsideScore is the score of a document outside projects that contains all terms.
	outsideScore = 0.6
)

func (s *Search) found() map[present.Source][]present.Found {
	all := map[present.Source][]present.Found{}
	listed := map[string]bool{} // files, and places in files
	hits := func(source present.Source, r api.Results) {
		first := map[[2]string]int{}
		for _, h := range r.Hits {
			p, known := s.projectOf(h.Project)
			if !known {
				continue
			}
			f := present.FoundHit(source, p, h, s.answer.several)
			if i, twin := first[[2]string{h.Path, h.Text}]; twin && all[source][i].Project != f.Project {
				all[source][i].Where = present.Join(all[source][i].Where, tr("also in %s", p.Name))
				continue
			}
			place := f.File + ":" + strconv.Itoa(f.Best)
			if listed[place] { // passages may overlap
				continue
			}
			listed[place], listed[f.File] = true, true
			first[[2]string{h.Path, h.Text}] = len(all[source])
			all[source] = append(all[source], f)
		}
	}
	hits(present.SourceCode, s.answer.Code)
	hits(present.SourceDocuments, s.answer.docs)
	terms := s.Terms()
	for _, f := range present.FoundOutside(s.answer.outside, s.w.Home) {
		if f.File != "" && listed[f.File] {
			continue
		}
		share := terms.Share(f.Text())
		f.Score, f.Weak = outsideScore*share, share < weakShare
		list := all[f.Source] // projects' hits are sorted already
		at := slices.IndexFunc(list, func(x present.Found) bool { return strength(x) < strength(f) })
		if at < 0 {
			at = len(list)
		}
		all[f.Source] = slices.Insert(list, at, f)
	}
	for _, path := range slices.Concat(s.answer.files.Matches, s.answer.files.Similar) {
		name := ""
		if s.answer.several {
			name, path, _ = strings.Cut(path, ":")
		}
		if p, known := s.projectOf(name); known {
			f := present.FoundFile(p, path, s.answer.several)
			f.Weak = len(s.answer.files.Matches) == 0
			all[present.SourceFiles] = append(all[present.SourceFiles], f)
		}
	}
	return all
}

// strength returns a score for comparisons with other sources.
func strength(f present.Found) float64 {
	value := f.Score
	if f.Source == present.SourceCode {
		value *= codeFirst
	}
	if f.Weak {
		value-- // less than all strong results
	}
	return value
}

func (s *Search) arrange() {
	s.Rows = nil
	if typed := strings.TrimSpace(s.Field.Text); s.Query == "" || strings.HasPrefix(typed, ">") {
		s.offer(typed)
		return
	}
	if s.typedAs.Match.Lines() {
		s.addLines()
		return
	}
	if s.brief {
		s.offerNamed()
	}
	all := s.found()
	sections := s.ordered(all)
	if s.Source != present.SourceAll {
		sections = []present.Source{s.Source}
	}
	for i, source := range sections {
		list, room := all[source], otherShown
		switch {
		case len(sections) == 1:
			room = len(list)
		case i > 0 && strength(list[0]) < foldedShare*strength(all[sections[0]][0]):
			room = 0
		case i == 0 && list[0].Weak:
			room = weakShown
		case i == 0:
			room = firstShown
		}
		weak := slices.IndexFunc(list, func(f present.Found) bool { return f.Weak })
		if weak >= 0 && len(sections) > 1 && i+weak > 0 {
			room = min(room, weak) // show weaker results only after a click
		}
		if len(sections) > 1 && !s.brief {
			s.Rows = append(s.Rows, s.section(source, len(list), min(room, len(list))))
		}
		s.add(list[:min(room, len(list))])
	}
	if len(sections) == 1 && !s.brief && s.left(sections[0]) > 0 && len(s.Rows) > 0 && !s.Rows[0].More {
		more := tr("Load %s more", present.Number(min(s.left(sections[0]), api.MaxTopK)))
		s.Rows = append(s.Rows, ResultRow{Title: "More", More: true, Count: more, Do: func() { s.load(sections[0]) }})
	}
}

// arrangeAgain sorts the results again and keeps the highlight.
func (s *Search) arrangeAgain() {
	at := s.List.At
	s.arrange()
	s.List.At = min(at, len(s.Rows)-1)
	s.List.Refresh()
}

func (s *Search) ordered(all map[present.Source][]present.Found) []present.Source {
	order := []present.Source{present.SourceCode, present.SourceDocuments, present.SourceSites, present.SourceArchive}
	order = slices.DeleteFunc(order, func(x present.Source) bool { return len(all[x]) == 0 })
	slices.SortStableFunc(order, func(a, b present.Source) int {
		return cmp.Compare(strength(all[b][0]), strength(all[a][0]))
	})
	return order
}

func (s *Search) section(source present.Source, n, shown int) ResultRow {
	n += s.left(source)
	r := ResultRow{Title: source, Count: present.Count(n, "result"), More: n > shown}
	if r.More {
		r.Count, r.Do = tr("Show all %s", present.Number(n)), func() {
			s.weak = true
			s.Sources.Choose(source)
		}
	}
	if shown == 0 {
		r.Count = present.Count(n, "weaker result")
	}
	return r
}

func (s *Search) add(list []present.Found) {
	terms := s.Terms()
	for i, f := range list {
		switch {
		case !f.Weak || i > 0 && list[i-1].Weak:
		case i > 0:
			s.Rows = append(s.Rows, ResultRow{Title: weaker})
		default:
			head := ResultRow{Title: nearest}
			if f.Source == present.SourceFiles {
				head.Title = similar
			} else if head.More = len(list) > weakShown && !s.weak; head.More {
				head.Count = tr("Show all %s", present.Number(len(list)+s.left(f.Source)))
				head.Do = func() { s.weak = true; s.Settle() }
				list = list[:weakShown]
			}
			s.Rows = append(s.Rows, head)
		}
		if i >= len(list) {
			return
		}
		r := ResultRow{Found: &f, terms: terms, brief: s.brief || s.short || len(f.Lines) == 0,
			icon: sourceIcons[f.Source], does: "Open in editor"}
		if f.Page != "" {
			r.does = "Open in browser"
		}
		if f.Prose() && len(f.Lines) > 0 {
			r.prose = f.Lines[0].Text
		} else {
			lines := f.Lines
			at := slices.IndexFunc(lines, func(l api.Line) bool { return l.Number == f.Best })
			if r.brief && at >= 0 {
				lines = lines[at : at+1]
			}
			r.lines = sourceLines(lines, f.Path, f.Best, terms)
			if r.brief && len(r.lines) > 0 {
				r.lines[0].Number = 0 // the title already shows the line's number
			}
		}
		s.Rows = append(s.Rows, r)
	}
}

const (
	nearest present.Text = "No confident match. Closest:"
	similar present.Text = "No file has this name. Similar names:"
	weaker  present.Text = "Weaker results"
)

func (s *Search) load(source present.Source) {
	corpus, into := api.CorpusCode, &s.answer.Code
	if source == present.SourceDocuments {
		corpus, into = api.CorpusDocs, &s.answer.docs
	}
	round := s.round
	q := wire.Search{Projects: s.Roots(), Query: s.typedAs.Query(corpus, len(into.Hits))}
	Request(s.w, wire.MethodSearch, q, func(r api.Results, err error) {
		switch {
		case s.round != round:
		case err != nil:
			s.w.Failed(err)
		default:
			into.Hits = append(into.Hits, r.Hits...)
			if len(r.Hits) == 0 {
				into.Total = len(into.Hits)
			}
			s.arrangeAgain()
			s.Summary.Set(s.sum())
		}
	})
}

func (s *Search) sum() string {
	a := s.answer
	if s.w.Opts.Inline {
		a.Code.Took, a.docs.Took = 0, 0
	}
	if s.typedAs.Match.Lines() {
		return present.LinesSummary(a.lines, a.Code.Took)
	}
	if s.Source == present.SourceFiles {
		return present.FilesSummary(a.files)
	}
	n, left, all := 0, 0, s.found()
	for source, list := range all {
		n, left = n+len(list), left+s.left(source)
	}
	if n == 0 {
		return ""
	}
	found, searched := present.Results(n, n+left), a.Code
	switch {
	case s.Source == present.SourceAll && len(all) > 1:
		found = present.Count(n+left, "result") // as the headings count them
	case s.Source == present.SourceDocuments:
		searched = a.docs
	}
	if s.Source != present.SourceAll && len(searched.Hits) == 0 {
		return found
	}
	return present.Join(found, present.Completeness(searched, s.searched()))
}

func (s *Search) left(source present.Source) int {
	r := map[present.Source]api.Results{present.SourceCode: s.answer.Code, present.SourceDocuments: s.answer.docs}[source]
	return max(0, r.Total-len(r.Hits))
}

func (s *Search) searched() (all []api.Project) {
	for _, root := range s.Roots() {
		if p, known := s.w.Model.Project(root); known {
			all = append(all, p)
		}
	}
	return all
}
