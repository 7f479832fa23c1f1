package page

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func (w *Window) AddFolder() { w.chooseFolder(w.AddPath) }

type FolderChooser interface {
	// ChooseFolder opens the desktop's dialog. dir is "" if the user cancels, and ok is false if there is no dialog.
	ChooseFolder(ctx context.Context, title string) (dir string, ok bool, err error)
}

func (w *Window) chooseFolder(then func(dir string)) {
	chooser, ok := w.Opts.Desktop.(FolderChooser)
	if !ok {
		w.ChooseHere(then)
		return
	}
	ok = true
	aside(w, func(ctx context.Context) (dir string, err error) {
		dir, ok, err = chooser.ChooseFolder(ctx, tr("Choose a folder"))
		return dir, err
	}, func(dir string, err error) {
		switch {
		case !ok:
			w.ChooseHere(then)
		case err != nil:
			w.Failed(present.Failed("The dialog for choosing a folder failed.", err))
		case dir != "":
			then(dir)
		}
	})
}

func (w *Window) ChooseHere(then func(dir string)) {
	const up = ".."
	sep := string(filepath.Separator)
	var parent, filter string   // of the field's path
	var offered, names []string // names are the suggestions for the home folder, and the subfolders of parent
	var field *widget.Entry
	escape := func() {
		if filter == "" {
			w.Dismiss()
			return
		}
		field.SetText(strings.TrimSuffix(present.Home(parent, w.Home), sep) + sep)
	}
	field = w.newEntry("~"+sep, escape)
	problem := widget.Caption("")
	list := widget.NewChoices(func() int { return len(names) }, func(i int) (widget.Option, bool) {
		note := map[bool]string{true: tr("Git repository")}[strings.Contains(names[i], sep)]
		return widget.Option{Name: names[i], Note: note, Icon: theme.FolderIcon()}, true
	})
	var open func(name string)
	take := func() {
		dir := w.expand(field.Text)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			meant := present.Filter(names, sep+filter, func(n string) string { return sep + n }) // that begin with filter
			if len(meant) != 1 {
				meant = names
			}
			if len(meant) == 1 && meant[0] != up {
				open(meant[0])
				list.At = -1
				list.Refresh()
				w.Win.Canvas().Focus(field) // Enter then chooses the folder
				field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
				return
			}
			problem.Set(tr("Folder %s not found.", present.Home(dir, w.Home)))
			return
		}
		w.CloseSheet()
		then(dir)
	}
	field.OnChanged = func(string) {
		problem.Set("")
		if parent, filter = filepath.Split(w.expand(field.Text)); strings.HasSuffix(field.Text, sep) {
			parent, filter = w.expand(field.Text), ""
		}
		if names = nil; filter == "" && parent == w.Home {
			names = slices.Clone(offered)
		}
		if filter == "" {
			names = append(names, up)
		}
		entries, _ := os.ReadDir(parent)
		for _, e := range entries {
			if e.IsDir() && (!strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(filter, ".")) {
				names = append(names, e.Name())
			}
		}
		names = present.Filter(names, filter, func(n string) string { return n })
		if len(names) == 0 {
			problem.Set(tr("No matches."))
		}
		list.At = -1
		list.Refresh()
		list.ToTop()
	}
	open = func(name string) {
		if strings.Contains(name, sep) {
			field.SetText(name)
			take()
			return
		}
		left := map[bool]string{true: filepath.Base(parent)}[name == up]
		field.SetText(strings.TrimSuffix(present.Home(filepath.Join(parent, name), w.Home), sep) + sep)
		w.Win.Canvas().Focus(list)
		at := slices.Index(names, left)
		if at < 0 {
			at = min(slices.Index(names, up)+1, len(names)-1)
		}
		list.Choose(at)
	}
	list.Picked, list.Escape = func() { open(names[list.At]) }, escape
	list.Clicked = func(i int) { open(names[i]) }
	list.Typed = func(r rune) {
		switch typed := []rune(field.Text); {
		case r == ' ': // opens the folder
			return
		case r != '\b':
			field.SetText(field.Text + string(r))
		case filter == "":
			open(up)
			return
		default:
			field.SetText(string(typed[:len(typed)-1]))
		}
		list.Choose(min(slices.Index(names, up)+1, len(names)-1))
	}
	field.Keys[fyne.KeyDown] = func() {
		w.Win.Canvas().Focus(list)
		list.Choose(max(0, list.At))
	}
	field.OnSubmitted = func(string) { take() }
	field.OnChanged("")
	aside(w, func(context.Context) ([]string, error) { return w.checkouts(), nil }, func(all []string, _ error) {
		for _, dir := range all {
			if _, known := w.Model.Project(dir); !known && len(offered) < mostOffered {
				offered = append(offered, present.Home(dir, w.Home))
			}
		}
		if list.At < 0 { // otherwise the user is choosing
			field.OnChanged("")
		}
	})
	w.Open(&Sheet{Title: tr("Choose a folder"), first: field,
		whole: widget.Below(widget.GapSmall, widget.Column(widget.GapSmall,
			widget.Quiet(tr("Type a path, or choose a folder below.")), field, problem), list),
		foot: widget.NewKeyHints(HintOf("A–Z", "Filter"), HintOf("Enter", "Open or choose folder"),
			HintOf("Backspace", "Parent folder"), HintOf("↑↓", "Choose")).Box,
		Buttons: []fyne.CanvasObject{NewButton("Cancel", w.CloseSheet), Primary("Choose", take)}})
}

const checkoutTime, checkoutDepth, mostOffered = 200 * time.Millisecond, 3, 5

// checkouts returns the folders up to checkoutDepth below the home folder that contain .git, the last used first. It
// ignores hidden folders and links, and takes at most checkoutTime.
func (w *Window) checkouts() (found []string) {
	used, level, end := map[string]time.Time{}, []string{w.Home}, w.Now().Add(checkoutTime)
	for range checkoutDepth {
		var next []string
		for _, dir := range level {
			entries, _ := os.ReadDir(dir)
			for _, e := range entries {
				at := filepath.Join(dir, e.Name())
				if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || w.Now().After(end) {
					continue
				}
				if git, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
					found, used[at] = append(found, at), git.ModTime()
				} else {
					next = append(next, at)
				}
			}
		}
		level = next
	}
	slices.SortStableFunc(found, func(a, b string) int { return used[b].Compare(used[a]) })
	return found
}

func (w *Window) expand(typed string) string {
	typed = strings.Replace(strings.TrimSpace(typed), "~//", "/", 1) // an absolute path after the initial ~/
	if rest, ok := strings.CutPrefix(typed, "~"); ok {
		typed = w.Home + rest
	}
	return filepath.Clean(typed)
}

func (w *Window) Dropped(_ fyne.Position, uris []fyne.URI) {
	if len(uris) == 0 {
		return
	}
	path := filepath.FromSlash(uris[0].Path())
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		path = filepath.Dir(path)
	}
	w.AddPath(path)
}

func (w *Window) AddPath(dir string) {
	if w.Current != PageProjects {
		w.frame.Go(PageProjects, "")
	}
	if p, ok := w.Model.Project(dir); ok && p.State != api.StateNotIndexed {
		w.Details(p.ID)
		return
	}
	body, fill := w.slot(widget.Column(widget.GapGroup, widget.Quiet(present.Home(dir, w.Home)),
		busyLine("Counting files")))
	add := Primary("Index folder", nil)
	add.Disable()
	cancel := NewButton("Cancel", w.CloseSheet)
	s := &Sheet{Title: tr("Add folder"), Body: body, Buttons: []fyne.CanvasObject{cancel, add}, first: cancel,
		fenced: true, foot: widget.Quiet(tr(present.Stays) + " " + tr(present.LeftOut))}
	shown := w.Backend
	s.refresh = func() {
		if w.Backend != nil && w.Backend != shown { // the app forgets previews when a connection ends
			w.AddPath(dir)
		}
	}
	w.Open(s)
	Request(w, wire.MethodPreview, wire.ProjectRef{Project: dir}, func(v api.Preview, err error) {
		if w.Sheet != s {
			return
		}
		if err != nil {
			fill(w.ProblemBox(present.ProblemOf(err), func() { w.AddPath(dir) }))
			return
		}
		fill(w.previewBody(v))
		if v.Files == 0 {
			return
		}
		add.OnTapped = func() { w.index(v) }
		add.Enable()
		if c := w.Win.Canvas(); present.Caution(v) == "" && c.Focused() == fyne.Focusable(cancel) {
			c.Focus(add)
		}
	})
}

// index starts indexing the previewed folder. It asks again if the folder is very broad, such as a home folder.
func (w *Window) index(v api.Preview) {
	w.CloseSheet()
	create := func() { w.agreed(api.ActionCreate, v.Root) }
	if !v.Broad {
		create()
		return
	}
	q := present.Own(api.ActionCreate, api.Project{Name: v.Name, Roots: []api.Root{{Path: v.Root}}}, nil)
	q.Twice = false
	again := present.Again(q, w.Home)
	q.Title, q.Text = again.Title, again.Sentence
	w.ask(q, create)
}

func (w *Window) previewBody(v api.Preview) fyne.CanvasObject {
	parts := []fyne.CanvasObject{widget.Quiet(present.Home(v.Root, w.Home)), FactList(present.Estimate(v)),
		widget.Some(Caution, present.Caution(v))}
	if langs := present.Languages(v.Languages); len(langs) > 0 {
		rows := widget.Column(6)
		for _, l := range langs {
			b := widget.NewBar()
			b.Set(l.Share)
			rows.Add(container.NewBorder(nil, nil, widget.Wide(128, widget.Plain(l.Name)),
				widget.Wide(64, alignedRight(present.Number(l.Files))), b))
		}
		parts = append(parts, section("Languages", rows))
	}
	if len(v.Skipped) > 0 {
		parts = append(parts, section("Excluded", skippedList(v.Skipped, v.Examples)))
	}
	return widget.Column(widget.GapGroup, parts...)
}

func alignedRight(s string) *widget.Text {
	t := widget.Caption(s)
	t.Align = fyne.TextAlignTrailing
	return t
}

func busyLine(s present.Text) fyne.CanvasObject { return waitingLine(tr(s) + "…") }

func waitingLine(s string) fyne.CanvasObject {
	return widget.Column(0, Message(present.MarkBusy, widget.Muted(s)))
}
