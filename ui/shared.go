package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

func (s *sources) shared() (rows []fyne.CanvasObject) {
	for _, p := range s.w.model.Projects() {
		if p.Shared == nil {
			continue
		}
		mark := present.MarkReady
		line, urgent := present.SharedState(*p.Shared, s.w.now())
		if urgent {
			mark = present.MarkNeeds
		}
		rows = append(rows, twoLines(mark, p.Name, present.Join(line, present.Location(p.Shared.Location)), urgent,
			more("Remove…", func() { s.w.removeShared(p) })))
	}
	return rows
}

func (w *Window) sharers() []api.Project {
	var all []api.Project
	for _, p := range w.model.Projects() {
		if p.Shared == nil {
			all = append(all, p)
		}
	}
	return all
}

type place struct {
	endpoint, region *entry
	box              *fyne.Container
}

func (w *Window) newPlace() place {
	s := place{endpoint: w.field("Amazon S3"), region: w.field("us-east-1")}
	s.box = column(gapGroup, section("Bucket server", s.endpoint), section("Region", s.region))
	return s
}

func (w *Window) field(hint present.Text) *entry {
	e := w.newEntry("", w.closeSheet)
	e.SetPlaceHolder(tr(hint))
	return e
}

// addShared asks for a project, preselecting id, and the location of its shared index. Nothing is fetched before the
// user confirms.
func (w *Window) addShared(id string) {
	among := w.sharers()
	choices, first := make([]option, len(among)), ""
	for i, p := range among {
		choices[i] = option{key: p.Root(), name: p.Name, note: present.Home(p.Root(), w.home)}
		if p.ID == id || i == 0 {
			first = p.Root()
		}
	}
	choice := w.newChooser(choices, first, nil)
	location, at := w.field("s3://bucket/prefix"), w.newPlace()
	result, say := w.slot()
	var sh *sheet
	fetch := primary("Continue…", nil)
	fetch.OnTapped = func() {
		p, known := w.model.Project(choice.chosen)
		where := present.SharedLocation(location.Text, at.endpoint.Text, at.region.Text)
		if !known || fetch.Disabled() {
			return
		}
		w.asking.confirm(present.AskShared(p, where), func() {
			fetch.Disable()
			say(busyLine("Downloading the shared index"))
			share := wire.Share{Project: p.Root(), Location: where}
			request(w, wire.MethodShareAdd, share, func(_ api.Project, err error) {
				if w.sheet != sh {
					w.failed(err)
					return
				}
				fetch.Enable()
				if err != nil {
					say(w.problemBox(present.ProblemOf(err), nil))
					return
				}
				w.closeSheet()
				w.pages[w.current].shown()
			})
		})
	}
	fetch.Disable()
	location.OnChanged = func(text string) {
		if strings.HasPrefix(strings.TrimSpace(text), "s3://") {
			fetch.Enable()
		} else {
			fetch.Disable()
		}
	}
	location.OnSubmitted = func(string) { fetch.OnTapped() }
	sh = &sheet{
		title: tr("Add shared index"), first: location,
		body: column(gapGroup,
			quiet(tr("Credentials come from the environment of Search MCP or from ~/.aws/credentials. They are not saved.")),
			section("Project", choice), section("Location of the shared index", location), at.box, result),
		buttons: []fyne.CanvasObject{newButton("Cancel", w.closeSheet), fetch},
	}
	w.open(sh)
}

func (w *Window) removeShared(p api.Project) {
	w.asking.confirm(present.AskUnshared(p), func() {
		request(w, wire.MethodShareRemove, reference(p), func(_ api.Project, err error) {
			w.failed(err)
			w.pages[w.current].shown()
		})
	})
}
