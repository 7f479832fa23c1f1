package page

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/wire"
	"searchmcp/assets/licences"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

type Settings struct {
	w     *Window
	Find  *widget.Entry
	Body  *fyne.Container
	saved map[string]any
	drawn string
	root  fyne.CanvasObject

	Language *widget.Segments[string]
}

func newSettings(w *Window) *Settings {
	s := &Settings{w: w, Body: container.New(widget.Groups{})}
	s.Find = w.newEntry("", func() { s.Find.SetText("") })
	s.Find.SetPlaceHolder(tr("Find a setting"))
	columns, scroll := widget.Columns(s.Body)
	s.Find.OnChanged = func(string) {
		s.draw()
		scroll.ScrollToTop()
	}
	s.root = widget.Frame(tr("Settings"), widget.Wide(200, s.Find), columns)
	s.draw()
	return s
}

func (s *Settings) field() *widget.Entry       { return s.Find }
func (s *Settings) Content() fyne.CanvasObject { return s.root }
func (s *Settings) Shown()                     { s.fetch() }

func (s *Settings) fetch() {
	Request(s.w, wire.MethodSettingsGet, wire.Empty{}, func(saved map[string]any, err error) {
		if err == nil {
			s.saved = saved
		}
		s.draw()
	})
}

func (s *Settings) Refresh() {
	if s.shape() == s.drawn {
		return
	}
	if s.draw(); s.saved == nil && s.w.Backend != nil {
		s.fetch()
	}
}

func (s *Settings) shape() string {
	return present.Total(s.w.Model.Projects()) + s.w.Model.Data + fmt.Sprint(s.w.Model.Problems, s.w.Model.Lost != nil,
		s.w.Model.Connected)
}

func (s *Settings) draw() { s.w.keepFocus(s.Body, s.redraw) }

func (s *Settings) redraw() {
	s.drawn = s.shape()
	s.Body.Objects = nil
	for _, g := range []*fyne.Container{s.general(), s.work(), s.anywhere(), s.data(), s.about()} {
		if keepRows(g, strings.ToLower(strings.TrimSpace(s.Find.Text))) {
			s.Body.Objects = append(s.Body.Objects, widget.Column(4, g.Objects[0], card(g.Objects[groupHead:])))
		}
	}
	if len(s.Body.Objects) == 0 {
		s.Body.Objects = []fyne.CanvasObject{widget.Quiet(tr("No setting matches “%s”.", strings.TrimSpace(s.Find.Text)))}
	}
	for _, e := range s.w.Model.Problems {
		s.Body.Objects = append([]fyne.CanvasObject{s.w.ProblemBox(present.ProblemOfError(e), s.check)}, s.Body.Objects...)
	}
	s.Body.Refresh()
}

func (w *Window) SetTheme(v widget.Variant) {
	w.App.Preferences().SetString(PrefTheme, string(v))
	w.App.Settings().SetTheme(widget.Theme{Want: v})
}

func (s *Settings) general() *fyne.Container {
	prefs, variants := s.w.App.Preferences(), []present.Text{"System", "Light", "Dark"}
	chosen := present.Text(present.Capital(prefs.StringWithFallback(PrefTheme, string(widget.VariantSystem))))
	looks := newSegments(variants, chosen, func(v present.Text) {
		s.w.SetTheme(widget.Variant(strings.ToLower(string(v))))
	})
	rows := []fyne.CanvasObject{settingRow("Appearance", "", looks.Box), s.languages()}
	if on, ok := s.w.Opts.Desktop.Autostart(); ok {
		how := present.Text("Starts as a tray icon, without a window.")
		if s.w.Opts.NoTray {
			how = "Starts without a window."
		}
		rows = append(rows, settingRow("Start at login", how,
			toggle(on, func(on bool) {
				s.w.Failed(present.Failed("Starting at login can't be turned on or off.", s.w.Opts.Desktop.SetAutostart(on)))
				s.draw()
			})))
	}
	rows = append(rows, s.switches(general)...)
	return group("General", rows...)
}

// itself is translated to the name of each language.
const itself present.Text = "English"

func (s *Settings) languages() fyne.CanvasObject {
	prefs := s.w.App.Preferences()
	s.Language = widget.NewSegments(append([]string{""}, translations.Codes()...), func(code string) string {
		if code == "" {
			return tr("System")
		}
		return translations.For(code).Text(itself)
	}, prefs.String(PrefLanguage), func(code string) {
		prefs.SetString(PrefLanguage, code)
		s.Set(api.SettingLanguage, code) // for the tray
		s.w.frame.Speak()
		chosen := s.w.Pages[PageSettings].(*Settings).Language // of the new page
		s.w.Win.Canvas().Focus(chosen.Buttons[chosen.Chosen()])
	})
	return settingRow("Language", "", s.Language.Box)
}

type choice struct {
	key         string
	label, hint present.Text
}

const groupHead = 2

func keepRows(g *fyne.Container, text string) bool {
	if Shows(g.Objects[0], text) {
		return true
	}
	rows := slices.DeleteFunc(slices.Clone(g.Objects[groupHead:]), func(o fyne.CanvasObject) bool {
		return !Shows(o, text)
	})
	g.Objects = append(g.Objects[:groupHead], rows...)
	return len(rows) > 0
}

var synonyms = map[present.Text]present.Text{
	"Appearance":     "theme, dark mode, light mode, colors",
	"Language":       "locale, translation",
	"Start at login": "autostart, boot", "Shortcut": "hotkey, key, palette",
	"Open results in": "editor", "Pause on battery": "power, laptop", "Processor cores for indexing": "cpu, threads",
	"Free the model's memory when idle": "ram", "Disk space for the cache": "storage",
	"Record editors' requests": "privacy, history, log",
}

func Shows(o fyne.CanvasObject, what string) bool {
	if all := widget.Children(o); all != nil {
		return slices.ContainsFunc(all, func(x fyne.CanvasObject) bool { return Shows(x, what) })
	}
	words := ""
	switch o := o.(type) {
	case *widget.Text:
		words = o.Value
	case *widget.Button:
		words = o.Text
	case *fynewidget.RichText:
		words = o.String()
	}
	for label, others := range synonyms {
		if words == tr(label) {
			words += "\n" + tr(others)
		}
	}
	return strings.Contains(strings.ToLower(words), what)
}

var (
	general = []choice{
		{KeyActivity, "Record editors' requests", "Shown under Activity, on this computer only."},
		{KeySaveActivity, "Keep the record for seven days", "In a file that only you can read."},
	}
	kindness = []choice{
		{"pauseOnBattery", "Pause on battery",
			"Indexing for search by meaning waits until the computer is plugged in. Search by words still works."},
		{"pauseUnderLoad", "Wait while the computer is busy",
			"Indexing for search by meaning resumes when the computer is less busy."},
		{"light", "Search by meaning with quick vectors only",
			"Faster and uses less memory, because no model runs, but finds less."},
	}
)

func (s *Settings) switches(of []choice) []fyne.CanvasObject {
	var rows []fyne.CanvasObject
	for _, c := range of {
		if on, known := s.saved[c.key].(bool); known {
			rows = append(rows, settingRow(c.label, c.hint, toggle(on, func(on bool) { s.Set(c.key, on) })))
		}
	}
	return rows
}

var numbers = []struct {
	key         string
	label, hint present.Text
	choices     []int
	word        func(int) string
}{
	{"threads", "Processor cores for indexing", "Fewer cores leave more for other programs.", []int{0, 1, 2, 4, 8},
		func(n int) string {
			if n == 0 {
				return tr("Automatic")
			}
			return present.Count(n, "core")
		}},
	{"modelIdleMinutes", "Free the model's memory when idle", "The next search that needs the model loads it again.",
		[]int{1, 5, 15, 60}, func(n int) string { return tr("after %s", present.Count(n, "minute")) }},
	{"vectorCacheMB", "Disk space for the cache", "Makes indexing faster when you switch branches.",
		[]int{256, 512, 1024, 2048, 4096}, func(n int) string { return present.Size(int64(n) << 20) }},
}

func (s *Settings) work() *fyne.Container {
	var rows []fyne.CanvasObject
	for _, n := range numbers {
		if v, known := s.saved[n.key].(float64); known { // an older app may lack the setting
			rows = append(rows, settingRow(n.label, n.hint, s.w.choose(n.choices, int(v), n.word,
				func(v int) { s.Set(n.key, v) })))
		}
	}
	rows = append(rows, s.switches(kindness)...)
	switch {
	case len(rows) > 0:
	case s.w.Model.Lost == nil: // not connected yet
		rows = append(rows, busyLine("Loading"))
	default:
		rows = append(rows, widget.Quiet(tr("Shown when Search MCP is running.")))
	}
	rows = append(rows, widget.Small(
		tr("You are always asked before an index is rebuilt or deleted. You are also asked before an index is created, "+
			"unless you chose “Always allow” for that project.")))
	return group("Indexing", rows...)
}

func (s *Settings) Set(key string, v any) {
	Request(s.w, wire.MethodSettingsSet, map[string]any{key: v}, func(saved map[string]any, err error) {
		if err != nil {
			s.w.Failed(err)
		} else {
			s.saved = saved
		}
		s.draw()
	})
}

const largest = 5

func (s *Settings) data() *fyne.Container {
	m := &s.w.Model
	projects := m.Projects()
	total := present.Total(projects)
	if total == "" && m.Connected {
		total = tr("No projects yet")
	}
	show := NewButton("Show folder", func() { s.w.reveal(m.Data) })
	folder := present.Home(m.Data, s.w.Home)
	rows := []fyne.CanvasObject{labelled(folder, total, show)}
	slices.SortStableFunc(projects, func(a, b api.Project) int { return cmp.Compare(b.SizeBytes, a.SizeBytes) })
	for _, p := range projects[:min(len(projects), largest)] {
		rows = append(rows, container.NewBorder(nil, nil, nil, widget.Wide(96, alignedRight(present.Size(p.SizeBytes))),
			widget.Muted(p.Name)))
	}
	if more := len(projects) - largest; more > 0 {
		rows = append(rows, widget.Muted(present.Count(more, "smaller project")))
	}
	if len(projects) > 0 {
		rows = append(rows, cardFoot(widget.Row(NewButton("Delete all indexes…",
			func() { s.clear(projects) }).As(widget.ToneWarn))))
	}
	return group("Data", rows...)
}

func (s *Settings) clear(projects []api.Project) {
	var all api.Project
	for _, p := range projects {
		all.Files += p.Files
		all.SizeBytes += p.SizeBytes
	}
	q := present.Own(api.ActionDelete, all, nil)
	q.Title = tr("Delete the indexes of all %s", present.Count(len(projects), "project"))
	q.Text = tr("Delete the index for each project? This cannot be undone.")
	s.w.ask(q, func() {
		s.w.act(func(ctx context.Context, b Backend) error {
			for _, p := range projects {
				if err := b.Agreed(ctx, api.ActionDelete, p.Root()); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (s *Settings) about() *fyne.Container {
	version, toolchain := fmt.Sprintf("Search MCP %s", s.w.Opts.Version), runtime.Version()
	if s.w.Opts.Inline { // the same text in every screenshot
		toolchain = "Go"
	}
	if app := s.w.Model.Version; app != "" && app != s.w.Opts.Version {
		version = tr("%s (the app is %s)", version, app)
	}
	return group("About",
		labelled(version, fmt.Sprintf("%s/%s, %s. %s", runtime.GOOS, runtime.GOARCH, toolchain,
			tr("Apache License 2.0. Everything runs on this computer.")),
			widget.Row(NewButton("Check everything", s.check), NewButton("Licences", s.licences))),
		widget.Flush(Link("Quit Search MCP", s.w.frame.Quit)))
}

func (s *Settings) check() {
	body, fill := s.w.slot(busyLine("Checking"))
	sheet := &Sheet{Title: tr("Check everything"), Body: body,
		Buttons: []fyne.CanvasObject{NewButton("Close", s.w.CloseSheet)}}
	s.w.Open(sheet)
	Request(s.w, wire.MethodDoctor, wire.ProjectRef{}, func(f []api.Finding, err error) {
		if s.w.Sheet != sheet {
			return
		}
		if err != nil {
			fill(s.w.ProblemBox(present.ProblemOf(err), s.check))
			return
		}
		list := widget.Column(12)
		for _, x := range present.Checks(f) {
			m := present.MarkReady
			if !x.OK {
				m = present.MarkNeeds
			}
			list.Add(Message(m, widget.Column(2, slices.Concat([]fyne.CanvasObject{widget.Strong(x.Title)},
				widget.Each(widget.Quiet, x.Messages), widget.Each(widget.Prose, x.Remedies),
				widget.Each(widget.Caption, x.Details))...)))
		}
		fill(list)
	})
}

const (
	licenceColumns = 56
	licenceHeight  = 18
)

func wrap(line string, columns int) []string {
	var out []string
	for len(line) > columns {
		at := strings.LastIndex(line[:columns+1], " ")
		if at <= len(line)-len(strings.TrimLeft(line, " ")) { // a single word, or indented
			if at = strings.Index(line[columns:], " "); at < 0 {
				break
			}
			at += columns
		}
		out = append(out, line[:at])
		line = strings.TrimLeft(line[at:], " ")
	}
	return append(out, line)
}

func (s *Settings) licences() {
	texts, err := licences.Texts()
	if err != nil {
		s.w.Failed(present.Failed("The licences can't be read.", err))
		return
	}
	var lines []string
	for _, t := range texts {
		lines = append(lines, strings.ToUpper(strings.TrimSuffix(t.Name, ".txt")), "")
		for l := range strings.Lines(strings.ReplaceAll(t.Text, "\t", "    ")) {
			lines = append(lines, wrap(strings.TrimRight(l, " \r\n"), licenceColumns)...)
		}
		lines = append(lines, "")
	}
	list := widget.NewList(licenceHeight, func() int { return len(lines) },
		func() (fyne.CanvasObject, func(i int)) {
			t := widget.Caption("")
			return t, func(i int) { t.Set(lines[i]) }
		})
	list.Stops = func(int) bool { return false }
	s.w.Open(&Sheet{Title: tr("Licences"), whole: list, Buttons: []fyne.CanvasObject{NewButton("Close", s.w.CloseSheet)}})
}

const (
	PrefTheme      = "theme"
	PrefLanguage   = "language" // its code, or "" for the system's
	openerAsk      = "ask"
	openerOther    = "other"
	OpenerWidth    = 300 // width of the longest option in any language
	paletteCommand = "search-mcp palette"
)

func (s *Settings) anywhere() *fyne.Container {
	return group("Search from anywhere",
		labelled(tr("Shortcut"), tr("In your desktop's keyboard settings, assign a shortcut to %s.", paletteCommand),
			widget.Row(NewButton("Copy", func() { s.w.copy(paletteCommand) }), NewButton("Try it", s.w.frame.ShowPalette))),
		settingRow("Open results in", "", widget.Wide(OpenerWidth, s.openers())))
}

func (s *Settings) openers() fyne.CanvasObject {
	w, prefs := s.w, s.w.App.Preferences()
	options := []widget.Option{{Key: openerAsk, Name: tr("Connected editor, or ask")}} // until the openers are known
	c := w.NewChooser(options, openerAsk, func(key string) {
		switch key {
		case openerAsk:
			prefs.RemoveValue(PrefOpener)
		case openerOther:
			w.askOpener("", 0, func() {})
			s.draw()
		default:
			prefs.SetString(PrefOpener, key)
		}
	})
	aside(w, w.Opts.Desktop.Openers, func(known []connect.Opener, err error) {
		if err != nil {
			return
		}
		chosen := prefs.String(PrefOpener)
		for _, o := range w.openers(known) {
			options = append(options, openerOption(o))
		}
		if own, ok := strings.CutPrefix(chosen, connect.OpenerCommand); ok {
			options = append(options, widget.Option{Key: chosen, Name: own})
		}
		options = append(options, widget.Option{Key: openerOther, Name: tr("Another program…")})
		if !slices.ContainsFunc(options, func(o widget.Option) bool { return o.Key == chosen }) {
			chosen = openerAsk
		}
		c.Offer(options, chosen)
	})
	return c
}
