package api

import "testing"

func TestSum(t *testing.T) {
	p := func(s State) Project { return Project{State: s, Roots: []Root{{Path: string(s)}}} }
	waits := p(StateEmbedding)
	waits.Waiting = WaitingForPower
	misconfigured := p(StatePaused)
	misconfigured.Problem = &Error{Code: ConfigInvalid}
	lacking := p(StateDegraded)
	lacking.Problem = &Error{Code: ModelDownloadFailed}
	warned := p(StateReady)
	warned.Warnings = []string{"config.json has no closing brace."}
	asked := []Question{{ID: "1"}}
	for _, test := range []struct {
		name      string
		projects  []Project
		questions []Question
		paused    bool
		problems  []Error
		want      Overall
	}{
		{"nothing yet", nil, nil, false, nil, Overall{AppEmpty, "No projects yet"}},
		{"well", []Project{p(StateReady)}, nil, false, nil, Overall{AppReady, "Ready"}},
		{"on battery", []Project{p(StateReady), waits}, nil, false, nil,
			Overall{AppWaiting, "Searchable (search by meaning paused on battery)"}},
		{"busy over waiting", []Project{p(StateEmbedding), waits}, nil, false, nil,
			Overall{AppBusy, "Searchable"}},
		{"files over meaning", []Project{p(StateEmbedding), p(StateIndexing)}, nil, false, nil,
			Overall{AppBusy, "Indexing 1 project"}},
		{"paused over busy", []Project{p(StateIndexing)}, nil, true, nil, Overall{AppPaused, "Paused"}},
		{"the app's own over paused", []Project{p(StateReady)}, nil, true, []Error{{UserMessage: "No model."}},
			Overall{AppProblem, "No model."}},
		{"broken over the app's own", []Project{p(StateOffline), p(StateDegraded)}, nil, true,
			[]Error{{UserMessage: "No model."}},
			Overall{AppBroken, "2 projects need attention"}},
		{"paused and misconfigured", []Project{misconfigured}, nil, false, nil, Overall{AppBroken,
			"1 project needs attention"}},
		{"a model that every project lacks", []Project{lacking, lacking, p(StateReady)}, nil, false,
			[]Error{{Code: ModelDownloadFailed, UserMessage: "No model."}}, Overall{AppProblem,
				"No model."}},
		{"gone, and read other than configured", []Project{p(StateOffline), warned}, nil, false, nil,
			Overall{AppBroken, "2 projects need attention"}},
		{"a question over all", []Project{p(StateError)}, asked, true, nil, Overall{AppAsked,
			"Waiting for your answer"}},
	} {
		if got := Sum(test.projects, test.questions, test.paused, test.problems); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestMergeQuestions(t *testing.T) {
	got := MergeQuestions([]Question{
		{ID: "1", Action: ActionCreate, Project: "/p", Client: "Claude Code"},
		{ID: "2", Action: ActionDelete, Project: "/p", Client: "Cursor"},
		{ID: "3", Action: ActionCreate, Project: "/p", Client: "Cursor"},
		{ID: "4", Action: ActionCreate, Project: "/p", Client: "Claude Code"},
	})
	if len(got) != 2 || got[0].ID != "1" || len(got[0].Others) != 1 || got[0].Others[0] != "Cursor" || got[1].ID != "2" {
		t.Errorf("%+v", got)
	}
}
