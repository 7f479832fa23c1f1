package api

import "time"

// Phase is a part of an indexing job.
type Phase string

// The phases, in order.
const (
	PhaseWaiting   Phase = "waiting"   // queued behind another job
	PhasePaused    Phase = "paused"    // until a person resumes
	PhaseScanning  Phase = "scanning"  // walking the folder
	PhaseIndexing  Phase = "indexing"  // files into the text index; they are searchable from here on
	PhaseEmbedding Phase = "embedding" // vectors
	PhaseFinishing Phase = "finishing" // fold, switch of generation
)

// Progress is how far a job is.
type Progress struct {
	JobID       string        `json:"jobId"`
	Action      Action        `json:"action"`
	Phase       Phase         `json:"phase"`
	FilesDone   int           `json:"filesDone"`
	FilesTotal  int           `json:"filesTotal"`
	ChunksDone  int           `json:"chunksDone"` // chunks with a vector
	ChunksTotal int           `json:"chunksTotal"`
	FilesPerSec float64       `json:"filesPerSec"`
	Left        time.Duration `json:"left"` // estimate; 0 when unknown
	Started     time.Time     `json:"started"`
	CurrentFile string        `json:"currentFile,omitempty"`
	Waiting     string        `json:"waiting,omitempty"` // what vectors wait for, while that is the model
}

// Action is what a job or a question is about.
type Action string

// The actions. The first three ask a person (docs/specification.md#confirmation).
const (
	ActionCreate  Action = "create_index"
	ActionReindex Action = "reindex_project"
	ActionDelete  Action = "delete_index"
	ActionUpdate  Action = "update" // watcher, integrity, reindex_file
)

// IndexStats is what a finished create or reindex reports (RFC 4.1, 4.5).
type IndexStats struct {
	FilesIndexed  int
	ChunksCreated int
	Duration      time.Duration
}

// Question is what a person is asked before a create, reindex or delete.
type Question struct {
	ID      string `json:"id"`
	Action  Action `json:"action"`
	Project string `json:"project"` // root path
	Name    string `json:"name"`
	Title   string `json:"title"` // one sentence: who wants what
	Text    string `json:"text"`  // the RFC's own sentence, word for word, and the facts
	// what an assistant calls itself, "the Search MCP window" or "the terminal"
	Asker     string    `json:"asker"`
	Process   string    `json:"process,omitempty"` // program and process of the asker as the kernel knows them
	Role      Role      `json:"role"`              // of the asker; what an assistant calls itself says nothing about it
	Preview   *Preview  `json:"preview,omitempty"`
	Asked     time.Time `json:"asked"`
	Expires   time.Time `json:"expires"`          // Asked + 2 minutes
	CanAlways bool      `json:"canAlways"`        // «always allow for this project» may be offered
	Twice     bool      `json:"twice"`            // a broad root: ask a second time
	Others    []string  `json:"others,omitempty"` // who asks the same besides Asker; see OneEach
}

// Role is on whose behalf something is asked or answered.
type Role string

// The roles. All but the first are a person's own programs.
const (
	RoleAssistant Role = "assistant" // through the bridge, or on a connection that does not say what it is
	RoleWindow    Role = "window"
	RoleTerminal  Role = "terminal"
)

// Answer is what a person said.
type Answer string

// The answers to a question.
const (
	Accept    Answer = "accept"
	Always    Answer = "always" // accept, and do not ask again for creating this project
	Decline   Answer = "decline"
	TimedOut  Answer = "timed_out"
	Withdrawn Answer = "withdrawn" // the one who asked has gone
)

// Yes reports whether a person has agreed, to this once or for good.
func (a Answer) Yes() bool { return a == Accept || a == Always }

// EventKind names an Event.
type EventKind string

// The events of the hub.
const (
	EventProject  EventKind = "project"  // a project's snapshot changed
	EventProgress EventKind = "progress" // at most 5 a second and project
	EventRemoved  EventKind = "removed"  // a project is gone
	EventQuestion EventKind = "question" // a question was put
	EventAnswered EventKind = "answered" // a question needs no answer any more
	EventActivity EventKind = "activity" // a call was served
	EventDocs     EventKind = "docs"     // documents of a project appeared, went or changed
	EventSettings EventKind = "settings"
	EventProblem  EventKind = "problem"
)

// Event is one thing that happened, for window, terminal and sessions.
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

// Activity is one served call, kept on this machine only.
type Activity struct {
	Time    time.Time     `json:"time"`
	Client  string        `json:"client"`
	Tool    string        `json:"tool"`
	Project string        `json:"project,omitempty"`
	Query   string        `json:"query,omitempty"`
	Results int           `json:"results"`
	Took    time.Duration `json:"took"`
	Error   string        `json:"error,omitempty"`
	Detail  string        `json:"detail,omitempty"` // what the caller was answered in place of a result

	Role Role `json:"role,omitempty"` // of who called

	Places []Lines `json:"places,omitempty"` // the first results, behind a project's name and : where there are several
}

// MostPlaces is how many results' places are noted of a call.
const MostPlaces = 10

// Usage counts searches by day and says when each assistant called last. It has no questions.
type Usage struct {
	Days []UsageDay           `json:"days"` // those with a search, the oldest first
	Last map[string]time.Time `json:"last"` // by client
}

// UsageDay counts the searches of a day.
type UsageDay struct {
	Day      string         `json:"day"`                // 2006-01-02, where the computer is
	Searches map[string]int `json:"searches"`           // by client
	Projects map[string]int `json:"projects,omitempty"` // by root, where one project was searched
	Opened   int            `json:"opened,omitempty"`   // searches of the window whose result was opened
	Took     map[int]int    `json:"took"`               // by milliseconds, rounded to two digits
}

// Job is a running or finished create or reindex. It belongs to the app: it goes on when the caller goes.
type Job interface {
	// ID names the job in cancel requests and progress.
	ID() string
	// Progress is a snapshot.
	Progress() Progress
	// Done is closed when the job has ended, well or not.
	Done() <-chan struct{}
	// Result is valid after Done.
	Result() (IndexStats, error)
}
