package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/jsonrpc"
	"searchmcp/engine/api"
)

// Times of a long call (docs/specification.md#confirmation).
const (
	patience      = 25 * time.Second       // a call without a progress token is answered by then
	afterAnswer   = 2 * time.Second        // a small project is done in this time, even if the person took long to answer
	progressEvery = 200 * time.Millisecond // at most 5 notifications a second
	heartbeat     = 5 * time.Second        // clients that count from the last notification hear from us within their 60 s
)

// progress sends the progress notifications of one call, if the client gave a token. The values only rise.
type progress struct {
	session *session
	token   json.RawMessage
	total   float64 // what value goes up to

	mu   sync.Mutex
	last float64
	sent time.Time
	text string
}

// progressTotal makes the values percents, where they are not counts of something.
const progressTotal = 100

func newProgress(ctx context.Context, s *session) *progress {
	token, _ := ctx.Value(tokenKey{}).(json.RawMessage)
	if string(token) == "null" {
		token = nil
	}
	return &progress{session: s, token: token, total: progressTotal, last: -1}
}

func (p *progress) wanted() bool { return len(p.token) > 0 }

// say reports a state that has no figure, such as waiting.
func (p *progress) say(text string) { p.report(0, text) }

// report sends value, of total, unless it is too soon, or nothing has changed and the heartbeat is not due. A value
// that does not rise is lifted a little: the protocol wants every notification to be higher than the one before.
func (p *progress) report(value float64, text string) {
	if !p.wanted() {
		return
	}
	const step = 0.01
	value = math.Round(value/step) * step
	now := time.Now()
	p.mu.Lock()
	since := now.Sub(p.sent)
	changed := value > p.last || text != p.text
	if p.last >= 0 && (since < progressEvery || (!changed && since < heartbeat)) {
		p.mu.Unlock()
		return
	}
	value = min(max(value, p.last+step, 0), p.total)
	if value <= p.last {
		p.mu.Unlock()
		return
	}
	p.last, p.sent, p.text = value, now, text
	p.mu.Unlock()
	params := map[string]any{"progressToken": p.token, "progress": value, "total": p.total, "message": text}
	p.session.trySend(jsonrpc.Notification(string(mcp.MethodNotificationProgress), params))
}

// percent places a job on one scale: scanning has no total, files take a tenth, vectors nearly all the rest.
func percent(p api.Progress) float64 {
	share := func(done, total int) float64 {
		if total <= 0 {
			return 0
		}
		return min(float64(done)/float64(total), 1)
	}
	switch p.Phase {
	case api.PhaseScanning:
		return 1
	case api.PhaseIndexing:
		return 2 + 10*share(p.FilesDone, p.FilesTotal)
	case api.PhaseEmbedding:
		return 12 + 86*share(p.ChunksDone, p.ChunksTotal)
	case api.PhaseFinishing:
		return 99
	default:
		return 0
	}
}

// describe says in words how far a job is.
func describe(p api.Progress) string {
	text := map[api.Phase]string{
		api.PhaseWaiting:   "Waiting for another job to finish",
		api.PhaseScanning:  fmt.Sprintf("Looking for files: %d so far", max(p.FilesTotal, p.FilesDone)),
		api.PhaseIndexing:  fmt.Sprintf("Reading files: %d of %d", p.FilesDone, p.FilesTotal),
		api.PhaseEmbedding: fmt.Sprintf("Learning meanings: %d of %d chunks", p.ChunksDone, p.ChunksTotal),
		api.PhaseFinishing: "Finishing",
	}[p.Phase]
	if p.Left > 0 {
		text += ", about " + length(p.Left) + " left"
	}
	return text
}

// outcome is how a job stands when its call is answered.
type outcome struct {
	status   string // success, indexing or cancelled
	stats    api.IndexStats
	progress *jobProgress
}

// The status words of tools that change something.
const (
	statusSuccess   = "success"
	statusIndexing  = "indexing"
	statusCancelled = "cancelled"
)

// jobProgress is a running job's figures within a result.
type jobProgress struct {
	Phase       string  `json:"phase"`
	Percent     float64 `json:"percent"`
	FilesDone   int     `json:"filesDone"`
	FilesTotal  int     `json:"filesTotal"`
	ChunksDone  int     `json:"chunksDone"`
	ChunksTotal int     `json:"chunksTotal"`
	TimeLeft    string  `json:"timeLeft,omitempty"`
	Message     string  `json:"message"`
}

func figures(p api.Progress) *jobProgress {
	f := &jobProgress{
		Phase: string(p.Phase), Percent: float64(int(percent(p)*10)) / 10, FilesDone: p.FilesDone, FilesTotal: p.FilesTotal,
		ChunksDone: p.ChunksDone, ChunksTotal: p.ChunksTotal, Message: describe(p),
	}
	if p.Left > 0 {
		f.TimeLeft = length(p.Left)
	}
	return f
}

// follow waits for a job as long as the client can be kept waiting: to the end if it gave a progress token, else until
// patience is over. The job goes on in any case, also if ctx ends.
func (c *call) follow(ctx context.Context, job api.Job) (outcome, error) {
	releaseSlot(ctx)
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	var over <-chan time.Time
	if !c.progress.wanted() {
		t := time.NewTimer(max(time.Until(c.started.Add(patience)), afterAnswer))
		defer t.Stop()
		over = t.C
	}
	for {
		select {
		case <-job.Done():
			return ended(job)
		case <-tick.C:
			p := job.Progress()
			c.progress.report(percent(p), describe(p))
		case <-over:
			p := job.Progress()
			return outcome{status: statusIndexing, progress: figures(p), stats: api.IndexStats{
				FilesIndexed: p.FilesDone, ChunksCreated: p.ChunksTotal, Duration: time.Since(p.Started)}}, nil
		case <-ctx.Done():
			return outcome{}, ctx.Err()
		}
	}
}

func ended(job api.Job) (outcome, error) {
	stats, err := job.Result()
	switch {
	case errors.Is(err, context.Canceled):
		return outcome{status: statusCancelled, stats: stats}, nil
	case err != nil:
		return outcome{}, fmt.Errorf("%s: %w", job.Progress().Action, err)
	}
	return outcome{status: statusSuccess, stats: stats}, nil
}
