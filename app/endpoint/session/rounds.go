package session

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Round is a question that a client of the stateless protocol (2026-07-28) carries to its person: the call ends with
// «input required» and comes again with the answer. The name of the round goes through the client, everything else
// stays here, so that an answer fits only the question it was given to.
type Round struct {
	Tool    string
	Step    Step
	About   any       // what was asked, comparable
	Expires time.Time // set by Open
}

// Step is what a round asks for; it is also the key of the answer.
type Step string

// The steps.
const (
	StepConfirm Step = "confirm" // go ahead?
	StepChoose  Step = "choose"  // which folder?
	StepRoots   Step = "roots"   // the client's roots
)

// AnswerTime is how long a person has for an answer; none in this time is a cancel
// (docs/specification.md#confirmation).
const AnswerTime = 2 * time.Minute

const (
	maxRounds  = 32               // the oldest makes room
	keepRounds = 10 * time.Minute // an answer that comes too late is told so
)

// rounds are a session's open rounds, by name.
type rounds struct {
	mu   sync.Mutex
	open map[string]Round
}

// OpenRound keeps a round and returns its name, which cannot be guessed.
func (s *Session) OpenRound(n Round) string {
	now := time.Now()
	n.Expires = now.Add(AnswerTime)
	name := rand.Text()
	r := &s.rounds
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		r.open = map[string]Round{}
	}
	oldest := ""
	for other, old := range r.open {
		switch {
		case now.Sub(old.Expires) > keepRounds:
			delete(r.open, other)
		case oldest == "" || old.Expires.Before(r.open[oldest].Expires):
			oldest = other
		}
	}
	if len(r.open) >= maxRounds {
		delete(r.open, oldest)
	}
	r.open[name] = n
	return name
}

// CloseRound ends a round; it is the zero value if none of that name is open for this tool.
func (s *Session) CloseRound(name, tool string) Round {
	r := &s.rounds
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.open[name]
	if n.Tool != tool {
		return Round{}
	}
	delete(r.open, name)
	return n
}

// InputNeeded ends a call that must come again with the person's or the client's answer.
type InputNeeded struct{ Result *mcp.CallToolResult }

// Error says what is missing.
func (InputNeeded) Error() string { return "input required" }

// AskForm opens a round for a form. The error is InputNeeded: the call ends with it.
func (s *Session) AskForm(r Round, form mcp.ElicitationParams) error {
	return InputNeeded{server.NewInputRequestBuilder(s.OpenRound(r)).Elicit(string(r.Step), form).ToolResult()}
}

// AskRoots opens a round for the client's roots, likewise.
func (s *Session) AskRoots(tool string) error {
	r := Round{Tool: tool, Step: StepRoots}
	return InputNeeded{server.NewInputRequestBuilder(s.OpenRound(r)).Roots(string(r.Step)).ToolResult()}
}
