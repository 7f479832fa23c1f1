package ui

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"

	"searchmcp/ui/present"
)

var views = []struct {
	name string
	open func(*Window) fyne.Window
}{
	{"projects", func(w *Window) fyne.Window { w.Go(PageProjects, ""); return w.win }},
	{"details", func(w *Window) fyne.Window { w.Go(PageProjects, "b"); return w.win }},
	{"settings of a project", func(w *Window) fyne.Window {
		w.Go(PageProjects, "")
		p, _ := w.model.Project("a")
		w.configure(p)
		return w.win
	}},
	{"search", func(w *Window) fyne.Window { return w.asks(PageSearch, "where are refresh tokens rotated", tabCode) }},
	{"uses", func(w *Window) fyne.Window { return w.asks(PageSearch, "where are refresh tokens rotated", tabUses) }},
	{"empty search", func(w *Window) fyne.Window { return w.asks(PageSearch, "", tabCode) }},
	{"activity", func(w *Window) fyne.Window { return w.viewed(viewCalls) }},
	{"indexing", func(w *Window) fyne.Window { return w.viewed(viewIndexing) }},
	{"log", func(w *Window) fyne.Window { return w.viewed(viewLog) }},
	{"editors", func(w *Window) fyne.Window { w.Go(PageEditors, ""); return w.win }},
	{"sources", func(w *Window) fyne.Window { w.Go(PageSources, ""); return w.win }},
	{"palette", func(w *Window) fyne.Window {
		w.showPalette()
		w.palette.s.field.SetText("where are refresh tokens rotated")
		return w.palette.win
	}},
	{"settings", func(w *Window) fyne.Window { w.Go(PageSettings, ""); return w.win }},
}

func (w *Window) asks(p Page, query string, tab present.Text) fyne.Window {
	w.Go(p, "a")
	s := w.pages[p].(*search)
	s.field.SetText(query)
	s.preview.tabs.choose(tab)
	return w.win
}

func (w *Window) viewed(view present.Text) fyne.Window {
	w.Go(PageActivity, "")
	w.pages[PageActivity].(*activity).tabs.choose(view)
	return w.win
}

func TestSwitchedLooksFresh(t *testing.T) {
	for _, way := range [][2]Variant{{VariantLight, VariantDark}, {VariantDark, VariantLight}} {
		draw := func(begin Variant) (all []*image.NRGBA) {
			w, _ := newTest(t, searching(), begin)
			for _, v := range views {
				v.open(w)
			}
			w.app.Preferences().SetString(prefTheme, string(way[1]))
			w.app.Settings().SetTheme(calm{way[1]})
			for _, v := range views {
				c := v.open(w).Canvas()
				c.Unfocus() // the caret blinks
				all = append(all, c.Capture().(*image.NRGBA))
			}
			return all
		}
		want := draw(way[1])
		for i, got := range draw(way[0]) {
			if n := differing(got, want[i]); n > 0 {
				t.Errorf("%s to %s: %d values of %s differ from a new window's", way[0], way[1], n, views[i].name)
			}
		}
	}
}

func differing(a, b *image.NRGBA) (n int) {
	for i := range b.Pix {
		if max(a.Pix[i], b.Pix[i])-min(a.Pix[i], b.Pix[i]) > 8 {
			n++
		}
	}
	return n
}
