package ui

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

type marked struct{}

func (marked) Text(t translations.Text) string            { return "«" + string(t) + "»" }
func (marked) Plural(p translations.Plural, _ int) string { return "«%s " + string(p) + "»" }
func (marked) has(s string) bool                          { return strings.Contains(s, "«") }

func (marked) data(s string, f *fake, d *desk) bool {
	return strings.Contains(fmt.Sprintf("%+v %+v", f, d), s)
}

func (marked) figure(s string) bool { return figures.MatchString(s) }

var figures = regexp.MustCompile(`^([\d.,]+ \w+|[\w ]+ [\d.]+|[\w ]+ \(search_\w+\)|Search MCP|Claude Code)$`)

func words(w *Window) []string {
	roots := []fyne.CanvasObject{w.Win.Content()}
	if top := w.Win.Canvas().Overlays().Top(); top != nil {
		roots = append(roots, top)
	}
	var all []string
	for _, root := range roots {
		for _, o := range test.LaidOutObjects(root) {
			switch o := o.(type) {
			case *widget.Text:
				all = append(all, o.Value)
			case *widget.Button:
				all = append(all, o.Text)
			case *widget.Switch:
				all = append(all, o.Text)
			case *fynewidget.Label:
				all = append(all, o.Text)
			case *fynewidget.RichText:
				all = append(all, o.String())
			case *fynewidget.Select:
				all = append(all, o.Selected)
			case *widget.Chooser:
				all = append(all, o.Shown())
			case *widget.Entry:
				all = append(all, o.PlaceHolder)
			}
		}
	}
	return all
}

func logged(f *fake, s string) bool {
	for _, l := range f.logs {
		if v := present.LogLineOf(l, now); s == v.Message || s == v.Detail {
			return true
		}
	}
	return false
}

func TestEverythingIsTranslated(t *testing.T) {
	f := busy()
	f.findings = nil // these are sentences of the app
	f.status.Projects[3].Problem.DeveloperMessage = "technical"
	w, d := newTestIn(t, f, widget.VariantLight, marked{})
	size(w, 900, 2400)
	look := func(where string) {
		for _, s := range words(w) {
			first, _, _ := strings.Cut(s, ", ") // the first of several examples
			line := strings.TrimLeft(s, "+- ")  // a line of a changed file
			if l := (marked{}); strings.Contains(s, " ") && !l.has(s) && !l.data(first, f, d) && !l.figure(s) &&
				line != "" && line[0] != '{' && line[0] != '"' && !logged(f, s) {
				t.Errorf("%s: %q is not translated", where, s)
			}
		}
	}
	for _, p := range page.Pages {
		w.Go(p, "")
		look(string(p))
	}
	w.Go(page.PageActivity, "")
	for _, v := range []translations.Text{page.ViewIndexing, page.ViewLog} {
		w.Pages[page.PageActivity].(*page.Activity).Tabs.Choose(v)
		look(string(v))
	}
	for _, p := range w.Model.Projects() {
		w.Details(p.ID)
		look("details of " + p.Name)
	}
	p, _ := w.Model.Project("a")
	w.Configure(p)
	look("settings of a project")
	w.AddPath("/home/ada/code/shop")
	look("preview")
	w.Pages[page.PageSources].(*page.Sources).AddSite()
	press(t, w, "Check")
	look("site")
	w.Go(page.PageEditors, "")
	press(t, w, "Connect for all projects…")
	look("connect")
	press(t, w, "Connect for all projects")
	look("connected")
	w.CloseSheet()
	for _, a := range []api.Action{api.ActionCreate, api.ActionReindex, api.ActionDelete} {
		q := question(string(a), a, "/home/ada/x", "x", "Codex")
		ask(w, q)
		look(string(a))
		w.Event(api.Event{Kind: api.EventAnswered, Question: &q})
	}
	w.App.Preferences().SetBool(prefClosed, false)
	w.closing()
	look("closing")
	w.Lost(false, errors.New("technical"))
	look("lost")
}

func TestSheetsFitInGerman(t *testing.T) {
	w, _ := newTestIn(t, busy(), widget.VariantLight, translations.For("de"))
	p, _ := w.Model.Project("a")
	for name, open := range map[string]func(){
		"settings of a project": func() { w.Configure(p) }, "details": func() { w.Details("b") },
		"preview": func() { w.AddPath("/home/ada/code/shop") }, "check": w.Examine,
	} {
		open()
		if need, room := w.Sheet.Scroll.Content.MinSize().Width, w.Sheet.Scroll.Size().Width; need > room {
			t.Errorf("%s needs %.0f of %.0f", name, need, room)
		}
	}
	for _, s := range []string{present.T("Connected editor, or ask"), present.T("Default program of the desktop")} {
		need := fyne.MeasureText(s, theme.TextSize(), fyne.TextStyle{}).Width
		if room := page.OpenerWidth - widget.ButtonSide - widget.ButtonIcon - 2*widget.GapSmall; need > float32(room) {
			t.Errorf("%q needs %.0f of %v", s, need, room)
		}
	}
}

func TestSettingsWithoutApp(t *testing.T) {
	w, _ := newTest(t, nil, widget.VariantLight)
	w.Go(page.PageSettings, "")
	wantWords(t, w, "Loading…")
	w.Lost(false, errSocket)
	wantWords(t, w, "Shown when Search MCP is running.")
	w.Connected(busy())
	wantWords(t, w, "Pause on battery")
}

func TestLanguageIsSwitchedByArrowKeys(t *testing.T) {
	f, w := newBusy(t)
	c := w.Win.Canvas()
	c.Focus(opened[*page.Settings](w, page.PageSettings, "").Language.Buttons[0])
	key(w, fyne.KeyRight)
	key(w, fyne.KeyRight)
	wantWords(t, w, "Einstellungen", "Darstellung", "Akku")
	wantEqual(t, c.Focused().(*widget.Button).Text, "Deutsch", "focused")
	w.Reshow()
	wantEqual(t, slices.Contains(usable(w), c.Focused()), true, "the focused button is shown")
	f.settings[api.SettingLanguage] = "en" // by another program
	w.Event(api.Event{Kind: api.EventSettings})
	wantWords(t, w, "Settings")
}

type recording struct {
	translations.Language
	phrases map[string]bool
}

func (r recording) Text(t translations.Text) string {
	s := r.Language.Text(t)
	r.phrases[s] = true
	return s
}

func inside(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case fyne.Widget:
		return test.WidgetRenderer(o).Objects()
	}
	return nil
}

func TestPhrasesAreNotCut(t *testing.T) {
	for _, l := range []string{"", "de"} {
		language := recording{translations.For(l), map[string]bool{}}
		look := func(w *Window, where string) {
			var walk func(o fyne.CanvasObject)
			walk = func(o fyne.CanvasObject) {
				x, isText := o.(*widget.Text)
				switch {
				case !o.Visible():
				case isText:
					if cut := x.Fitting(x.Size().Width); language.phrases[x.Value] && cut != x.Value {
						t.Errorf("%s%s: %q is cut to %q", where, l, x.Value, cut)
					}
				default:
					for _, inner := range inside(o) {
						walk(inner)
					}
				}
			}
			walk(w.Win.Content())
			for _, o := range w.Win.Canvas().Overlays().List() {
				walk(o)
			}
		}
		w, _ := newTestIn(t, many(0), widget.VariantLight, language)
		size(w, 600, 600)
		look(w, "first start")
		b := find(w, "Add folder")
		end := fyne.CurrentApp().Driver().AbsolutePositionForObject(b).X + b.Size().Width
		if end > 600-widget.GapPage-widget.GapGroup {
			t.Errorf("first start%s: the button ends at %v", l, end)
		}
		w, _ = newTestIn(t, busy(), widget.VariantLight, language)
		size(w, 600, 600)
		for _, v := range views {
			if v.open(w) == w.Win {
				look(w, v.name)
			}
		}
		for _, a := range []api.Action{api.ActionCreate, api.ActionReindex, api.ActionDelete} {
			q := question(string(a), a, "/home/ada/x", "x", "Codex")
			ask(w, q)
			if x := w.asking.left; x.Value == "" || x.Fitting(x.Size().Width) != x.Value {
				t.Errorf("%s%s: %q is cut to %q", a, l, x.Value, x.Fitting(x.Size().Width))
			}
			look(w, string(a))
			w.Event(api.Event{Kind: api.EventAnswered, Question: &q})
		}
	}
}
