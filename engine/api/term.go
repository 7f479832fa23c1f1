package api

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Term returns the name of a state for display.
func (s State) Term() string {
	return cmp.Or(terms[s], string(s))
}

var terms = map[State]string{
	StateNotIndexed: "Not indexed",
	StateIndexing:   "Indexing",
	StateEmbedding:  "Searchable",
	StateReady:      "Ready",
	StatePaused:     "Paused",
	StateOffline:    "Folder not found",
	StateDegraded:   "Searchable by words only",
	StateStalled:    "Searchable, changes not indexed",
	StateError:      "Not searchable",
}

const (
	TermUnreadable = "Folder can't be read"
	TermAsked      = "Waiting for your answer"
	TermOnBattery  = "Searchable (search by meaning paused on battery)"
	TermUnderLoad  = "Searchable (search by meaning paused while busy)"
	TermQuick      = "Searchable by words and quick vectors"
)

const (
	WaitingForPower = "Search by meaning will be prepared when the computer is plugged in again."
	WaitingForRoom  = "Search by meaning will be prepared when the computer is less busy."
	WaitingForModel = "Search by meaning will be prepared once its model is found."
	FetchingModel   = "Downloading embedding model... (one-time, ~%dMB)" // the progress follows
	ModelFetched    = "Done! Model cached for future use."
)

func Fetching(waiting string) bool {
	return waiting == WaitingForModel || waiting == ModelFetched || strings.HasPrefix(waiting,
		FetchingModel[:strings.Index(FetchingModel, "(")])
}

func (p Project) Term() string {
	switch {
	case p.State == StateOffline && p.Problem != nil && p.Problem.Code == FolderUnreadable:
		return TermUnreadable
	case p.State == StateEmbedding && p.Waiting == WaitingForPower:
		return TermOnBattery
	case p.State == StateEmbedding && p.Waiting == WaitingForRoom:
		return TermUnderLoad
	case p.State == StateDegraded && p.Static > 0:
		return TermQuick
	}
	return p.State.Term()
}

func (p Project) Broken() bool {
	switch p.State {
	case StateError, StateDegraded, StateStalled, StateOffline:
		return true
	case StatePaused:
		return p.Problem != nil
	}
	return false
}

func (p Project) NeedsAttention() bool {
	return p.Broken() || len(p.Warnings) > 0 && (p.State == StateReady || p.State == StateEmbedding)
}

// Own returns p. It removes the problem of p if the whole app has the same problem.
func (p Project) Own(problems []Error) Project {
	if p.Problem != nil && slices.ContainsFunc(problems, func(e Error) bool { return e.Code == p.Problem.Code }) {
		p.Problem = nil
		if p.State == StateDegraded {
			p.State = StateReady
		}
	}
	return p
}

type AppState string

// The states of the app, most urgent first.
const (
	AppAsked   AppState = "asked"
	AppBroken  AppState = "broken"  // a project needs the user's attention
	AppProblem AppState = "problem" // the app needs the user's attention
	AppPaused  AppState = "paused"
	AppBusy    AppState = "busy"
	AppWaiting AppState = "waiting" // idle; embedding waits for mains power or lower load
	AppEmpty   AppState = "empty"
	AppReady   AppState = "ready"
)

type Overall struct {
	State AppState
	Line  string
}

// Sum returns the state of the app.
func Sum(projects []Project, questions []Question, paused bool, problems []Error) Overall {
	broken, indexing, embedding, waiting := 0, 0, 0, ""
	for _, p := range projects {
		switch p = p.Own(problems); {
		case p.NeedsAttention():
			broken++
		case p.State == StateIndexing:
			indexing++
		case p.State == StateEmbedding && p.Waiting != "":
			waiting = p.Term()
		case p.State == StateEmbedding:
			embedding++
		}
	}
	switch {
	case len(questions) == 1:
		return Overall{AppAsked, TermAsked}
	case len(questions) > 1:
		return Overall{AppAsked, fmt.Sprintf("%d questions are waiting for your answer", len(questions))}
	case broken == 1:
		return Overall{AppBroken, "1 project needs attention"}
	case broken > 1:
		return Overall{AppBroken, fmt.Sprintf("%d projects need attention", broken)}
	case len(problems) > 0:
		return Overall{AppProblem, problems[0].UserMessage}
	case paused:
		return Overall{AppPaused, StatePaused.Term()}
	case indexing == 1:
		return Overall{AppBusy, "Indexing 1 project"}
	case indexing > 1:
		return Overall{AppBusy, fmt.Sprintf("Indexing %d projects", indexing)}
	case embedding > 0:
		return Overall{AppBusy, StateEmbedding.Term()}
	case waiting != "":
		return Overall{AppWaiting, waiting}
	case len(projects) == 0:
		return Overall{AppEmpty, "No projects yet"}
	}
	return Overall{AppReady, StateReady.Term()}
}

// MergeQuestions combines questions about the same action and project, so that the user answers once.
func MergeQuestions(questions []Question) []Question {
	var out []Question
	for _, q := range questions {
		at := slices.IndexFunc(out, func(o Question) bool { return o.Action == q.Action && o.Project == q.Project })
		if at < 0 {
			q.Others = nil
			out = append(out, q)
			continue
		}
		if q.Client != out[at].Client {
			out[at].Others = append(out[at].Others, q.Client)
		}
	}
	return out
}
