package session

import (
	"context"
	"encoding/json"
	"math"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// Times of progress notifications.
const (
	ProgressEvery = 200 * time.Millisecond // at most 5 notifications a second
	heartbeat     = 5 * time.Second        // clients that count from the last notification hear from us within their 60 s
)

// Progress sends the progress notifications of one call, if the client gave a token. The values only rise.
type Progress struct {
	session *Session
	token   json.RawMessage
	total   float64 // what value goes up to

	mu   sync.Mutex
	last float64
	sent time.Time
	text string
}

// Percents makes the values percents, where they are not counts of something.
const Percents = 100

// NewProgress is for the request in ctx; values go up to 100 unless Of says otherwise.
func NewProgress(ctx context.Context, s *Session) *Progress {
	token, _ := ctx.Value(tokenKey{}).(json.RawMessage)
	if string(token) == "null" {
		token = nil
	}
	return &Progress{session: s, token: token, total: Percents, last: -1}
}

// Wanted reports whether the client gave a token.
func (p *Progress) Wanted() bool { return len(p.token) > 0 }

// Of makes the values counts, of a total.
func (p *Progress) Of(total float64) { p.total = total }

// Say reports a state that has no figure, such as waiting.
func (p *Progress) Say(text string) { p.Report(0, text) }

// Report sends value, of total, unless it is too soon, or nothing has changed and the heartbeat is not due. A value
// that does not rise is lifted a little: the protocol wants every notification to be higher than the one before.
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
