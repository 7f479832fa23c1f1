package ui

import (
	"context"
	"encoding/json"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"searchmcp/ui/present"
)

// editors is the fourth page: who is connected, and how any editor gets connected.
type editors struct {
	w    *Window
	list *fyne.Container
	root fyne.CanvasObject
}

func newEditors(w *Window) *editors {
	e := &editors{w: w, list: column(gapSmall)}
	snippet := snippet(w.opts.Desktop)
	code := widget.NewLabel(snippet)
	code.TextStyle.Monospace = true
	code.Selectable = true
	ground := container.NewStack(newFill(themeInput, 6), code)
	e.root = frame(tr("Editors"), nil, container.NewVScroll(pad(gapSmall, 0, 0, 0, column(gapPage,
		section("Connected now", e.list),
		section("Connect an editor",
			quiet(tr("Put this into the MCP settings of your editor. It is the same for every editor; in some the first line is called servers.")),
			ground,
			container.NewHBox(primary("Copy", func() { w.copy(snippet) }))),
	))))
	return e
}

// snippet is the entry that an editor's configuration needs.
func snippet(d Desktop) string {
	type server struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	command, args := d.Bridge()
	data, err := json.MarshalIndent(map[string]map[string]server{"mcpServers": {"search": {command, args}}}, "", "  ")
	if err != nil {
		return err.Error() // strings always encode
	}
	return string(data)
}

func (e *editors) content() fyne.CanvasObject { return e.root }
func (e *editors) refresh()                   {}

func (e *editors) shown() {
	later(e.w, func(ctx context.Context, b Backend) ([]Session, error) { return b.Sessions(ctx) }, func(all []Session, err error) {
		e.list.Objects = nil
		for _, s := range all {
			if !s.Editor {
				continue
			}
			detail := present.Count(s.Calls, "request") + ", " + tr("since") + " " + present.Clock(s.Since, e.w.now())
			if s.Project != "" {
				detail = present.Home(s.Project, e.w.home) + " · " + detail
			}
			e.list.Add(container.NewBorder(nil, nil, pad(2, 0, 0, gapSmall, container.NewVBox(markIcon(present.MarkReady))), nil,
				column(2, strong(present.Client(s.Client)), muted(detail))))
		}
		if len(e.list.Objects) == 0 {
			e.list.Add(quiet(tr("No editor is connected at the moment.")))
		}
		e.w.relayout()
	})
}
