package session

import (
	"crypto/rand"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Round is a question of the stateless protocol (2026-07-28). The call ends with "input required", and the client
// repeats it with the answer and the round's name.
type Round struct {
	Tool    string
	Step    Step
	About   any         // comparable
	Folder  fs.FileInfo // when the user was asked
	Expires time.Time
}

// Step is the key of the answer.
type Step string

const (
	StepConfirm Step = "confirm"
	StepChoose  Step = "choose"
	StepRoots   Step = "roots"
)

// AnswerTime limits the time to answer. A timeout counts as cancelling.
const AnswerTime = 2 * time.Minute

// maxRounds includes expired rounds, which report that an answer is late.
const maxRounds = 32

type rounds struct {
	mu   sync.Mutex
	open map[string]Round
}

// OpenRound returns an unguessable name.
func (s *Session) OpenRound(n Round) string {
	n.Expires = time.Now().Add(AnswerTime)
	name := rand.Text()
	r := &s.rounds
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		r.open = map[string]Round{}
	}
	if len(r.open) >= maxRounds {
		oldest := slices.MinFunc(slices.Collect(maps.Keys(r.open)), func(a, b string) int {
			return r.open[a].Expires.Compare(r.open[b].Expires)
		})
		delete(r.open, oldest)
	}
	r.open[name] = n
	return name
}

// CloseRound returns the zero Round if name is not open for tool.
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

type InputNeeded struct{ Result *mcp.CallToolResult }

func (InputNeeded) Error() string { return "input required" }

func (s *Session) AskForm(r Round, form mcp.ElicitationParams) error {
	return InputNeeded{server.NewInputRequestBuilder(s.OpenRound(r)).Elicit(string(r.Step), form).ToolResult()}
}

func (s *Session) AskRoots(tool string) error {
	r := Round{Tool: tool, Step: StepRoots}
	return InputNeeded{server.NewInputRequestBuilder(s.OpenRound(r)).Roots(string(r.Step)).ToolResult()}
}
