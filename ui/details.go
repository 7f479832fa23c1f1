package ui

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

func (w *Window) details(id string) { w.detailsOf(id, false) }

func (w *Window) detailsOf(id string, still bool) {
	p, ok := w.model.Project(id)
	if !ok {
		return
	}
	body := container.NewStack()
	drawn, gone := "", p.State == api.StateOffline
	draw := func() {
		p, ok := w.model.Project(id)
		if !ok {
			w.closeSheet()
			return
		}
		if (p.State == api.StateOffline) != gone { // an offline project has other actions
			w.detailsOf(id, true)
			return
		}
		used := present.UsedProject(present.Searches(w.model.Usage, p.Root(), w.now()))
		if shape := fmt.Sprint(present.RowOf(p, nil, w.home, w.now()), present.Facts(p, w.now()), present.Note(p), used,
			p.Warnings, p.Roots, p.AlwaysAllow); shape != drawn {
			drawn = shape
			body.Objects = []fyne.CanvasObject{w.detailsBody(p)}
			body.Refresh()
		}
	}
	draw()
	list := w.pages[PageProjects].(*projects)
	search := newButton("Search…", func() { w.Go(PageSearch, id) })
	buttons := []fyne.CanvasObject{link("Settings…", func() { w.configure(p) })}
	if p.State != api.StateOffline { // an offline project has Locate as its main action
		search.as(toneMain)
		buttons = append(buttons, newButton("Rebuild…", func() { w.reindex(p) }))
	}
	w.open(&sheet{
		title: p.Name, body: body, refresh: draw, still: still,
		buttons: append(buttons, search),
		from:    list.list, row: slices.IndexFunc(list.rows, func(r present.Row) bool { return r.ID == id }),
	})
}

func (w *Window) detailsBody(p api.Project) fyne.CanvasObject {
	r := present.RowOf(p, nil, w.home, w.now())
	var state, parts []fyne.CanvasObject
	if p.Problem == nil { // the problem box shows the state otherwise
		state = append(state, message(r.Mark, prose(present.Join(r.Line, r.Rest))))
	}
	if r.Progress >= 0 {
		b := newBar()
		b.set(r.Progress)
		state = append(state, b)
	}
	if len(state) > 0 {
		parts = append(parts, column(gapSmall, state...))
	}
	if p.Problem != nil {
		v := present.ProblemOfError(*p.Problem)
		do := detailAction(v.Action)
		parts = append(parts, w.problemBox(v, func() { w.perform(do, p.ID) }, do == present.DoLocate))
	}
	for _, x := range p.Warnings {
		parts = append(parts, warning(present.Sentence(x)))
	}
	if len(p.Warnings) > 0 {
		parts = append(parts, flush(w.configFile(p)))
	}
	for _, x := range present.Notices(p) {
		parts = append(parts, warning(x))
	}
	parts = append(parts, factList(present.Facts(p, w.now())))
	if note := present.Note(p); note != "" {
		parts = append(parts, quiet(note))
	}
	parts = append(parts, w.usedProject(p.Root()), w.folders(p))
	more := column(0)
	if len(p.Skipped) > 0 {
		show, list := leftOut(p.Skipped, p.Examples, w.relayout)
		more.Objects = append(more.Objects, flush(show), list)
	}
	if lines := present.Partly(p); len(lines) > 0 {
		var list []fyne.CanvasObject
		for _, l := range lines {
			list = append(list, quiet(l))
		}
		parts = append(parts, section("Partly indexed", column(gapSmall, list...)))
	}
	if p.AlwaysAllow {
		parts = append(parts, section("Allowed",
			quiet(tr("Assistants may index this project again without asking.")),
			row(newButton("Ask again", func() { order(w, wire.MethodRevoke, reference(p)) }))))
	}
	shared := link("Use a shared index…", func() { w.addShared(p.ID) })
	if p.Shared != nil {
		shared = link("Remove shared index…", func() { w.removeShared(p) })
	}
	more.Add(flush(shared))
	parts = append(parts, more, widget.NewSeparator(),
		labelled(tr("Your files stay as they are."), "",
			newButton("Delete index…", func() { w.remove(p) }).as(toneWarn)))
	return column(gapGroup, parts...)
}

func detailAction(do present.Do) present.Do {
	if do == present.DoRetry || do == present.DoCheck {
		return present.DoReindex
	}
	return do
}

func (w *Window) folders(p api.Project) fyne.CanvasObject {
	list := column(4)
	for i, r := range p.Roots {
		show := iconButton(theme.FolderOpenIcon(), func() { w.reveal(r.Path) })
		side := row(show)
		if i > 0 {
			side.Add(iconButton(theme.ContentRemoveIcon(), func() {
				order(w, wire.MethodRootDel, wire.RootChange{Project: p.Root(), Dir: r.Path})
			}))
		}
		list.Add(container.NewBorder(nil, nil, nil, side, centred(plain(present.Middle(present.Home(r.Path, w.home), 40)))))
	}
	more := link("Add another folder…", func() {
		w.chooseFolder(func(dir string) {
			order(w, wire.MethodRootAdd, wire.RootChange{Project: p.Root(), Dir: dir})
		})
	})
	list.Add(flush(more))
	return section("Folders", list)
}
