package session

import (
	"context"
	"encoding/json"
	"math"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// Intervals of progress notifications.
const (
	ProgressEvery = 200 * time.Millisecond // at most 5 notifications per second
	heartbeat     = 5 * time.Second        // notifications restart the 60 s timeout of some clients
)

// Progress sends progress notifications of one call, if the client gave a token. The values only rise.
type Progress struct {
	session *Session
	token   json.RawMessage
	total   float64 // maximum of the reported value

	mu   sync.Mutex
	last float64
	sent time.Time
	text string
}

const Percents = 100

// NewProgress returns the Progress of the request in ctx, with a total of 100.
func NewProgress(ctx context.Context, s *Session) *Progress {
	token := requestOf(ctx).Meta.ProgressToken
	if string(token) == "null" {
		token = nil
	}
	return &Progress{session: s, token: token, total: Percents, last: -1}
}

func (p *Progress) Wanted() bool { return len(p.token) > 0 }

func (p *Progress) Of(total float64) { p.total = total }

// Announce sends text without progress, for example that the call waits.
func (p *Progress) Announce(text string) { p.Report(0, text) }

// Report sends value and text unless the last notification was too recent. If neither has changed, it sends only a
// heartbeat, with a slightly raised value, because the protocol requires rising values.
func (p *Progress) Report(value float64, text string) {
	if !p.Wanted() {
		return
	}
	const step = 0.01
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
