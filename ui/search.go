package ui

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

func itoa(n int) string { return strconv.Itoa(n) }

// typingPause is how long the person has to rest before a search starts by itself.
const typingPause = 250 * time.Millisecond

// filesLimit is how many files are listed for a pattern: more than anybody scrolls through.
const filesLimit = 500

// search is the second page: what an assistant would get, a person sees.
type search struct {
	w       *Window
	project string // root; everywhere for all of them
	scope   present.Text

	field    *searchEntry
	scopes   *segments
	projects *chooser
	summary  *text
	message  *fyne.Container
	list     *widget.List
	preview  *widget.TextGrid
	where    *text
	buttons  *fyne.Container
	split    fyne.CanvasObject
	root     fyne.CanvasObject

	round   int // number of the newest search: answers to older ones are dropped
	query   string
	hits    []api.Hit
	files   []string
	results api.Results
	chosen  int
}

// hitsWidth shows most file names with their lines in full.
const hitsWidth = 256

// The scopes, as they are shown.
const (
	scopeCode  present.Text = "Code"
	scopeDocs  present.Text = "Documents"
	scopeFiles present.Text = "File names"
)

func newSearch(w *Window) *search {
	s := &search{w: w, scope: scopeCode, chosen: -1}
	s.field = newSearchEntry(w)
	s.field.OnChanged = func(string) { s.typed() }
	s.field.OnSubmitted = func(string) { s.submitted() }
	s.field.keys[fyne.KeyDown] = func() { s.step(1) }
	s.field.keys[fyne.KeyUp] = func() { s.step(-1) }
	s.field.keys[fyne.KeyEscape] = func() { s.field.SetText("") }
	s.scopes = newSegments([]present.Text{scopeCode, scopeDocs, scopeFiles}, scopeCode, func(v present.Text) {
		s.scope = v
		s.placeholder()
		s.run()
	})
	s.projects = w.newChooser(nil, "", func(root string) {
		s.project = root
		s.run()
	})
	s.summary = caption("")
	s.list = widget.NewList(s.length, newHitRow, s.draw)
	s.list.OnSelected = s.show
	s.preview = widget.NewTextGrid()
	s.preview.Scroll = fyne.ScrollBoth
	s.where = muted("")
	s.buttons = row(
		primary("Open in editor", s.open), newButton("Copy", s.copy), newButton("Show file", func() { s.w.reveal(s.file()) }))
	right := container.New(gapBorder{gapSmall}, column(gapSmall, s.where, s.buttons), s.preview)
	s.split = container.NewBorder(nil, nil, container.NewBorder(nil, nil, nil, widget.NewSeparator(),
		wide(hitsWidth, s.list)), nil, pad(0, 0, gapGroup, 0, right))
	s.message = container.NewStack()
	s.placeholder()
	controls := column(gapSmall, s.field, container.NewBorder(nil, nil, s.scopes.box, wide(200, s.projects)), s.summary)
	s.root = frame(tr("Search"), nil, container.New(gapBorder{gapSmall}, controls, container.NewStack(s.split, s.message)))
	s.settle()
	return s
}

// everywhere stands for all projects in place of a root.
const everywhere = "*"

// roots are the projects that are searched.
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
	s.w.win.Canvas().Focus(s.field)
}

// in makes a project the one that is searched.
func (s *search) in(p api.Project) {
	s.project = p.Root()
	s.refresh()
	s.run()
}

func (s *search) placeholder() {
	p := present.Text("What are you looking for? A sentence, a name, a word")
	if s.scope == scopeFiles {
		p = "A pattern such as **/auth*.ts"
	}
	s.field.SetPlaceHolder(tr(p))
}

// refresh keeps the option of projects in line with the model. Results stay as they are, chosen one and place included.
func (s *search) refresh() {
	var options []option
	for _, p := range s.w.model.Projects() {
		if p.State != api.StateNotIndexed {
			options = append(options, option{p.Root(), p.Name, present.Home(p.Root(), s.w.home)})
		}
	}
	known := slices.ContainsFunc(options, func(c option) bool { return c.key == s.project })
	if len(options) > 1 {
		options = append([]option{{key: everywhere, name: tr("All projects")}}, options...)
		known = known || s.project == everywhere
	}
	if !known && len(options) > 0 {
		s.project = options[min(1, len(options)-1)].key // the first project: an assistant works in one
	}
	before := len(s.projects.options)
	s.projects.set(options, s.project)
	if (before == 0) != (len(options) == 0) {
		s.settle()
	}
}

// typed searches once the person rests.
func (s *search) typed() {
	s.round++
	round := s.round
	if s.w.opts.Inline {
		s.run()
		return
	}
	s.w.background(func() {
		select {
		case <-time.After(typingPause):
			s.w.onUI(func() {
				if s.round == round {
					s.run()
				}
			})
		case <-s.w.ctx.Done():
		}
	})
}

type found2 struct {
	results api.Results
	files   api.FileResults
}

func (s *search) run() {
	s.round++
	round := s.round
	query := strings.TrimSpace(s.field.Text)
	if query == "" || s.project == "" {
		s.query, s.hits, s.files, s.results, s.chosen = "", nil, nil, api.Results{}, -1
		s.settle()
		return
	}
	projects, scope := s.roots(), s.scope
	later(s.w, func(ctx context.Context, b Backend) (found2, error) {
		if scope == scopeFiles {
			r, err := b.Files(ctx, projects, api.FileQuery{Pattern: query, Limit: filesLimit})
			return found2{files: r}, err
		}
		q := api.Query{Text: query, Corpus: api.CorpusCode, TopK: api.MaxTopK, Detail: api.DetailLong}
		if scope == scopeDocs {
			q.Corpus = api.CorpusDocs
		}
		started := time.Now()
		r, err := b.Search(ctx, projects, q)
		if r.Took == 0 {
			r.Took = time.Since(started)
		}
		return found2{results: r}, err
	}, func(f found2, err error) {
		if s.round != round {
			return
		}
		if err != nil {
			s.hits, s.files, s.chosen = nil, nil, -1
			s.list.Refresh()
			s.say(s.w.problemBox(present.ProblemOf(err), s.run))
			return
		}
		s.query, s.results, s.hits, s.files = query, f.results, f.results.Hits, f.files.Matches
		if scope == scopeFiles {
			s.hits = nil
			s.summary.set(present.FilesSummary(f.files))
		} else {
			s.files = nil
			if s.w.opts.Inline {
				f.results.Took = 0
			}
			s.summary.set(present.Summary(f.results))
		}
		s.settle()
	})
}

func (s *search) length() int { return len(s.hits) + len(s.files) }

// settle shows the results, or says why there are none.
func (s *search) settle() {
	if s.length() > 0 {
		s.message.Hide()
		s.split.Show()
		s.list.UnselectAll()
		s.list.Refresh()
		s.list.ScrollToTop()
		s.list.Select(0)
		return
	}
	s.summary.set("")
	switch {
	case len(s.projects.options) == 0:
		s.say(container.NewCenter(container.New(fixed{width: 420},
			column(gapGroup, centredText("There is no project to search yet."),
				container.NewCenter(primary("Add folder", s.w.addFolder))))))
	case s.query == "":
		s.say(container.NewCenter(container.New(fixed{width: 420},
			centredText("Results are those that your assistant would get. Enter opens the chosen one in your editor."))))
	default:
		parts := column(gapSmall, centredText("Nothing found."))
		for _, n := range s.results.Notes {
			parts.Add(centredText("%s", present.Said(n)))
		}
		s.say(container.NewCenter(container.New(fixed{width: 420}, parts)))
	}
}

func (s *search) say(o fyne.CanvasObject) {
	s.split.Hide()
	s.message.Objects = []fyne.CanvasObject{o}
	s.message.Show()
	s.message.Refresh()
}

// hitRow is one result in the list.
type hitRow struct {
	title, dir, where *text
}

func newHitRow() fyne.CanvasObject {
	t, d, x := strong(""), caption(""), caption("")
	return pad(4, 4, 4, 4, column(2, t, d, x))
}

func (s *search) draw(i widget.ListItemID, o fyne.CanvasObject) {
	box := o.(*fyne.Container).Objects[0].(*fyne.Container)
	row := hitRow{box.Objects[0].(*text), box.Objects[1].(*text), box.Objects[2].(*text)}
	if i < len(s.hits) {
		h := present.HitOf(s.hits[i])
		row.title.set(h.Title)
		second, third := h.Dir, strings.TrimSpace(h.Score+"  "+h.Where)
		if h.Stale {
			third = present.Join(third, tr("changed since"))
		}
		if second == "" { // a file at the top
			second, third = third, ""
		}
		row.dir.set(second)
		row.where.set(third)
		return
	}
	dir, base := present.Base(s.files[i-len(s.hits)])
	row.title.set(base)
	row.dir.set(dir)
	row.where.set("")
}

// show puts a result into the preview.
func (s *search) show(i widget.ListItemID) {
	s.chosen = i
	if i < len(s.hits) {
		h := s.hits[i]
		s.where.set(h.Path)
		s.preview.Rows = source(h, present.Terms(s.query))
	} else {
		s.where.set(s.files[i-len(s.hits)])
		s.preview.Rows = nil
	}
	s.preview.Refresh()
	s.preview.ScrollToTop()
}

// step moves the option while the field keeps the focus.
func (s *search) step(by int) {
	if to := s.chosen + by; to >= 0 && to < s.length() {
		s.list.Select(to)
	}
}

// submitted searches at once, or opens the result of the search that is shown.
func (s *search) submitted() {
	if strings.TrimSpace(s.field.Text) == s.query && s.chosen >= 0 {
		s.open()
		return
	}
	s.run()
}

// file is the chosen result's file.
func (s *search) file() string {
	if s.chosen < 0 || s.chosen >= s.length() {
		return ""
	}
	rel, project := "", s.project
	if s.chosen < len(s.hits) {
		rel = s.hits[s.chosen].Path
		if p := s.hits[s.chosen].Project; p != "" {
			project = p
		}
	} else {
		rel = s.files[s.chosen-len(s.hits)]
		if s.project == everywhere {
			project, rel, _ = strings.Cut(rel, ":")
		}
	}
	p, ok := s.w.model.Project(project)
	if !ok {
		return ""
	}
	return present.File(p, rel)
}

func (s *search) open() {
	path, line := s.file(), 0
	if path == "" {
		return
	}
	if s.chosen < len(s.hits) {
		line = max(s.hits[s.chosen].Best, s.hits[s.chosen].StartLine)
	}
	s.w.background(func() {
		err := s.w.opts.Desktop.OpenFile(path, line)
		s.w.onUI(func() { s.w.failed(err) })
	})
}

func (s *search) copy() {
	if s.chosen >= 0 && s.chosen < len(s.hits) {
		s.w.copy(s.hits[s.chosen].Text)
	} else if path := s.file(); path != "" {
		s.w.copy(path)
	}
}

// searchEntry is a field some of whose keys do something else than edit it, such as to move through results.
type searchEntry struct {
	entry
	keys map[fyne.KeyName]func()
}

func newSearchEntry(w *Window) *searchEntry {
	e := &searchEntry{entry: entry{w: w}, keys: map[fyne.KeyName]func(){}}
	e.Icon = theme.SearchIcon()
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *searchEntry) TypedKey(k *fyne.KeyEvent) {
	if do := e.keys[k.Name]; do != nil {
		do()
		return
	}
	e.entry.TypedKey(k)
}
