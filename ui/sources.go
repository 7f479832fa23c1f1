package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// sources is the fifth page: what is searched beside code, that is the documents of the projects.
type sources struct {
	w     *Window
	docs  []api.Project
	list  *widget.List
	empty fyne.CanvasObject
	root  fyne.CanvasObject
}

func newSources(w *Window) *sources {
	s := &sources{w: w}
	s.list = widget.NewList(func() int { return len(s.docs) },
		func() fyne.CanvasObject {
			return pad(8, 8, 4, 4, container.NewBorder(nil, nil, nil, centred(newButton("Settings…", nil)), column(2, strong(""), muted(""))))
		},
		func(i widget.ListItemID, o fyne.CanvasObject) {
			p := s.docs[i]
			row := o.(*fyne.Container).Objects[0].(*fyne.Container)
			words := row.Objects[0].(*fyne.Container)
			words.Objects[0].(*text).set(p.Name)
			line := tr("No documents indexed")
			if p.DocFiles > 0 {
				line = present.Count(p.DocFiles, "document") + " · " + present.Home(p.Root(), w.home)
			}
			words.Objects[1].(*text).set(line)
			row.Objects[1].(*fyne.Container).Objects[0].(*button).OnTapped = func() { w.configure(p) }
		})
	s.list.OnSelected = func(i widget.ListItemID) {
		s.list.UnselectAll()
		w.Go(PageProjects, s.docs[i].ID)
	}
	s.empty = container.NewCenter(container.New(fixed{width: 420}, centredText("Documents of your projects appear here once a project is indexed.")))
	s.root = frame(tr("Sources"), nil, container.New(gapBorder{gapSmall},
		quiet(tr("Documentation is searched apart from code. Which files count as documents is a setting of each project.")),
		container.NewStack(s.list, s.empty)))
	return s
}

func (s *sources) content() fyne.CanvasObject { return s.root }
func (s *sources) shown()                     { s.refresh() }

func (s *sources) refresh() {
	s.docs = nil
	for _, p := range s.w.model.Projects() {
		if p.State != api.StateNotIndexed {
			s.docs = append(s.docs, p)
		}
	}
	if len(s.docs) == 0 {
		s.empty.Show()
	} else {
		s.empty.Hide()
	}
	s.list.Refresh()
}
