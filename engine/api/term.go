package api

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Term is what a state is called wherever it is read: in the window, the tray and the terminal, by doctor and by
// assistants. docs/guide.md explains each; assets/translations says it in other languages.
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

// Terms of what is finer than a state.
const (
	TermUnreadable = "Folder can't be read"
	TermAsked      = "Waiting for your answer"
	TermOnBattery  = "Searchable, meaning paused on battery"
	TermUnderLoad  = "Searchable, meaning paused while busy"
	TermQuick      = "Searchable by words and quick vectors"
)

// What Project.Waiting says.
const (
	WaitingForPower = "Searching by meaning is prepared when the computer is plugged in again."
	WaitingForRoom  = "Searching by meaning is prepared when other programs leave room for it."
	WaitingForModel = "Searching by meaning is prepared once its model was found."
	FetchingModel   = "Downloading embedding model... (one-time, ~%dMB)" // and how much of it is there
	ModelFetched    = "Done! Model cached for future use."
)

// Fetching reports whether it is the model that Project.Waiting tells of: soon it is there, or can't be had.
func Fetching(waiting string) bool {
	return waiting == WaitingForModel || waiting == ModelFetched || strings.HasPrefix(waiting,
		FetchingModel[:strings.Index(FetchingModel, "(")])
}

// Term is the state of a project as State.Term has it, or the reason where a state has several.
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

// Broken reports whether a project does not work as it should until a person has done something.
func (p Project) Broken() bool {
	switch p.State {
	case StateError, StateDegraded, StateStalled, StateOffline:
		return true
	case StatePaused:
		return p.Problem != nil // its configuration can't be used
	}
	return false
}

// Wants reports whether a project wants something of a person: it is broken, or is read other than its configuration
// says.
func (p Project) Wants() bool {
	return p.Broken() || len(p.Warnings) > 0 && (p.State == StateReady || p.State == StateEmbedding)
}

// Own is a project without a problem that is the app's and is said there, once and not for each project.
func (p Project) Own(problems []Error) Project {
	if p.Problem != nil && slices.ContainsFunc(problems, func(e Error) bool { return e.Code == p.Problem.Code }) {
		p.Problem = nil
		if p.State == StateDegraded {
			p.State = StateReady
		}
	}
	return p
}

// Standing is the gravest thing there is to say of everything together.
type Standing string

// The standings, the gravest first.
const (
	StandingAsked   Standing = "asked"   // a question waits for a person
	StandingBroken  Standing = "broken"  // a project needs a person
	StandingProblem Standing = "problem" // the app does
	StandingPaused  Standing = "paused"
	StandingBusy    Standing = "busy"
	StandingWaiting Standing = "waiting" // nothing works, and vectors wait for power or room
	StandingEmpty   Standing = "empty"
	StandingReady   Standing = "ready"
)

// Overall is how everything stands, and the line that says so wherever there is room for one.
type Overall struct {
	Standing Standing
	Line     string
}

// Sum sums up how everything stands. questions are those that a person sees: one for each thing that is asked.
func Sum(projects []Project, questions []Question, paused bool, problems []Error) Overall {
	broken, indexing, embedding, waiting := 0, 0, 0, ""
	for _, p := range projects {
		switch p = p.Own(problems); {
		case p.Wants():
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
		return Overall{StandingAsked, TermAsked}
	case len(questions) > 1:
		return Overall{StandingAsked, fmt.Sprintf("%d questions wait for your answer", len(questions))}
	case broken == 1:
		return Overall{StandingBroken, "1 project needs attention"}
	case broken > 1:
		return Overall{StandingBroken, fmt.Sprintf("%d projects need attention", broken)}
	case len(problems) > 0:
		return Overall{StandingProblem, problems[0].UserMessage}
	case paused:
		return Overall{StandingPaused, StatePaused.Term()}
	case indexing == 1:
		return Overall{StandingBusy, "Indexing 1 project"}
	case indexing > 1:
		return Overall{StandingBusy, fmt.Sprintf("Indexing %d projects", indexing)}
	case embedding > 0:
		return Overall{StandingBusy, StateEmbedding.Term()}
	case waiting != "":
		return Overall{StandingWaiting, waiting}
	case len(projects) == 0:
		return Overall{StandingEmpty, "No projects yet"}
	}
	return Overall{StandingReady, StateReady.Term()}
}

// OneEach leaves one question for each thing that is asked, the one asked first: however many ask it, a person answers
// it once. The others' askers are in Others.
func OneEach(questions []Question) []Question {
	var out []Question
	for _, q := range questions {
		at := slices.IndexFunc(out, func(o Question) bool { return o.Action == q.Action && o.Project == q.Project })
		if at < 0 {
			q.Others = nil
			out = append(out, q)
			continue
		}
		if q.Asker != out[at].Asker {
			out[at].Others = append(out[at].Others, q.Asker)
		}
	}
	return out
}
