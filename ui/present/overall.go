package present

import "searchmcp/engine/api"

// Overall is the state of everything in one line.
type Overall struct {
	Mark   Mark
	Line   string
	Paused bool
}

// OverallOf sums up rows. connected is false while the app does not answer.
func OverallOf(rows []Row, paused, connected bool, problems []api.Error) Overall {
	needs, busy := 0, 0
	var waits Text
	for _, r := range rows {
		if r.Waits != "" {
			waits = r.Waits
		}
		switch r.Mark {
		case MarkNeeds:
			needs++
		case MarkBusy:
			busy++
		}
	}
	o := Overall{Paused: paused}
	switch {
	case !connected:
		o.Mark, o.Line = MarkGone, T("Not connected")
	case needs == 1:
		o.Mark, o.Line = MarkNeeds, T("1 needs you")
	case needs > 1:
		o.Mark, o.Line = MarkNeeds, T("%d need you", needs)
	case len(problems) > 0:
		o.Mark, o.Line = MarkNeeds, T("Something is wrong")
	case paused:
		o.Mark, o.Line = MarkPaused, T("Paused")
	case busy > 0:
		o.Mark, o.Line = MarkBusy, Count(busy, "project busy")
	case waits != "":
		o.Mark, o.Line = MarkPaused, T(waits)
	case len(rows) == 0:
		o.Mark, o.Line = MarkGone, T("No projects yet")
	default:
		o.Mark, o.Line = MarkReady, T("All is well")
	}
	return o
}

// Total says what the indexes of all projects take.
func Total(projects []api.Project) string {
	var files int
	var bytes int64
	for _, p := range projects {
		files += p.Files
		bytes += p.SizeBytes
	}
	if len(projects) == 0 {
		return ""
	}
	return Join(Count(len(projects), "project"), Count(files, "file"), T("%s on disk", Size(bytes)))
}
