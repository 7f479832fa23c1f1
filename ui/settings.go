package ui

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/assets/licences"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

const themeInput = theme.ColorNameInputBackground

// settings is the sixth page.
type settings struct {
	w     *Window
	body  *fyne.Container
	saved map[string]any // as the app gave them
	drawn string
	root  fyne.CanvasObject
}

func newSettings(w *Window) *settings {
	s := &settings{w: w, body: column(gapPage)}
	s.root = frame(tr("Settings"), nil, container.NewVScroll(pad(gapSmall, gapPage, 0, gapGroup, s.body)))
	s.draw()
	return s
}

func (s *settings) content() fyne.CanvasObject { return s.root }

func (s *settings) shown() {
	later(s.w, func(ctx context.Context, b Backend) (map[string]any, error) { return b.Settings(ctx) }, func(v map[string]any, err error) {
		if err == nil {
			s.saved = v
		}
		s.draw()
	})
}

func (s *settings) refresh() {
	if s.shape() != s.drawn {
		s.draw()
	}
}

// shape is what the page shows of the model.
func (s *settings) shape() string {
	return present.Total(s.w.model.Projects()) + s.w.model.Data + fmt.Sprint(s.w.model.Problems, s.w.model.ModelUse)
}

func (s *settings) draw() {
	s.drawn = s.shape()
	s.body.Objects = []fyne.CanvasObject{s.general(), s.work(), s.data(), s.about()}
	for _, e := range s.w.model.Problems {
		s.body.Objects = append([]fyne.CanvasObject{s.w.problemBox(present.ProblemOfError(e), s.check)}, s.body.Objects...)
	}
	s.body.Refresh()
}

func (s *settings) general() fyne.CanvasObject {
	names := map[Variant]string{VariantSystem: "As the system", VariantLight: "Light", VariantDark: "Dark"}
	prefs := s.w.app.Preferences()
	looks := newSegments([]string{names[VariantSystem], names[VariantLight], names[VariantDark]},
		names[Variant(prefs.StringWithFallback(prefTheme, string(VariantSystem)))], func(v string) {
			for variant, name := range names {
				if name == v {
					prefs.SetString(prefTheme, string(variant))
					s.w.app.Settings().SetTheme(calm{variant})
				}
			}
		})
	rows := []fyne.CanvasObject{settingRow("Appearance", "", looks.box)}
	if on, ok := s.w.opts.Desktop.Autostart(); ok {
		login := widget.NewCheck("", nil)
		login.SetChecked(on)
		login.OnChanged = func(on bool) { s.w.failed(s.w.opts.Desktop.SetAutostart(on)) }
		rows = append(rows, settingRow("Start at login", "Without a window: only the icon in the tray.", login))
	}
	return section("General", rows...)
}

// numbers are the app's settings that are whole numbers, each with what it can be chosen from.
var numbers = []struct {
	key, label, hint string
	choices          []int
	word             func(int) string
}{
	{"threads", "Processor cores for indexing", "Fewer keep the computer quicker for you.", []int{0, 1, 2, 4, 8}, func(n int) string {
		if n == 0 {
			return "As measured"
		}
		return present.Count(n, "core")
	}},
	{"modelIdleMinutes", "Free the memory of the model", "It is back within a blink when it is needed.", []int{1, 5, 15, 60}, func(n int) string {
		return "after " + present.Count(n, "minute")
	}},
	{"vectorCacheMB", "Disk for results that can be used again", "Spares work when you switch branches.", []int{256, 512, 1024, 2048, 4096}, func(n int) string {
		return present.Size(int64(n) << 20)
	}},
}

func (s *settings) work() fyne.CanvasObject {
	var rows []fyne.CanvasObject
	for _, n := range numbers {
		v, ok := s.saved[n.key].(float64)
		if !ok {
			continue // this app does not have it
		}
		values := map[string]int{}
		var options []string
		chosen := tr(n.word(int(v)))
		known := false
		for _, c := range n.choices {
			word := tr(n.word(c))
			values[word] = c
			options = append(options, word)
			known = known || c == int(v)
		}
		if !known {
			options = append(options, chosen)
			values[chosen] = int(v)
		}
		sel := widget.NewSelect(options, nil)
		sel.Selected = chosen
		sel.OnChanged = func(word string) { s.set(n.key, values[word]) }
		rows = append(rows, settingRow(n.label, n.hint, wide(176, sel)))
	}
	if len(rows) == 0 {
		rows = append(rows, quiet(tr("Shown when Search MCP is running.")))
	}
	rows = append(rows, settingRow("Confirmations", "Indexing, rebuilding and deleting always ask you. No setting turns this off.", alwaysOn()))
	return section("Work", rows...)
}

func alwaysOn() fyne.CanvasObject { return caption2(tr("Always")) }

func (s *settings) set(key string, v any) {
	later(s.w, func(ctx context.Context, b Backend) (map[string]any, error) {
		return b.SetSettings(ctx, map[string]any{key: v})
	}, func(saved map[string]any, err error) {
		if err != nil {
			s.w.failed(err)
		} else {
			s.saved = saved
		}
		s.draw()
	})
}

func (s *settings) data() fyne.CanvasObject {
	m := &s.w.model
	projects := m.Projects()
	total := present.Total(projects)
	if total == "" {
		total = tr("No projects yet")
	}
	show := newButton("Show folder", func() { s.w.reveal(m.Data) })
	folder := present.Home(m.Data, s.w.home)
	rows := []fyne.CanvasObject{settingRow(folder, total, show)}
	for _, p := range projects {
		rows = append(rows, container.NewBorder(nil, nil, nil, wide(96, alignedRight(present.Size(p.SizeBytes))), muted(p.Name)))
	}
	if len(projects) > 0 {
		clear := newButton("Delete all indexes…", func() { s.clear(projects) })
		rows = append(rows, container.NewHBox(clear))
	}
	return section("Data", rows...)
}

// clear deletes every index after one question.
func (s *settings) clear(projects []api.Project) {
	var all api.Project
	for _, p := range projects {
		all.Files += p.Files
		all.SizeBytes += p.SizeBytes
	}
	q := present.Own(api.ActionDelete, all, nil)
	q.Title = fmt.Sprintf("Delete the indexes of all %s", present.Count(len(projects), "project"))
	q.Text = "Delete the index for each project? This cannot be undone."
	s.w.asking.ask(q, func() {
		s.w.act(func(ctx context.Context, b Backend) error {
			for _, p := range projects {
				if err := b.Delete(ctx, p.Root()); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (s *settings) about() fyne.CanvasObject {
	version := fmt.Sprintf("Search MCP %s", s.w.opts.Version)
	if app := s.w.model.Version; app != "" && app != s.w.opts.Version {
		version += fmt.Sprintf(" (%s %s)", tr("the app is"), app)
	}
	return section("About",
		plain(version),
		quiet(fmt.Sprintf("%s/%s, %s. %s", runtime.GOOS, runtime.GOARCH, runtime.Version(), tr("Apache License 2.0. Everything runs on this computer."))),
		container.NewHBox(newButton("Check everything", s.check), newButton("Licences", s.licences), link("End Search MCP", s.w.quitApp)))
}

// check runs the self-examination and shows its findings.
func (s *settings) check() {
	body := container.NewStack(busyLine("Checking"))
	sheet := &sheet{title: tr("Check everything"), body: body, buttons: []fyne.CanvasObject{newButton("Close", s.w.closeSheet)}}
	s.w.open(sheet)
	later(s.w, func(ctx context.Context, b Backend) ([]api.Finding, error) { return b.Doctor(ctx) }, func(f []api.Finding, err error) {
		if s.w.sheet != sheet {
			return
		}
		if err != nil {
			body.Objects = []fyne.CanvasObject{s.w.problemBox(present.ProblemOf(err), s.check)}
			body.Refresh()
			return
		}
		list := column(12)
		for _, x := range f {
			m := present.MarkReady
			if !x.OK {
				m = present.MarkNeeds
			}
			words := column(2, strong(present.Capital(x.Subject)), quiet(x.Text))
			if x.Remedy != "" {
				words.Add(prose(x.Remedy))
			}
			list.Add(container.NewBorder(nil, nil, pad(2, 0, 0, gapSmall, container.NewVBox(markIcon(m))), nil, words))
		}
		body.Objects = []fyne.CanvasObject{list}
		body.Refresh()
	})
}

// licences shows the licences of what is linked in, line by line: they are thousands of lines.
func (s *settings) licences() {
	texts, err := licences.Texts()
	if err != nil {
		s.w.failed(err)
		return
	}
	var lines []string
	for _, t := range texts {
		lines = append(lines, strings.ToUpper(strings.TrimSuffix(t.Name, ".txt")), "")
		lines = append(lines, strings.Split(strings.ReplaceAll(t.Text, "\t", "    "), "\n")...)
		lines = append(lines, "")
	}
	list := widget.NewList(func() int { return len(lines) },
		func() fyne.CanvasObject { return caption("") },
		func(i widget.ListItemID, o fyne.CanvasObject) { o.(*text).set(lines[i]) })
	list.HideSeparators = true
	s.w.open(&sheet{title: tr("Licences"), whole: list, buttons: []fyne.CanvasObject{newButton("Close", s.w.closeSheet)}})
}
