package tray

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"time"

	"fyne.io/systray"

	"searchmcp/app/socket/wire"
	"searchmcp/assets/icons"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

type Engine interface {
	Projects() []api.Project
	Paused() bool
	Problems() []api.Error
	Settings() map[string]any
	Subscribe(ctx context.Context) <-chan api.Event
	Pause(root string) error  // all projects if root is ""
	Resume(root string) error // all projects if root is ""
}

type Options struct {
	Engine    Engine
	Questions func() []api.Question
	Show      func(page, root string) // must return quickly
	Reveal    func(root string)
	Quit      func()
	Language  translations.Language // of the system
	Log       *slog.Logger
}

const (
	pageProjects = "projects"
	pageSearch   = "search"
	pageEditors  = "editors"
	pageSettings = "settings"
	pagePalette  = wire.PagePalette
	pageReindex  = "reindex"
)

// redrawPause is the minimum time between two redraws, which disturb an open menu.
const redrawPause = 300 * time.Millisecond

var ErrNoTray = errors.New("no session bus to show an icon on")

// Run shows the icon until ctx ends. It may be called only once, and on macOS only on the main goroutine. Without a
// session bus, it returns ErrNoTray.
func Run(ctx context.Context, o Options) error {
	if err := probe(); err != nil {
		return errors.Join(ErrNoTray, err)
	}
	t := &tray{opts: o}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, systray.Quit)
	defer stop()
	systray.SetOnTapped(func() { o.Show("", "") })
	show(ctx, func() { systray.Run(func() { t.ready(ctx) }, nil) })
	cancel()
	t.work.Wait()
	return nil
}

const takeDown = time.Second

// show runs systray's loop until ctx ends. It then waits at most takeDown, because the loop never ends on Windows
// without Explorer.
func show(ctx context.Context, loop func()) {
	if runtime.GOOS == "darwin" { // Run is called on the main goroutine
		loop()
		return
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread() // on Windows, the icon's window belongs to the thread that created it
		defer runtime.UnlockOSThread()
		loop()
	}()
	<-ctx.Done()
	select {
	case <-ended:
	case <-time.After(takeDown):
	}
}

// tray creates all menu items once, so that the items of an open menu keep their positions.
type tray struct {
	opts   Options
	work   sync.WaitGroup
	status *systray.MenuItem
	answer *systray.MenuItem
	more   *systray.MenuItem
	pause  *systray.MenuItem
	slots  [MaxEntries]slot
	fixed  []label
	spoken translations.Language // of the titles in fixed

	mu    sync.Mutex // guards shown
	shown Menu
}

// label is an item whose title changes only with the language.
type label struct {
	item *systray.MenuItem
	text translations.Text
}

type slot struct{ item, search, pause, reindex *systray.MenuItem }

func (t *tray) ready(ctx context.Context) {
	systray.SetTitle("Search MCP")
	o := t.opts
	item := func(text translations.Text, do func(Menu)) *systray.MenuItem {
		return t.on(ctx, t.label(systray.AddMenuItem("", ""), text), do)
	}
	show := func(page string) func(Menu) { return func(Menu) { o.Show(page, "") } }
	t.status = item("", show(pageProjects))
	t.answer = item("", show(pageProjects))
	systray.AddSeparator()
	item("Open Search MCP", show(""))
	item("Search…", show(pagePalette))
	systray.AddSeparator()
	for i := range t.slots {
		t.slots[i] = t.slot(ctx, i)
	}
	t.more = item("", show(pageProjects))
	systray.AddSeparator()
	t.pause = item("", func(m Menu) { t.toggle("", m.Paused) })
	item("Connect an editor…", show(pageEditors))
	item("Settings…", show(pageSettings))
	systray.AddSeparator()
	item("Quit", func(Menu) { o.Quit() })
	t.redraw(true)
	t.work.Go(func() { t.follow(ctx) })
}

func (t *tray) slot(ctx context.Context, i int) slot {
	o := t.opts
	s := slot{item: systray.AddMenuItem("", "")}
	item := func(text translations.Text, do func(Entry)) *systray.MenuItem {
		return t.on(ctx, t.label(s.item.AddSubMenuItem("", ""), text), func(m Menu) {
			if i < len(m.Entries) {
				do(m.Entries[i])
			}
		})
	}
	item("Open", func(e Entry) { o.Show(pageProjects, e.Root) })
	s.search = item("Search this project…", func(e Entry) { o.Show(pageSearch, e.Root) })
	s.pause = item("", func(e Entry) { t.toggle(e.Root, e.Paused) })
	s.reindex = item("Rebuild index…", func(e Entry) { o.Show(pageReindex, e.Root) })
	item("Show in file manager", func(e Entry) { o.Reveal(e.Root) })
	return s
}

func (t *tray) toggle(root string, paused bool) {
	act := t.opts.Engine.Pause
	if paused {
		act = t.opts.Engine.Resume
	}
	if err := act(root); err != nil {
		t.opts.Log.Error("not paused or resumed", "root", root, "code", api.CodeOf(err), "err", err)
	}
}

func (t *tray) on(ctx context.Context, item *systray.MenuItem, do func(Menu)) *systray.MenuItem {
	t.work.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-item.ClickedCh:
				t.mu.Lock()
				m := t.shown
				t.mu.Unlock()
				do(m)
			}
		}
	})
	return item
}

func (t *tray) state() State {
	s := t.opts.Engine
	return State{Projects: s.Projects(), Questions: t.opts.Questions(), Paused: s.Paused(), Problems: s.Problems()}
}

func (t *tray) follow(ctx context.Context) {
	events := t.opts.Engine.Subscribe(ctx)
	timer := time.NewTimer(redrawPause) // the first redraw shows earlier changes
	defer timer.Stop()
	pending := true
	for {
		select {
		case e, open := <-events:
			if !open {
				return
			}
			switch e.Kind {
			case api.EventProgress, api.EventActivity, api.EventDocs:
				continue
			}
			if !pending {
				pending = true
				timer.Reset(redrawPause)
			}
		case <-timer.C:
			pending = false
			t.redraw(false)
		}
	}
}

// label adds an item with a fixed text, if text is not "".
func (t *tray) label(item *systray.MenuItem, text translations.Text) *systray.MenuItem {
	if text != "" {
		t.fixed = append(t.fixed, label{item, text})
	}
	return item
}

// language returns the language of the settings or, by default, of the system.
func (o Options) language() translations.Language {
	if code, _ := o.Engine.Settings()[api.SettingLanguage].(string); code != "" {
		return translations.For(code)
	}
	return o.Language
}

func (t *tray) redraw(all bool) {
	l := t.opts.language()
	if l != t.spoken {
		for _, f := range t.fixed {
			f.item.SetTitle(l.Text(f.text))
		}
		t.spoken = l
	}
	t.draw(Build(t.state(), l), all)
}

func (t *tray) draw(m Menu, all bool) {
	t.mu.Lock()
	old := t.shown
	t.shown = m
	t.mu.Unlock()
	if all || m.Icon != old.Icon {
		systray.SetIcon(picture(m.Icon))
	}
	if all || m.Tooltip != old.Tooltip {
		systray.SetTooltip(m.Tooltip)
	}
	title(t.status, m.Status, old.Status, all)
	title(t.answer, m.Answer, old.Answer, all)
	title(t.more, m.More, old.More, all)
	title(t.pause, m.Pause, old.Pause, all)
	for i, s := range t.slots {
		var now, was Entry
		if i < len(m.Entries) {
			now = m.Entries[i]
		}
		if i < len(old.Entries) {
			was = old.Entries[i]
		}
		title(s.item, now.Label, was.Label, all)
		if now.Pause != "" {
			title(s.pause, now.Pause, was.Pause, all)
		}
		if all || now.Ready != was.Ready {
			for _, item := range []*systray.MenuItem{s.search, s.reindex, s.pause} {
				if now.Ready {
					item.Enable()
				} else {
					item.Disable()
				}
			}
		}
	}
}

func title(item *systray.MenuItem, now, was string, all bool) {
	if !all && now == was {
		return
	}
	item.SetTitle(literal(now))
	if now == "" {
		item.Hide()
	} else if all || was == "" {
		item.Show()
	}
}

// literal escapes the character that marks access keys, such as "&" on Windows.
func literal(s string) string {
	switch runtime.GOOS {
	case "windows":
		return strings.ReplaceAll(s, "&", "&&")
	case "darwin":
		return s
	}
	return strings.ReplaceAll(s, "_", "__")
}

var pngs = map[Icon][]byte{
	IconReady: icons.Ready, IconIndexing: icons.Indexing, IconPaused: icons.Paused, IconNeeds: icons.Needs,
	IconProblem: icons.Problem,
}

func picture(i Icon) []byte {
	if runtime.GOOS == "windows" {
		return ico(pngs[i])
	}
	return pngs[i]
}

// ico returns a Windows icon file that contains png, a PNG image of 48 by 48 pixels.
func ico(png []byte) []byte {
	const header, edge = 22, 48
	n := len(png)
	b := []byte{0, 0, 1, 0, 1, 0, edge, edge, 0, 0, 1, 0, 32, 0, byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24),
		header, 0, 0, 0}
	return append(b, png...)
}
