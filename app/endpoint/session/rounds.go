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

// Round is an open question of the stateless protocol (version 2026-07-28). The call returns "input required". The
// client then repeats the call with the answer and the name of the round.
type Round struct {
	Tool    string
	Step    Step
	About   any         // must be comparable
	Folder  fs.FileInfo // identity of the folder when the user was asked
	Expires time.Time
}

// Step is the key of the answer that the client sends.
type Step string

const (
	StepConfirm Step = "confirm"
	StepChoose  Step = "choose"
	StepRoots   Step = "roots"
)

// AnswerTime is how long a question waits for the user. A timeout is treated as a cancellation.
const AnswerTime = 2 * time.Minute

// maxRounds limits the rounds, including expired ones, which are kept to recognize a late answer.
const maxRounds = 32

type rounds struct {
	mu   sync.Mutex
	open map[string]Round
}

// OpenRound stores a round and returns its name, which can't be guessed.
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

// CloseRound removes the round with the given name and returns it, or the zero Round if none is open for tool.
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
