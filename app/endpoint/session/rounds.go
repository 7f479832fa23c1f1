package session

import (
	"crypto/rand"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Round is an open question of the stateless protocol (version 2026-07-28). The client repeats the call with the answer
// and the name of the round.
type Round struct {
	Tool    string
	Step    Step
	About   any         // must be comparable
	Folder  fs.FileInfo // identity of the folder when the user was asked
	Expires time.Time
}

// Step is the kind of a question, and the key of the client's answer.
type Step string

const (
	StepConfirm Step = "confirm"
	StepChoose  Step = "choose"
	StepRoots   Step = "roots"
)

// AnswerTime is how long a question waits for the user. A timeout is treated as a cancellation.
const AnswerTime = 2 * time.Minute

// maxRounds limits the stored rounds, including expired ones.
const maxRounds = 32

// OpenRound stores a round and returns its name, which can't be guessed.
func (s *Session) OpenRound(n Round) string {
	n.Expires = time.Now().Add(AnswerTime)
	name := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rounds) >= maxRounds {
		oldest := slices.MinFunc(slices.Collect(maps.Keys(s.rounds)), func(a, b string) int {
			return s.rounds[a].Expires.Compare(s.rounds[b].Expires)
		})
		delete(s.rounds, oldest)
	}
	s.rounds[name] = n
	return name
}

// CloseRound removes and returns the round with the given name. It returns the zero Round if tool has no such round.
func (s *Session) CloseRound(name, tool string) Round {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.rounds[name]
	if n.Tool != tool {
		return Round{}
	}
	delete(s.rounds, name)
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
