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
	if f.has("create /home/ada/code/shop") {
		t.Fatal("indexed before the user agreed")
	}
	press(t, w, "Index folder")
	if !f.has("create /home/ada/code/shop") || w.Sheet != nil {
		t.Errorf("did %q", f.did)
	}
	// The folder of a project opens its details.
	w.AddPath("/home/ada/code/engine")
	if w.Sheet == nil || w.Sheet.Title != "engine" {
		t.Errorf("sheet %+v", w.Sheet)
	}
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
	if w.Win.Canvas().Overlays().Top() != nil {
		t.Error("an expired question is shown")
	}
	press(t, w, "Start")
	if d.started != 1 {
		t.Errorf("started %d times", d.started)
	}
	w.Connected(f)
	if find(w, "Start") != nil {
		t.Error("the message stays after the connection is back")
	}
}

func TestABrokenConfigurationIsOpened(t *testing.T) {
	f := busy()
	f.config = "{ broken"
	w, d := newTest(t, f, widget.VariantLight)
	p, _ := w.Model.Project("a")
	w.Configure(p)
	press(t, w, "Open config.json")
	if len(d.opened) != 1 || !strings.Contains(d.opened[0], filepath.Join("indexes", "a", "config.json")) {
		t.Errorf("opened %q", d.opened)
	}
}

func TestSettingsOfAProject(t *testing.T) {
	f, w := newBusy(t)
	p, _ := w.Model.Project("a")
	w.Configure(p)
	f.problems = []string{"maxFileSize must be a size such as '500KB'; \"1MB\" is used instead."}
	form := w.Forms["a"]
	form.Entries[present.FieldSize].SetText("huge")
	press(t, w, "Save")
	if !strings.Contains(f.config, `"maxFileSize": "huge"`) || !strings.Contains(f.config, "// what to read") {
		t.Errorf("saved\n%s", f.config)
	}
	if w.Sheet == nil || !form.Problems["maxFileSize"].Box.Visible() {
		t.Error("the problem is not shown at its field")
	}
	f.problems = nil
	form.Entries[present.FieldSize].SetText("2MB")
	form.Entries[present.FieldExclude].SetText("fixtures/**\nsrc/auth/**")
	if got := form.Effect.Words.String(); got != "With these settings: 4,810 files, 2 fewer than now" ||
		len(form.Left.Objects) != 1 {
		t.Errorf("preview %q", got)
	}
	press(t, w, "Save")
	if w.Sheet != nil || !strings.Contains(f.config, "src/auth/**") {
		t.Errorf("saved\n%s", f.config)
	}
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
	if !f.has("pause ") || !w.Model.Paused {
		t.Fatalf("did %q", f.did)
	}
	b := w.foot.pause
	test.Tap(b)
	if !f.has("resume ") || w.Model.Paused {
		t.Errorf("did %q", f.did)
	}
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
	if w.closing(); strings.Contains(strings.Join(words(w), "\n"), "tray") {
		t.Error("the message mentions a tray that does not exist")
	}
	w.CloseSheet()
	w.closing()
	if w.Sheet != nil {
		t.Error("the second close shows the message again")
	}
}

func TestUpdatesKeepScrollPosition(t *testing.T) {
	w, _ := newTest(t, many(30), widget.VariantLight)
	p := w.Pages[page.PageProjects].(*page.Projects)
	p.List.Scroll.ScrollToOffset(fyne.NewPos(0, 640))
	changed := project("service-03", "service-03", "/home/ada/work/platform/service-03", api.StateReady, 4000)
	w.Event(api.Event{Kind: api.EventProject, Project: &changed})
	if got := p.List.Scroll.Offset.Y; got != 640 {
		t.Errorf("scrolled from 640 to %v", got)
	}
	if len(p.Rows) != 30 || p.Rows[2].Line != "Ready · 4,000 files · 80 MB · updated 2 min ago" {
		t.Errorf("%d rows, %+v", len(p.Rows), p.Rows[2])
	}
}

func TestSizeIsRemembered(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	size(w, 1200, 820)
	w.Leave()
	again := New(page.Options{App: w.App, Desktop: &desk{}, Now: w.Now, Language: translations.English, Home: "/home/ada",
		Inline: true})
	t.Cleanup(again.Close)
	if got := again.Win.Canvas().Size(); got != fyne.NewSize(1200, 820) {
		t.Errorf("%v", got)
	}
}

func TestFilterOfProjects(t *testing.T) {
	w, _ := newTest(t, many(9), widget.VariantLight)
	if w.Pages[page.PageProjects].(*page.Projects).Filter.Visible() {
		t.Error("nine can be looked through")
	}
	w, _ = newTest(t, many(12), widget.VariantLight)
	p := w.Pages[page.PageProjects].(*page.Projects)
	p.Filter.SetText("VICE-1")
	if !p.Filter.Visible() || len(p.Rows) != 3 {
		t.Errorf("visible: %v, %d rows", p.Filter.Visible(), len(p.Rows))
	}
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
}

func TestTheWheelIsTheSheets(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	p, _ := w.Model.Project("a")
	w.Configure(p)
	if w.Sheet.Scroll.Offset.Y != 0 {
		t.Errorf("opened scrolled by %v", w.Sheet.Scroll.Offset.Y)
	}
	before := w.Forms["a"].Entries[present.FieldExclude].Size().Height
	w.Forms["a"].Entries[present.FieldExclude].SetText(strings.Repeat("a/**\n", 9))
	if after := w.Forms["a"].Entries[present.FieldExclude].Size().Height; after < before+80 {
		t.Errorf("%v high, then %v", before, after)
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(w.Forms["a"].Entries[present.FieldExclude]).AddXY(40, 20)
	test.Scroll(w.Win.Canvas(), at, 0, -60)
	if w.Sheet.Scroll.Offset.Y != 60*widget.WheelPace() {
		t.Errorf("the sheet has moved by %v", w.Sheet.Scroll.Offset.Y)
	}
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
		if p.Words.String() != in {
			t.Errorf("shortened although the text fits: %q", p.Words.String())
		}
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
	if !slices.Equal(tones, []widget.Tone{widget.ToneMain, widget.ToneOrdinary}) {
		t.Errorf("Locate… and Search… have tones %v", tones)
	}
}

func TestATypedFolder(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	w.Home = t.TempDir()
	for _, dir := range []string{"books", "bread", "code"} {
		if err := os.Mkdir(filepath.Join(w.Home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	chosen := ""
	w.ChooseHere(func(dir string) { chosen = dir })
	field := w.Win.Canvas().Focused().(*widget.Entry)
	field.SetText("~/")
	wantWords(t, w, "..", "books", "code")
	field.SetText("~/b")
	if wantWords(t, w, "books", "bread"); slices.Contains(words(w), "code") {
		t.Error("another folder is offered")
	}
	field.SetText("~/nowhere")
	if press(t, w, "Choose"); chosen != "" || w.Sheet == nil {
		t.Errorf("chose %q", chosen)
	}
	if err := os.Mkdir(filepath.Join(w.Home, "bread", "rye"), 0o700); err != nil {
		t.Fatal(err)
	}
	field.SetText("~/")
	w.Win.Canvas().Focus(field)
	for i, x := range []struct{ key, text string }{{"Down", "~/"}, {"b", "~/"}, {"b", "~/"}, {"Return", "~/bread/"},
		{"Return", "~/bread/rye/"}, {"BackSpace", "~/bread/"}, {"BackSpace", "~/"}, {"Home", "~/"}, {"End", "~/"},
		{"Return", "~/code/"}, {"BackSpace", "~/"}, {"Up", "~/"}, {"Return", "~/bread/"}} {
		list := w.Win.Canvas().Focused()
		if len(x.key) == 1 {
			list.TypedRune(rune(x.key[0]))
		} else {
			list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyName(x.key)})
		}
		if field.Text != x.text {
			t.Fatalf("after key %d, %s: %s", i, x.key, field.Text)
		}
	}
	if press(t, w, "Choose"); chosen != filepath.Join(w.Home, "bread") {
		t.Errorf("chose %q", chosen)
	}
}

func TestSettingsByOtherNames(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	s := opened[*page.Settings](w, page.PageSettings, "")
	s.Find.SetText("theme")
	if len(s.Body.Objects) != 1 || !page.Shows(s.Body, "appearance") {
		t.Errorf("theme: %d groups", len(s.Body.Objects))
	}
	s.Find.SetText("Battery")
	if len(s.Body.Objects) != 1 || !page.Shows(s.Body, "pause on battery") || page.Shows(s.Body, "start at login") {
		t.Errorf("battery: %q", words(w))
	}
	if s.Find.SetText("data"); !page.Shows(s.Body, "delete all indexes…") { // the title matches, so all rows remain
		t.Error("the section is not whole")
	}
	if s.Find.SetText("zzz"); !page.Shows(s.Body, "no setting matches “zzz”") {
		t.Error("an empty page")
	}
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
	if find(w, "Rebuild…") != nil {
		t.Fatal("a folder that is gone can be read again")
	}
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
	for i, want := range []fyne.Focusable{p.Add, p.Filter, p.List, w.nav[page.PageProjects]} {
		if c.FocusNext(); c.Focused() != want {
			t.Fatalf("stop %d is %T %s", i+1, c.Focused(), describe(c.Focused()))
		}
	}
	c.Focus(p.List)
	key(w, fyne.KeyDown)
	key(w, desktop.KeyMenu)
	if _, ok := c.Focused().(*fynewidget.PopUpMenu); !ok {
		t.Fatalf("the focus is on %T", c.Focused())
	}
	key(w, fyne.KeyEscape)
	if c.Focused() != fyne.Focusable(p.List) {
		t.Errorf("after the menu it is on %T", c.Focused())
	}
	w.Details("service-02")
	if c.Focus(p.List); w.Sheet == nil {
		t.Fatal("no details")
	}
	if key(w, fyne.KeyEscape); w.Sheet != nil {
		t.Error("Escape in the list does not close the details")
	}
}

// TestNoEmptyStateBeforeAnAnswer checks that pages of an app with projects don't show for a moment that it has none.
func TestNoEmptyStateBeforeAnAnswer(t *testing.T) {
	f := busy()
	f.status.Projects = nil
	w, _ := newTest(t, nil, widget.VariantLight)
	w.Go(page.PageSettings, "")
	if slices.Contains(words(w), "No projects yet") {
		t.Error("Settings claims that there are no projects before it is connected")
	}
	w.Connected(f)
	if !slices.Contains(words(w), "No projects yet") {
		t.Error("Settings shows nothing instead of no projects")
	}
	p := opened[*page.Projects](w, page.PageProjects, "")
	if !p.Empty.Visible() {
		t.Fatal("no first page")
	}
	f.fail = errors.New("disk full")
	w.AddPath("/home/ada/code/shop")
	press(t, w, "Index folder")
	if w.CloseSheet(); !p.Empty.Visible() {
		t.Error("no first page after an index that could not be started")
	}
	f.fail = nil
	w.AddPath("/home/ada/code/shop")
	press(t, w, "Index folder")
	if w.Refresh(); p.Empty.Visible() {
		t.Error("the first page is shown while the first index starts")
	}
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
	if find(w, "Show excluded files") == nil {
		t.Error("a closed fold opens")
	}
}
