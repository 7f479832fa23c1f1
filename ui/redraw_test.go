package ui

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"searchmcp/engine/api"
)

type counted struct {
	fyne.App
	driver *countedDriver
}

func (a *counted) Driver() fyne.Driver { return a.driver }

type countedDriver struct {
	fyne.Driver
	drawn int
}

func (d *countedDriver) CanvasForObject(o fyne.CanvasObject) fyne.Canvas {
	if c := d.Driver.CanvasForObject(o); c != nil {
		return countedCanvas{c, d}
	}
	return nil
}

type countedCanvas struct {
	fyne.Canvas
	driver *countedDriver
}

func (c countedCanvas) Refresh(o fyne.CanvasObject) {
	c.driver.drawn++
	c.Canvas.Refresh(o)
}

func redraws(do func()) int {
	real := fyne.CurrentApp()
	d := &countedDriver{Driver: real.Driver()}
	fyne.SetCurrentApp(&counted{real, d})
	defer fyne.SetCurrentApp(real)
	do()
	return d.drawn
}

func TestNothingChangedNothingDrawn(t *testing.T) {
	w, _ := newTest(t, busy(), VariantLight)
	same, _ := w.model.Project("a")
	again := func() { w.Event(api.Event{Kind: api.EventProject, Project: &same}) }
	for _, p := range Pages {
		w.Go(p, "")
		again()
		if n := redraws(again); n != 0 {
			t.Errorf("%s: nothing changed, and %d objects were drawn again", p, n)
		}
	}
	for name, open := range map[string]func(){
		"details": func() { w.details("a") }, "preview": func() { w.addPath("/home/ada/code/shop") },
		"settings": func() { w.configure(same) },
	} {
		w.Go(PageProjects, "")
		open()
		if n := redraws(again); n != 0 {
			t.Errorf("%s: nothing changed, and %d objects were drawn again", name, n)
		}
	}
	w.Go(PageProjects, "a")
	same.Files++
	if redraws(again) == 0 {
		t.Error("a change was not drawn")
	}
}

func TestAgesInAnOpenWindow(t *testing.T) {
	f := searching()
	w, _ := newTest(t, f, VariantLight)
	size(w, 1280, 1600)
	later := now
	w.now = func() time.Time { return later }
	w.app.Preferences().SetStringList(prefAsked, []string{"rate limit\t" + now.Format(time.RFC3339)})
	f.status.Projects[0].LastAsked = now
	for page, want := range map[Page]string{PageProjects: "asked 5 min ago", PageSearch: "5 min ago",
		PageEditors: "last used 5 min ago", PageSources: "checked 4 h ago"} {
		later = now
		w.Go(page, "")
		later = now.Add(5 * time.Minute)
		if page == PageSources {
			later = now.Add(time.Hour)
		}
		w.renew()
		if said := strings.Join(words(w), "\n"); !strings.Contains(said, want) {
			t.Errorf("%s: no %q in %s", page, want, said)
		}
	}
}

func TestDetailsCountSearches(t *testing.T) {
	f := busy()
	w, _ := newTest(t, f, VariantLight)
	w.Go(PageProjects, "a")
	f.usage.Days[2].Projects["/home/ada/code/engine"] = 15
	w.Event(api.Event{Kind: api.EventActivity, Activity: &f.activity[0]})
	if said := strings.Join(words(w), "\n"); !strings.Contains(said, "15 today") {
		t.Error(said)
	}
}

func TestResultsStay(t *testing.T) {
	w, _ := newTest(t, busy(), VariantLight)
	w.Go(PageSearch, "a")
	s := w.pages[PageSearch].(*search)
	test.Type(s.field, "refresh tokens")
	s.list.step(1)
	changed, _ := w.model.Project("b")
	changed.Files++
	w.Event(api.Event{Kind: api.EventProject, Project: &changed})
	if s.list.at != 1 {
		t.Errorf("row %d is chosen, want 1", s.list.at)
	}
}
