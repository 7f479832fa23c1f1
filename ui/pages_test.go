package ui

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"searchmcp/assets/translations"
	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func TestAddingAFolder(t *testing.T) {
	f, w := newBusy(t)
	w.AddPath("/home/ada/code/shop")
	wantEqual(t, f.has("create /home/ada/code/shop"), false, "indexed before the user agreed")
	press(t, w, "Index folder")
	wantDid(t, f, "create /home/ada/code/shop")
	wantSheet(t, w, "")
	// The folder of a project opens its details.
	w.AddPath("/home/ada/code/engine")
	wantSheet(t, w, "engine")
}

// TestPreviewOfThisConnection checks that a preview is repeated after a reconnect, because the app keeps previews per
// connection.
func TestPreviewOfThisConnection(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	w.AddPath("/home/ada/code/shop")
	again := busy()
	w.Lost(false, errSocket)
	w.Connected(again)
	wantDid(t, again, "preview /home/ada/code/shop")
}

func TestErrorsOfferOneAction(t *testing.T) {
	f, w := newBusy(t)
	f.preview = api.Preview{Skipped: api.Skipped{api.SkipBinary: 3}}
	for _, err := range []error{nil, api.ErrDiskFull(120, 8, errors.New("ENOSPC"))} {
		f.fail = err
		w.AddPath("/home/ada/code/shop")
		if b := find(w, "Index folder"); b == nil || !b.Disabled() {
			t.Errorf("error %v: an empty folder can be indexed", err)
		}
	}
	f.fail, f.preview = nil, busy().preview
	press(t, w, "Try again")
	press(t, w, "Index folder")
	wantDid(t, f, "create /home/ada/code/shop")
}

func TestLostConnection(t *testing.T) {
	f := busy()
	w, d := newTest(t, f, widget.VariantLight)
	ask(w, question("q", api.ActionDelete, "/home/ada/code/engine", "engine", "Codex"))
	w.Lost(false, errSocket)
	wantEqual(t, w.Win.Canvas().Overlays().Top() == nil, true, "an expired question is shown")
	press(t, w, "Start")
	wantEqual(t, d.started, 1, "started %d times", d.started)
	w.Connected(f)
	wantButton(t, w, "Start", false)
}

func TestABrokenConfigurationIsOpened(t *testing.T) {
	f := busy()
	f.config = "{ broken"
	w, d := newTest(t, f, widget.VariantLight)
	p, _ := w.Model.Project("a")
	w.Configure(p)
	press(t, w, "Open config.json")
	wantEqual(t, len(d.opened), 1, "opened")
	wantPart(t, d.opened[0], filepath.Join("indexes", "a", "config.json"), "opened")
}

func TestSettingsOfAProject(t *testing.T) {
	f, w := newBusy(t)
	p, _ := w.Model.Project("a")
	w.Configure(p)
	f.problems = []string{"maxFileSize must be a size such as '500KB'; \"1MB\" is used instead."}
	form := w.Forms["a"]
	form.Entries[present.FieldSize].SetText("huge")
	press(t, w, "Save")
	wantPart(t, f.config, `"maxFileSize": "huge"`, "config")
	wantPart(t, f.config, "// what to read", "config")
	if w.Sheet == nil || !form.Problems["maxFileSize"].Box.Visible() {
		t.Error("the problem is not shown at its field")
	}
	f.problems = nil
	form.Entries[present.FieldSize].SetText("2MB")
	form.Entries[present.FieldExclude].SetText("fixtures/**\nsrc/auth/**")
	wantEqual(t, form.Effect.Words.String(), "With these settings: 4,810 files, 2 fewer than now", "string")
	wantEqual(t, len(form.Left.Objects), 1, "objects")
	press(t, w, "Save")
	wantSheet(t, w, "")
	wantPart(t, f.config, "src/auth/**", "config")
}

func TestTypedSettingsStay(t *testing.T) {
	f, w := newBusy(t)
	p, _ := w.Model.Project("a")
	shows := func(exclude, size string) {
		t.Helper()
		w.Configure(p)
		if got := w.Forms["a"].Read(); got[present.FieldExclude] != exclude || got[present.FieldSize] != size {
			t.Fatalf("got %q", got)
		}
	}
	shows("fixtures/**", "1MB")
	w.Forms["a"].Entries[present.FieldExclude].SetText("src/**")
	key(w, fyne.KeyEscape)
	shows("src/**", "1MB")
	w.Go(page.PageSearch, "")
	f.config = strings.Replace(f.config, "1MB", "5MB", 1)
	shows("src/**", "5MB")
	press(t, w, "Cancel")
	shows("fixtures/**", "5MB")
	w.Forms["a"].Entries[present.FieldExclude].SetText("src/**")
	press(t, w, "Save")
	f.config = strings.Replace(f.config, "src/**", "lib/**", 1)
	shows("lib/**", "5MB")
}

func TestMenuOfAProject(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	for _, p := range w.Model.Projects() {
		items := w.ProjectMenu(p.ID).Items
		for _, label := range []string{"Rebuild index…", "Show in file manager"} {
			offered := slices.ContainsFunc(items, func(i *fyne.MenuItem) bool { return i.Label == label })
			if offered == (p.State == api.StateOffline) {
				t.Errorf("%s, %s: %q offered: %v", p.Name, p.State, label, offered)
			}
		}
	}
}

func TestPauseEverything(t *testing.T) {
	f, w := newBusy(t)
	test.Tap(w.foot.pause)
	wantDid(t, f, "pause ")
	wantEqual(t, w.Model.Paused, true, "paused")
	test.Tap(w.foot.pause)
	wantDid(t, f, "resume ")
	wantEqual(t, w.Model.Paused, false, "paused")
}

func TestCloseMessageIsShownOnce(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	w.App.Preferences().SetBool(prefClosed, false)
	w.closing()
	if w.Sheet == nil || find(w, "Close window") == nil || !strings.Contains(strings.Join(words(w), "\n"), "tray") {
		t.Fatal("the first close shows no message")
	}
	w.Opts.NoTray = true
	w.App.Preferences().SetBool(prefClosed, false)
	w.Go(page.PageSettings, "")
	w.closing()
	wantEqual(t, strings.Contains(strings.Join(words(w), "\n"), "tray"), false, "mentions a missing tray")
	w.CloseSheet()
	w.closing()
	wantSheet(t, w, "")
}

func TestUpdatesKeepScrollPosition(t *testing.T) {
	w, _ := newTest(t, many(30), widget.VariantLight)
	p := w.Pages[page.PageProjects].(*page.Projects)
	p.List.Scroll.ScrollToOffset(fyne.NewPos(0, 640))
	changed := project("service-03", "service-03", "/home/ada/work/platform/service-03", api.StateReady, 4000)
	w.Event(api.Event{Kind: api.EventProject, Project: &changed})
	wantEqual(t, p.List.Scroll.Offset.Y, 640, "scrolled from 640")
	wantEqual(t, len(p.Rows), 30, "rows")
	wantEqual(t, p.Rows[2].Line, "Ready · 4,000 files · 80 MB · updated 2 min ago", "line")
}

func TestSizeIsRemembered(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	size(w, 1200, 820)
	w.Leave()
	again := New(page.Options{App: w.App, Desktop: &desk{}, Now: w.Now, Language: translations.English, Home: "/home/ada",
		Inline: true})
	t.Cleanup(again.Close)
	wantEqual(t, again.Win.Canvas().Size(), fyne.NewSize(1200, 820), "size")
}

func TestFilterOfProjects(t *testing.T) {
	w, _ := newTest(t, many(9), widget.VariantLight)
	wantEqual(t, w.Pages[page.PageProjects].(*page.Projects).Filter.Visible(), false, "nine can be looked through")
	w, _ = newTest(t, many(12), widget.VariantLight)
	p := w.Pages[page.PageProjects].(*page.Projects)
	p.Filter.SetText("VICE-1")
	wantEqual(t, p.Filter.Visible(), true, "visible")
	wantEqual(t, len(p.Rows), 3, "rows")
	p.Filter.SetText("nowhere")
	if len(p.Rows) != 0 || !p.None.Visible() || p.Empty.Visible() || p.Total.Value != "0 of 12 projects" {
		t.Errorf("%d rows, %q", len(p.Rows), p.Total.Value)
	}
	if width := p.None.(*fyne.Container).Objects[0].Size().Width; width < 200 {
		t.Errorf("the text is %.0f wide", width)
	}
	w.Go(page.PageSearch, "")
	if w.Go(page.PageProjects, ""); len(p.Rows) != 12 || p.Filter.Text != "" {
		t.Errorf("%d rows, filter %q", len(p.Rows), p.Filter.Text)
	}
	p.Filter.SetText("vice-11")
	s := opened[*page.Search](w, page.PageSearch, p.Rows[0].ID)
	s.Put("otter")
	w.Event(api.Event{Kind: api.EventRemoved, ProjectID: p.Rows[0].ID})
	wantEqual(t, p.Filter.Text, "", "filter after the deletion")
	wantEqual(t, w.Notice.Text, "The index of service-11 was deleted.", "notice")
	wantEqual(t, s.Project, page.Everywhere, "searched after the deletion")
}

func TestTheWheelIsTheSheets(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	p, _ := w.Model.Project("a")
	w.Configure(p)
	wantEqual(t, w.Sheet.Scroll.Offset.Y, 0, "opened scrolled by")
	before := w.Forms["a"].Entries[present.FieldExclude].Size().Height
	w.Forms["a"].Entries[present.FieldExclude].SetText(strings.Repeat("a/**\n", 9))
	if after := w.Forms["a"].Entries[present.FieldExclude].Size().Height; after < before+80 {
		t.Errorf("%v high, then %v", before, after)
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(w.Forms["a"].Entries[present.FieldExclude]).AddXY(40, 20)
	test.Scroll(w.Win.Canvas(), at, 0, -60)
	wantEqual(t, w.Sheet.Scroll.Offset.Y, 60*widget.WheelPace(), "the sheet has moved by")
}

func TestPathsBreakAtTheirFolders(t *testing.T) {
	newTest(t, busy(), widget.VariantLight)
	for in, ends := range map[string]string{"~/Downloads/archive/search-mcp/bin/search-mcp-app": "/",
		`Left in C:\Users\Ada\AppData\Local\searchmcp`: `\`, "a-name-of-a-branch-that-is-very-long-indeed": "-",
		"nothing.in.it_ends.a_line.but_these.two": "._"} {
		p := widget.NewParagraph(in, theme.ColorNameForeground)
		p.Box.Resize(fyne.NewSize(150, 100))
		lines := strings.Split(p.Words.String(), "\n")
		if len(lines) < 2 || strings.Join(lines, "") != in || p.Text != in {
			t.Errorf("%q: %q", in, lines)
		}
		for _, l := range lines[:len(lines)-1] {
			if !strings.ContainsAny(l[len(l)-1:], ends) {
				t.Errorf("%q: %q", in, lines)
			}
		}
		p.Box.Resize(fyne.NewSize(900, 100))
		wantEqual(t, p.Words.String(), in, "shortened although the text fits")
	}
}

func TestProblemIsShownOnce(t *testing.T) {
	f := busy()
	f.status.Projects[3].WatcherNote =
		"The project's folder is missing or can't be read. Search MCP keeps checking for it."
	w, _ := newTest(t, f, widget.VariantLight)
	w.Details("d")
	said := strings.Join(words(w), "\n")
	if n := strings.Count(said, "can't be found"); n != 1 || strings.Contains(said, "keeps checking") ||
		!strings.Contains(said, "Locate…") {
		t.Errorf("the message is shown %d times:\n%s", n, said)
	}
	// Locate is the only main button, and watching is shown as stopped.
	if !strings.Contains(said, "stopped until the folder is back") || strings.Contains(said, "when files are saved") {
		t.Errorf("watching:\n%s", said)
	}
	size(w, 1280, 780)
	w.Pages[page.PageProjects].(*page.Projects).List.Choose(0)
	var tones []widget.Tone
	for _, o := range onScreen(w) {
		if b, ok := o.(*widget.Button); ok && b.Visible() && (b.Text == "Locate…" || b.Text == "Search…") {
			tones = append(tones, b.Tone)
		}
	}
	wantList(t, tones, []widget.Tone{widget.ToneMain, widget.ToneOrdinary}, "Locate… and Search… have tones")
}

func TestATypedFolder(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	w.Home = t.TempDir()
	for _, dir := range []string{"books", "bread", "code", ".x/y/.git", "code/go/shop/.git"} {
		if err := os.MkdirAll(filepath.Join(w.Home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	chosen := ""
	w.ChooseHere(func(dir string) { chosen = dir })
	field := w.Win.Canvas().Focused().(*widget.Entry)
	field.SetText("~/")
	wantWords(t, w, "~/code/go/shop", "Git repository", "..", "books", "code")
	field.SetText("~/b")
	wantWords(t, w, "books", "bread")
	wantEqual(t, slices.Contains(words(w), "code"), false, "another folder is offered")
	field.SetText("~/nowhere")
	if press(t, w, "Choose"); chosen != "" || w.Sheet == nil {
		t.Errorf("chose %q", chosen)
	}
	if err := os.Mkdir(filepath.Join(w.Home, "bread", "rye"), 0o700); err != nil {
		t.Fatal(err)
	}
	field.SetText("~/")
	w.Win.Canvas().Focus(field)
	for _, x := range []struct{ key, text string }{{"Down", "~/"}, {"O", "~/O"}, {"k", "~/Ok"},
		{"Return", "~/books/"}, {"BackSpace", "~/"}, {"x", "~/x"}, {"Escape", "~/"}, {"b", "~/b"}, {"x", "~/bx"},
		{"BackSpace", "~/b"}, {"r", "~/br"}, {"Return", "~/bread/"},
		{"Return", "~/bread/rye/"}, {"BackSpace", "~/bread/"}, {"BackSpace", "~/"}, {"Home", "~/"}, {"End", "~/"},
		{"Return", "~/code/"}, {"BackSpace", "~/"}, {"Up", "~/"}, {"Return", "~/bread/"}} {
		list := w.Win.Canvas().Focused()
		if len(x.key) == 1 {
			list.TypedRune(rune(x.key[0]))
		} else {
			list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyName(x.key)})
		}
		wantEqual(t, field.Text, x.text, "after key: text")
	}
	field.SetText("~/" + w.Home + "/bre")
	w.Win.Canvas().Focus(field)
	keys(w, fyne.KeyReturn, fyne.KeyReturn) // completes, and chooses
	wantEqual(t, chosen, filepath.Join(w.Home, "bread"), "chose")
}

func TestSettingsByOtherNames(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	s := opened[*page.Settings](w, page.PageSettings, "")
	s.Find.SetText("theme")
	wantEqual(t, len(s.Body.Objects), 1, "objects")
	wantEqual(t, page.Shows(s.Body, "appearance"), true, "shows")
	s.Find.SetText("Battery")
	if len(s.Body.Objects) != 1 || !page.Shows(s.Body, "pause on battery") || page.Shows(s.Body, "start at login") {
		t.Errorf("battery: %q", words(w))
	}
	if s.Find.SetText("data"); !page.Shows(s.Body, "delete all indexes…") { // the title matches, so all rows remain
		t.Error("the section is not whole")
	}
	s.Find.SetText("zzz")
	wantEqual(t, page.Shows(s.Body, "no setting matches “zzz”"), true, "an empty page")
}

func TestAnIgnoredQuestionLeavesARow(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	at := clock(w)
	q := question("q", api.ActionCreate, "/home/ada/code/redis", "redis", "codex-mcp-client")
	ask(w, q)
	w.Event(api.Event{Kind: api.EventAnswered, Question: &q, Answer: api.TimedOut})
	p := w.Pages[page.PageProjects].(*page.Projects)
	if len(p.Rows) == 0 || p.Rows[0].Name != "redis" || p.Rows[0].Line != "Codex asked to index it · just now" {
		t.Fatalf("%+v", p.Rows[:1])
	}
	r := page.NewProjectRow(w.Window)
	r.Set(p.Rows[0], false)
	if r.Action.OnTapped(); w.Sheet == nil || find(w, "Index folder") == nil {
		t.Error("its button does not lead to the preview")
	}
	if *at = at.Add(page.IgnoredTime + time.Minute); len(w.Unanswered()) != 0 {
		t.Error("it is still there after an hour")
	}
}

func TestAFolderThatReturns(t *testing.T) {
	_, w := newBusy(t)
	w.Details("d")
	wantButton(t, w, "Rebuild…", false)
	p, _ := w.Model.Project("d")
	p.State, p.Problem = api.StateReady, nil
	w.Event(api.Event{Kind: api.EventProject, Project: &p})
	if find(w, "Rebuild…") == nil || w.Sheet == nil || w.Sheet.Row < 0 {
		t.Error("the buttons stay")
	}
}

func TestThirtyProjectsByKeyboard(t *testing.T) {
	w, _ := newTest(t, many(30), widget.VariantLight)
	p := w.Pages[page.PageProjects].(*page.Projects)
	c := w.Win.Canvas()
	c.Unfocus()
	for _, want := range []fyne.Focusable{p.Add, p.Filter, p.List, w.nav[page.PageProjects]} {
		c.FocusNext()
		wantEqual(t, c.Focused(), want, "focused")
	}
	c.Focus(p.List)
	key(w, fyne.KeyDown)
	key(w, desktop.KeyMenu)
	if _, ok := c.Focused().(*fynewidget.PopUpMenu); !ok {
		t.Fatalf("the focus is on %T", c.Focused())
	}
	key(w, fyne.KeyEscape)
	wantEqual(t, c.Focused(), fyne.Focusable(p.List), "after the menu it is on %T", c.Focused())
	w.Details("service-02")
	if c.Focus(p.List); w.Sheet == nil {
		t.Fatal("no details")
	}
	key(w, fyne.KeyEscape)
	wantSheet(t, w, "")
}

// TestNoEmptyStateBeforeAnAnswer checks that pages of an app with projects don't show for a moment that it has none.
func TestNoEmptyStateBeforeAnAnswer(t *testing.T) {
	f := busy()
	f.status.Projects = nil
	w, _ := newTest(t, nil, widget.VariantLight)
	w.Go(page.PageSettings, "")
	wantEqual(t, slices.Contains(words(w), "No projects yet"),
		false, "Settings claims that there are no projects before it is connected")
	w.Connected(f)
	wantEqual(t, slices.Contains(words(w), "No projects yet"), true, "Settings shows nothing instead of no projects")
	p := opened[*page.Projects](w, page.PageProjects, "")
	wantEqual(t, p.Empty.Visible(), true, "no first page")
	f.fail = errors.New("disk full")
	w.AddPath("/home/ada/code/shop")
	press(t, w, "Index folder")
	w.CloseSheet()
	wantEqual(t, p.Empty.Visible(), true, "no first page after an index that could not be started")
	f.fail = nil
	w.AddPath("/home/ada/code/shop")
	press(t, w, "Index folder")
	w.Refresh()
	wantEqual(t, p.Empty.Visible(), false, "the first page is shown while the first index starts")
}

func TestFoldsStayOpen(t *testing.T) {
	f, w := newBusy(t)
	w.Details("b")
	press(t, w, "Show excluded files")
	p, _ := w.Model.Project("b")
	p.Progress = &api.Progress{Phase: api.PhaseEmbedding, ChunksDone: 9000, ChunksTotal: 13860}
	w.Event(api.Event{Kind: api.EventProject, Project: &p})
	wantWords(t, w, "64 %", "Ignored by .gitignore", "Hide excluded files")
	press(t, w, "Hide excluded files")
	w.Event(api.Event{Kind: api.EventProject, Project: &f.status.Projects[1]})
	wantButton(t, w, "Show excluded files", true)
}
