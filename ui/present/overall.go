package present

import (
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

type Overall struct {
	Mark   Mark
	Line   string
	Paused bool
}

func OverallOf(projects []api.Project, questions []api.Question, paused, connected bool, problems []api.Error) Overall {
	if !connected {
		return Overall{Mark: MarkGone, Line: T("Not connected"), Paused: paused}
	}
	all := api.Sum(projects, questions, paused, problems)
	return Overall{Mark: overallMarks[all.State], Line: translations.Clause(Sentence(all.Line)), Paused: paused}
}

var overallMarks = map[api.AppState]Mark{
	api.AppAsked: MarkNeeds, api.AppBroken: MarkNeeds, api.AppProblem: MarkNeeds,
	api.AppPaused: MarkPaused, api.AppBusy: MarkBusy, api.AppWaiting: MarkPaused,
	api.AppEmpty: MarkGone, api.AppReady: MarkReady,
}

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
