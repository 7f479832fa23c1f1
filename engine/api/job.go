package api

import (
	"fmt"
	"io/fs"
	"time"
)

type Phase string

const (
	PhaseWaiting   Phase = "waiting"
	PhasePaused    Phase = "paused"
	PhaseScanning  Phase = "scanning"
	PhaseIndexing  Phase = "indexing" // files are added to the text index, which makes them searchable
	PhaseEmbedding Phase = "embedding"
	PhaseFinishing Phase = "finishing" // segments are merged, and the new generation replaces the old
)

type Progress struct {
	JobID       string        `json:"jobId"`
	Action      Action        `json:"action"`
	Phase       Phase         `json:"phase"`
	FilesDone   int           `json:"filesDone"`
	FilesTotal  int           `json:"filesTotal"`
	ChunksDone  int           `json:"chunksDone"` // chunks with a vector
	ChunksTotal int           `json:"chunksTotal"`
	FilesPerSec float64       `json:"filesPerSec"`
	Left        time.Duration `json:"left"` // estimated remaining time; 0 if unknown
	Started     time.Time     `json:"started"`
	Waiting     string        `json:"waiting,omitempty"` // why embedding waits, or WaitingForModel
	Reached     float64       `json:"reached,omitempty"` // highest percentage of the job so far
}

// Percent returns the progress of a job in percent. It never decreases, even after a pause or when files are added.
func (p Progress) Percent() float64 { return max(p.Reached, p.percent()) }

func (p Progress) percent() float64 {
	share := func(done, total int) float64 {
		if total <= 0 {
			return 0
		}
		return min(float64(done)/float64(total), 1)
	}
	switch p.Phase {
	case PhaseScanning:
		return 1
	case PhaseIndexing:
		return 2 + 10*share(p.FilesDone, p.FilesTotal)
	case PhaseEmbedding:
		return 12 + 86*share(p.ChunksDone, p.ChunksTotal)
	case PhaseFinishing:
		return 99
	default:
		return 0
	}
}

// Text describes the current step of a job.
func (p Progress) Text() string {
	if p.Phase == PhaseEmbedding && p.Waiting != "" {
		return p.Waiting
	}
	return map[Phase]string{
		PhaseWaiting:  "Waiting for another job to finish",
		PhasePaused:   "The user has paused indexing. It continues when they resume it",
		PhaseScanning: fmt.Sprintf("Looking for files: %s so far", Thousands(max(p.FilesTotal, p.FilesDone))),
		PhaseIndexing: fmt.Sprintf("Reading files: %s of %s", Thousands(p.FilesDone), Thousands(p.FilesTotal)),
		PhaseEmbedding: fmt.Sprintf("Search by meaning: %s of %s passages",
			Thousands(min(p.ChunksDone, p.ChunksTotal)), Thousands(p.ChunksTotal)),
		PhaseFinishing: "Finishing",
	}[p.Phase]
}

type Action string

// The user must confirm all actions except ActionUpdate.
const (
	ActionCreate  Action = "create_index"
	ActionReindex Action = "reindex_project"
	ActionDelete  Action = "delete_index"
	ActionUpdate  Action = "update"
)

type IndexStats struct {
	FilesIndexed  int
	ChunksCreated int
	Duration      time.Duration
}

type Question struct {
	ID      string `json:"id"`
	Action  Action `json:"action"`
	Project string `json:"project"`
	Name    string `json:"name"`
	Title   string `json:"title"` // a sentence that names the client and the action
	Text    string `json:"text"`  // the RFC's exact sentence, and facts about the project
	// Client is the name of an assistant, "the Search MCP window" or "the terminal".
	Client    string    `json:"client"`
	Process   string    `json:"process,omitempty"` // program of the client, as reported by the kernel
	Role      Role      `json:"role"`              // doesn't depend on the name in Client
	Preview   *Preview  `json:"preview,omitempty"`
	Asked     time.Time `json:"asked"`
	Expires   time.Time `json:"expires"`          // Asked + 2 minutes
	CanAlways bool      `json:"canAlways"`        // "always allow for this project" may be offered
	Twice     bool      `json:"twice"`            // the user is asked twice, because the root is too broad
	Others    []string  `json:"others,omitempty"` // clients with the same question; see MergeQuestions
}

type Role string

const (
	RoleAssistant Role = "assistant" // connected through the bridge or without stating a role
	RoleWindow    Role = "window"
	RoleTerminal  Role = "terminal"
)

type Answer string

const (
	Accept    Answer = "accept"
	Always    Answer = "always" // accept, and don't ask again when creating this project
	Decline   Answer = "decline"
	TimedOut  Answer = "timed_out"
	Withdrawn Answer = "withdrawn" // the client has disconnected
)

func (a Answer) Yes() bool { return a == Accept || a == Always }

// Approval is the user's consent to an action on Folder. The action fails if the folder has been replaced since.
type Approval struct {
	Answer
	Folder fs.FileInfo
}

// SettingLanguage is the setting with the code of the user's language, or "" for the system's.
const SettingLanguage = "language"

type EventKind string

const (
	EventProject  EventKind = "project"
	EventProgress EventKind = "progress" // at most 5 per second and project
	EventRemoved  EventKind = "removed"
	EventQuestion EventKind = "question"
	EventAnswered EventKind = "answered" // a question no longer needs an answer
	EventActivity EventKind = "activity"
	EventDocs     EventKind = "docs" // documents of a project were added, removed or changed
	EventSettings EventKind = "settings"
	EventProblem  EventKind = "problem"
)

type Event struct {
	Kind      EventKind `json:"kind"`
	Time      time.Time `json:"time"`
	ProjectID string    `json:"projectId,omitempty"`
	Project   *Project  `json:"project,omitempty"`
	Progress  *Progress `json:"progress,omitempty"`
	Question  *Question `json:"question,omitempty"`
	Answer    Answer    `json:"answer,omitempty"`
	Activity  *Activity `json:"activity,omitempty"`
	Message   string    `json:"message,omitempty"`
}

// Activity records a call of a tool. The record never leaves this computer.
type Activity struct {
	Time    time.Time     `json:"time"`
	Client  string        `json:"client"`
	Tool    string        `json:"tool"`
	Project string        `json:"project,omitempty"`
	Query   string        `json:"query,omitempty"`
	Results int           `json:"results"`
	Took    time.Duration `json:"took"`
	Error   string        `json:"error,omitempty"`
	Detail  string        `json:"detail,omitempty"` // text that was returned instead of results
	Allowed bool          `json:"allowed,omitempty"`
	Outcome Outcome       `json:"outcome,omitempty"` // "" for calls without a job

	Role Role `json:"role,omitempty"`

	Searched []string `json:"-"` // roots of all projects of the call

	Places []Lines `json:"places,omitempty"` // first results; paths begin with "project:" for several projects
}

const MostPlaces = 10

// Outcome is the state of a job at the end of a tool call.
type Outcome string

const (
	OutcomeDone    Outcome = "success"
	OutcomeGoesOn  Outcome = "indexing"
	OutcomeStopped Outcome = "cancelled"
)

// Usage counts searches. It does not contain queries.
type Usage struct {
	Days []UsageDay           `json:"days"`
	Last map[string]time.Time `json:"last"`
}

type UsageDay struct {
	Day      string         `json:"day"`                // 2006-01-02, in local time
	Searches map[string]int `json:"searches"`           // by client
	Projects map[string]int `json:"projects,omitempty"` // by root; a search counts for each of its projects
	Opened   int            `json:"opened,omitempty"`   // searches in the window whose results were opened
	Took     map[int]int    `json:"took"`               // searches by milliseconds, rounded to two digits
}

// Job is a running create_index or reindex_project. A job continues if its client disconnects.
type Job interface {
	ID() string
	Progress() Progress
	Done() <-chan struct{}
	Result() (IndexStats, error)
}
