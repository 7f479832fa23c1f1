//go:build shots

package ui

import (
	"cmp"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"searchmcp/app/socket/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// TestShots draws every page in many states. Run it with -tags shots.
func TestShots(t *testing.T) {
	for _, v := range []Variant{VariantLight, VariantDark} {
		t.Run(string(v), func(t *testing.T) {
			name := func(s string) string { return s + "-" + string(v) }
			f := searching()
			inProject(f)
			w, _ := newTest(t, f, v)
			for _, p := range Pages {
				w.Go(p, "")
				if p == PageSearch {
					w.pages[PageSearch].(*search).field.SetText("where are refresh tokens rotated")
				}
				shot(t, w, name(string(p)))
			}
			w.Go(PageProjects, "b")
			shot(t, w, name("details"))
			w.addPath("/home/ada/code/shop")
			shot(t, w, name("preview"))
			w.Go(PageProjects, "")
			p, _ := w.model.Project("a")
			w.configure(p)
			shot(t, w, name("configure"))
			w.Go(PageActivity, "")
			w.pages[PageActivity].(*activity).tabs.choose(viewLog)
			shot(t, w, name("log"))
			w.Go(PageProjects, "")
			q := question("q1", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code")
			w.Event(api.Event{Kind: api.EventQuestion, Question: &q})
			shot(t, w, name("confirm"))
			w.asking.hide()
			q = question("q2", api.ActionDelete, "/home/ada/code/engine", "engine", "Claude Code")
			w.Event(api.Event{Kind: api.EventQuestion, Question: &q})
			shot(t, w, name("delete"))
			w.asking.hide()
			w.Lost(false, errSocket)
			shot(t, w, name("lost"))

			sheets(t, v, name)
			lengthy(t, v, name)

			w, _ = newTest(t, many(0), v)
			shot(t, w, name("empty"))
			w, _ = newTest(t, many(1), v)
			shot(t, w, name("one"))
			w, _ = newTest(t, many(30), v)
			size(w, 1440, 900)
			shot(t, w, name("thirty-large"))
			f = busy()
			w, _ = newTest(t, f, v)
			w.Win().Canvas().(test.WindowlessCanvas).SetScale(2)
			size(w, 900, 600)
			shot(t, w, name("projects-200"))
			f.fail = api.New(api.DiskFull, "Not enough disk space to create the search index. Free up some space and try again.",
				"DISK_FULL: ENOSPC - need ~120MB, have 8MB", nil)
			w.addPath("/home/ada/code/shop")
			shot(t, w, name("error-200"))
		})
	}
}

// sheets draws the sheets of pages.
func sheets(t *testing.T, v Variant, name func(string) string) {
	t.Helper()
	f := busy()
	w, _ := newTest(t, f, v)
	w.Go(PageEditors, "")
	press(t, w, "Connect in every project…")
	shot(t, w, name("connect"))
	press(t, w, "Connect in every project")
	shot(t, w, name("connected"))
	press(t, w, "Done")
	w.pages[PageEditors].(*editors).body.open("note")
	press(t, w, "Show paragraph…")
	shot(t, w, name("paragraph"))
	w.Go(PageSources, "")
	s := w.pages[PageSources].(*sources)
	f.report = api.SiteReport{Problems: []api.SiteProblem{
		{Path: "version", Message: "must be \"3.0\", is \"2.1\""}, {Path: "pages[3].url", Message: "is missing"},
		{Path: "pages[12].termFrequency", Message: "must be an object of words and numbers"},
	}}
	s.addSite()
	w.Win().Canvas().Focused().(*entry).SetText("https://docs.example.org/search-index.json")
	press(t, w, "Check")
	shot(t, w, name("site-errors"))
	f.report = busy().report
	press(t, w, "Check")
	shot(t, w, name("site"))
	s.importFolder("/home/ada/research/2026")
	shot(t, w, name("imported"))
	w.closeSheet()
	w.Go(PageSettings, "")
	w.examine()
	shot(t, w, name("check"))
	w.closeSheet()
	w.Go(PageActivity, "")
	w.pages[PageActivity].(*activity).tabs.choose(viewIndexing)
	shot(t, w, name("indexing"))
	f.settings[keyActivity], f.activity = false, nil
	w.pages[PageActivity].shown()
	shot(t, w, name("activity-off"))
}

// lengthy draws long pages in full.
func lengthy(t *testing.T, v Variant, name func(string) string) {
	t.Helper()
	f := busy()
	for _, l := range []string{"", "de"} {
		w, _ := newTestIn(t, f, v, translations.For(l))
		size(w, 900, 1500)
		for _, p := range []Page{PageEditors, PageSources, PageSettings} {
			w.Go(p, "")
			shot(t, w, name(strings.TrimSuffix(string(p)+"-whole-"+l, "-")))
		}
	}
	w, _ := newTestIn(t, f, v, translations.For("de"))
	for _, p := range Pages {
		w.Go(p, "")
		shot(t, w, name(string(p)+"-de"))
	}
	w.Go(PageProjects, "b")
	shot(t, w, name("details-de"))
	w.addPath("/home/ada/code/shop")
	shot(t, w, name("preview-de"))
	p, _ := w.model.Project("a")
	w.configure(p)
	shot(t, w, name("configure-de"))
	w.closeSheet()
	q := question("q1", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code")
	w.Event(api.Event{Kind: api.EventQuestion, Question: &q})
	shot(t, w, name("confirm-de"))
}

// shot writes a screenshot to $SHOTS, or updates that of the documentation.
func shot(t *testing.T, w *Window, name string) {
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
	if err := (&png.Encoder{CompressionLevel: level}).Encode(f, w.Win().Canvas().Capture()); err != nil {
		t.Fatal(err)
	}
}

// TestSearchShots draws the search in every width, tab, source and language. Run it with -tags shots.
func TestSearchShots(t *testing.T) {
	explained := func() *fake {
		f := searching()
		f.results.Hits[0].Explain = []api.Factor{{Name: "words", Value: 0.41, Note: "refresh, token, rotate"},
			{Name: "meaning", Value: 0.3},
			{Name: "definition", Value: 0.16, Note: "rotate"}, {Name: "coverage", Value: 0.12},
			{Name: "place", Value: -0.06, Note: "×0.9"}}
		f.results.Hits[0].Best = 124
		return f
	}
	for _, v := range []Variant{VariantLight, VariantDark} {
		name := func(s string) string { return s + "-" + string(v) }
		for _, l := range []string{"", "de"} {
			w, d := newTestIn(t, explained(), v, translations.For(l))
			d.openers = []Opener{{ID: "vscode", Name: "VS Code", Connected: true}}
			w.Go(PageSearch, "a")
			s := w.pages[PageSearch].(*search)
			s.field.SetText("where are refresh tokens rotated")
			at := func(kind string) string { return name(strings.TrimSuffix("search-"+kind+"-"+l, "-")) }
			for kind, of := range map[string][2]float32{"720": {720, 600}, "1440": {1440, 900}, "2560": {2560, 1440},
				"3840": {3840, 2160}} {
				if l == "" || kind == "720" {
					size(w, of[0], of[1])
					shot(t, w, at(kind))
				}
			}
			size(w, 900, 600)
			for tab, kind := range map[present.Text]string{tabWhy: "why", tabOutline: "outline", tabUses: "uses"} {
				s.preview.tabs.choose(tab)
				shot(t, w, at(kind))
			}
			s.preview.tabs.choose(tabCode)
			s.sources.choose(present.SourceSites)
			shot(t, w, at("sites"))
			d.unopened = errSocket
			w.openAt("/home/ada/code/engine/internal/auth/session.go", 124)
			shot(t, w, at("no-editor"))
			w.closeSheet()
			d.openers = []Opener{{ID: "vscode", Name: "VS Code"}, {ID: "zed", Name: "Zed"}}
			w.openAt("/home/ada/code/engine/internal/auth/session.go", 124)
			shot(t, w, at("which-editor"))
			w.closeSheet()
			s.projects.open("")
			shot(t, w, at("projects"))
			s.projects.close()
			if l == "" {
				s.sources.choose(present.SourceAll)
				w.Win().Canvas().(test.WindowlessCanvas).SetScale(2)
				size(w, 900, 600)
				shot(t, w, at("200"))
			}
		}
		f := explained()
		for i := range f.results.Hits {
			f.results.Hits[i].Project = "engine"
		}
		w, _ := newTest(t, f, v)
		w.Want(PagePalette, "")
		w.palette.s.field.SetText("where are refresh tokens rotated")
		w.win = w.palette.win
		size(w, paletteWidth, PaletteHeight)
		shot(t, w, name("palette"))
	}
}

// TestMatrix draws every page in three widths, both themes and both languages, with thirty-two projects, into $SHOTS.
// Run it with -tags shots.
func TestMatrix(t *testing.T) {
	for _, v := range strings.Fields(cmp.Or(os.Getenv("THEMES"), "light dark")) {
		v := Variant(v)
		for _, l := range strings.Split(cmp.Or(os.Getenv("LANGS"), ",de"), ",") {
			f := searching()
			f.status.Projects = append(f.status.Projects, many(27).status.Projects...)
			f.activity = append(f.activity, yesterday()...)
			f.activity[0].Places = places()
			inProject(f)
			w, _ := newTestIn(t, f, v, translations.For(l))
			w.app.Preferences().SetStringList(prefAsked, askedBefore())
			for _, width := range widths() {
				name := func(s string) string {
					return strings.TrimSuffix(fmt.Sprintf("%s-%v-%s-%s", s, width, v, l), "-")
				}
				s := w.pages[PageSearch].(*search)
				size(w, width, map[float32]float32{600: 600, 1280: 780, 1920: 1080}[width])
				for _, p := range Pages {
					s.field.SetText("")
					w.Go(p, "")
					shot(t, w, name(string(p)))
				}
				w.Go(PageSearch, "")
				s.field.SetText("where are refresh tokens rotated")
				shot(t, w, name("found"))
				s.put("rotate")
				s.toggles.press(1)
				shot(t, w, name("lines"))
				s.put("")
				w.Go(PageActivity, "")
				w.pages[PageActivity].(*activity).callList.choose(1)
				shot(t, w, name("activity-chosen"))
				w.Go(PageEditors, "")
				w.pages[PageEditors].(*editors).body.list.choose(1)
				shot(t, w, name("editors-chosen"))
				w.addPath("/home/ada/code/shop")
				shot(t, w, name("preview"))
				w.Go(PageProjects, "")
				q := question("q1", api.ActionCreate, "/home/ada/code/shop", "shop", "Claude Code")
				w.Event(api.Event{Kind: api.EventQuestion, Question: &q})
				shot(t, w, name("question"))
				w.asking.hide()
				w.Event(api.Event{Kind: api.EventAnswered, Question: &q, Answer: api.Decline})
			}
			win := w.win
			for kind, typed := range map[string]string{"": "", "-found": "where are refresh tokens rotated", "-actions": ">"} {
				w.Want(PagePalette, "")
				w.palette.s.field.SetText(typed)
				w.win = w.palette.win
				shot(t, w, strings.TrimSuffix("palette"+kind+"-"+string(v)+"-"+l, "-"))
				w.win = win
			}
		}
	}
}

// inProject names the project of results.
func inProject(f *fake) {
	for i := range f.results.Hits {
		f.results.Hits[i].Project = "engine"
	}
	for i := range f.lines.Files {
		f.lines.Files[i].Project = "engine"
	}
}

// askedBefore returns a history.
func askedBefore() (all []string) {
	for i, q := range []string{"where are refresh tokens rotated", "rate limit", "performEvictions",
		"how do I run the migrations"} {
		all = append(all, q+"\t"+now.Add(-time.Duration(5+i*i*400)*time.Minute).Format(time.RFC3339))
	}
	return all
}

// places returns the results of a search.
func places() (all []api.Lines) {
	for i, path := range []string{"internal/auth/session.go", "internal/auth/token.go",
		"internal/http/middleware/authenticate.go", "internal/auth/session_test.go"} {
		all = append(all, api.Lines{Path: path, StartLine: 118 - 31*i, EndLine: 130})
	}
	return all
}

// widths returns $WIDTHS, or three typical ones.
func widths() (all []float32) {
	for _, s := range strings.Fields(cmp.Or(os.Getenv("WIDTHS"), "600 1280 1920")) {
		if n, err := strconv.Atoi(s); err == nil {
			all = append(all, float32(n))
		}
	}
	return all
}

// yesterday returns calls of past days.
func yesterday() (all []api.Activity) {
	for i := range 30 {
		all = append(all, api.Activity{Time: now.Add(-time.Duration(20+i*3) * time.Hour), Client: "Cursor",
			Tool: "search_code", Project: "/home/ada/code/webapp", Query: fmt.Sprintf("question number %d", i),
			Results: i % 11, Took: time.Millisecond * 40, Role: api.RoleAssistant})
	}
	all[3].Error, all[5].Error = wire.ActivityCancelled, string(api.Internal)
	return all
}
