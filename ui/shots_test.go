//go:build shots

package ui

import (
	"cmp"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/widget"
)

var heights = map[float32]float32{600: 600, 900: 600, 1280: 780, 1920: 1080}

var scenes = map[string]func(*testing.T, *Window, *fake) fyne.Window{
	"lines": func(_ *testing.T, w *Window, _ *fake) fyne.Window {
		s := w.Pages[page.PageSearch].(*page.Search)
		w.Go(page.PageSearch, "")
		s.Put("exact:rotate")
		return w.Win
	},
	"preview": func(_ *testing.T, w *Window, _ *fake) fyne.Window { w.AddPath("/home/ada/code/shop"); return w.Win },
	"confirm": func(_ *testing.T, w *Window, _ *fake) fyne.Window {
		w.Go(page.PageProjects, "")
		ask(w, question("q1", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code"))
		return w.Win
	},
	"connect": func(t *testing.T, w *Window, _ *fake) fyne.Window {
		w.Go(page.PageEditors, "")
		w.Pages[page.PageEditors].(*page.Editors).Body.Open("cursor")
		return w.Win
	},
	"site": func(t *testing.T, w *Window, f *fake) fyne.Window {
		w.Go(page.PageSources, "")
		w.Pages[page.PageSources].(*page.Sources).AddSite()
		w.Win.Canvas().Focused().(*widget.Entry).SetText("https://docs.example.org/search-index.json")
		press(t, w, "Check")
		return w.Win
	},
	"check": func(_ *testing.T, w *Window, _ *fake) fyne.Window { w.Examine(); return w.Win },
	"menu": func(_ *testing.T, w *Window, _ *fake) fyne.Window {
		p := opened[*page.Projects](w, page.PageProjects, "")
		widget.ShowMenu(w.ProjectMenu("a"), p.List.Rows[1].Content.(*page.ProjectRow).More)
		return w.Win
	},
	"options": func(_ *testing.T, w *Window, _ *fake) fyne.Window {
		w.Go(page.PageSearch, "")
		w.Pages[page.PageSearch].(*page.Search).Projects.Open("")
		return w.Win
	},
}

// TestShots draws every view in three widths, both themes and both languages into $SHOTS. If SHOTS is not set, it
// updates the screenshots of the documentation. It needs -tags shots.
func TestShots(t *testing.T) {
	for _, v := range strings.Fields(cmp.Or(os.Getenv("THEMES"), "light dark")) {
		for _, l := range strings.Split(cmp.Or(os.Getenv("LANGS"), ",de"), ",") {
			for _, width := range []float32{600, 900, 1280, 1920} {
				if only := os.Getenv("WIDTHS"); only != "" && !strings.Contains(" "+only+" ", fmt.Sprintf(" %v ", width)) {
					continue
				}
				f := searching()
				if os.Getenv("SHOTS") != "" {
					f.status.Projects = append(f.status.Projects, many(27).status.Projects...)
				}
				inProject(f)
				w, d := newTestIn(t, f, widget.Variant(v), translations.For(l))
				d.openers = []connect.Opener{{ID: "vscode", Name: "VS Code", Connected: true}}
				size(w, width, heights[width])
				name := func(s string) string {
					if width == 900 {
						return strings.TrimSuffix(s+"-"+v+"-"+l, "-")
					}
					return strings.TrimSuffix(fmt.Sprintf("%s-%v-%s-%s", s, width, v, l), "-")
				}
				for what, open := range scenes { // before the palette, because Fyne then takes its canvas for every object's
					shot(t, open(t, w, f), name(what))
					w.asking.hide()
					w.Model.SettleAll("q1")
					widget.CloseOptions()
					if top := w.Win.Canvas().Overlays().Top(); top != nil {
						w.Win.Canvas().Overlays().Remove(top)
					}
				}
				w.Pages[page.PageSearch].(*page.Search).Put("")
				w.App.Preferences().SetStringList(page.PrefAsked,
					[]string{"rate limit\t" + now.Add(-time.Hour).Format(time.RFC3339)})
				for _, view := range views {
					shot(t, view.open(w), name(strings.ReplaceAll(view.name, " ", "-")))
				}
				w.palette.s.Scope("/home/ada/code/engine")
				shot(t, w.palette.win, name("palette-project"))
				w.Lost(false, errSocket)
				shot(t, w.Win, name("lost"))
				w, _ = newTestIn(t, many(0), widget.Variant(v), translations.For(l))
				size(w, width, heights[width])
				shot(t, w.Win, name("empty"))
			}
		}
	}
}

func shot(t *testing.T, w fyne.Window, name string) {
	t.Helper()
	dir, level := os.Getenv("SHOTS"), png.BestSpeed
	if dir == "" {
		level = png.BestCompression
		dir = filepath.Join("..", "assets", "screenshots")
		if _, err := os.Stat(filepath.Join(dir, name+".png")); err != nil {
			return
		}
	}
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := (&png.Encoder{CompressionLevel: level}).Encode(f, w.Canvas().Capture()); err != nil {
		t.Fatal(err)
	}
}

func inProject(f *fake) {
	for i := range f.results.Hits {
		f.results.Hits[i].Project = "engine"
	}
	for i := range f.lines.Files {
		f.lines.Files[i].Project = "engine"
	}
	for i, failure := range []string{"", wire.ActivityCancelled, "", string(api.Internal)} {
		f.activity = append(f.activity, api.Activity{Time: now.Add(-time.Duration(20+i*30) * time.Hour), Client: "Cursor",
			Tool: "search_code", Project: "/home/ada/code/webapp", Query: fmt.Sprintf("question number %d", i),
			Results: i, Took: time.Millisecond * 40, Role: api.RoleAssistant, Error: failure})
	}
	f.activity[0].Places = []api.Lines{{Path: "internal/auth/session.go", StartLine: 118, EndLine: 130},
		{Path: "internal/auth/token.go", StartLine: 87, EndLine: 130}}
}
