package session

import (
	"context"
	"encoding/json"
	"math"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	ProgressEvery = 200 * time.Millisecond
	heartbeat     = 5 * time.Second // some clients time out after 60 s
)

// Progress sends the progress of a call to the client, if the request has a progress token.
type Progress struct {
	session *Session
	token   json.RawMessage
	total   float64

	mu   sync.Mutex
	last float64
	sent time.Time
	text string
}

const Percents = 100

func NewProgress(ctx context.Context, s *Session) *Progress {
	token := requestOf(ctx).Meta.ProgressToken
	if string(token) == "null" {
		token = nil
	}
	return &Progress{session: s, token: token, total: Percents, last: -1}
}

func (p *Progress) Wanted() bool { return len(p.token) > 0 }

func (p *Progress) SetTotal(total float64) { p.total = total }

func (p *Progress) Announce(text string) { p.Report(0, text) }

// Report sends a notification if the last one is old enough. The protocol requires increasing values, so Report
// increases a repeated value slightly.
func (p *Progress) Report(value float64, text string) {
	if !p.Wanted() {
		return
	}
	const step = 1e-6 // small, because a job of hours repeats values thousands of times
	value = math.Round(value/step) * step
	now := time.Now()
	p.mu.Lock()
	since := now.Sub(p.sent)
	changed := value > p.last || text != p.text
	if p.last >= 0 && (since < ProgressEvery || (!changed && since < heartbeat)) {
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
	p.session.TryNotify(string(mcp.MethodNotificationProgress), params)
}
