package confirm

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"searchmcp/app/endpoint/session"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

const windowTime = 20 * time.Second

const maxOpen = 16

type Options struct {
	Log     *slog.Logger
	Publish func(api.Event)
	Windows func() []*session.Session
	Desktop func() bool
	// ShowWindow opens a window. The channel is closed when the window has exited or failed to start.
	ShowWindow func(wire.Show) <-chan struct{}
}

// Questions contains the open questions. Each question gets exactly one answer.
type Questions struct {
	o Options

	mu      sync.Mutex
	open    []*pending
	views   int
	running int
	changed chan struct{} // closed and replaced when a window connects or disconnects
	shown   time.Time
	dialogs map[*dialog]struct{}
	// refused counts the consecutive refusals of an action on a project.
	refused map[subject]int
}

type subject struct {
	action api.Action
	root   string
}

const maxRefusals = 3

// count records an answer. A yes also answers the other open questions about the same action and project.
func (q *Questions) count(action api.Action, root string, a api.Answer) {
	about, twin := subject{action, root}, ""
	q.mu.Lock()
	switch {
	case a.Yes():
		delete(q.refused, about)
		for d := range q.dialogs {
			if d.about == about {
				d.close(&joined{a})
			}
		}
		if at := slices.IndexFunc(q.open, func(p *pending) bool { return p.Action == action && p.Project == root }); at >= 0 {
			twin = q.open[at].ID
		}
	case a == api.Decline:
		q.refused[about]++
	}
	q.mu.Unlock()
	if twin != "" {
		q.withdraw(twin, a)
	}
}

type dialog struct {
	about subject
	close context.CancelCauseFunc
}

type joined struct{ answer api.Answer }

func (j *joined) Error() string { return "the user has already answered this question elsewhere" }

// openDialog registers a client's dialog until done is called. An answer given elsewhere ends the
// returned context.
func (q *Questions) openDialog(ctx context.Context, about subject) (_ context.Context, done func()) {
	ctx, end := context.WithCancelCause(ctx)
	d := &dialog{about, end}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.dialogs[d] = struct{}{}
	return ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.dialogs, d)
		end(nil)
	}
}

func (q *Questions) forgive() {
	q.mu.Lock()
	defer q.mu.Unlock()
	clear(q.refused)
}

func (q *Questions) refusedOften(action api.Action, root string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.refused[subject{action, root}] >= maxRefusals
}

// pending is an open question. Its channel answer receives exactly one value.
type pending struct {
	api.Question
	session *session.Session
	answer  chan api.Answer
}

func New(o Options) *Questions {
	return &Questions{o: o, changed: make(chan struct{}), refused: map[subject]int{}, dialogs: map[*dialog]struct{}{}}
}

func (q *Questions) put(question api.Question, from *session.Session) (open *pending, ok bool) {
	open = &pending{Question: question, session: from, answer: make(chan api.Answer, 1)}
	q.mu.Lock()
	defer q.mu.Unlock()
	own := 0
	for _, other := range q.open {
		if other.session == from {
			own++
		}
	}
	if own >= maxOpen {
		return nil, false
	}
	q.open = append(q.open, open)
	return open, true
}

// settle answers the question with the given id, and all questions about the same action and project. It returns the
// answered questions.
func (q *Questions) settle(id string, a api.Answer) []*pending {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.IndexFunc(q.open, func(p *pending) bool { return p.ID == id })
	if at < 0 {
		return nil
	}
	asked := q.open[at]
	byUser := a.Yes() || a == api.Decline
	var settled, left []*pending
	for _, p := range q.open {
		twin := byUser && p.Action == asked.Action && p.Project == asked.Project
		if p == asked || twin {
			p.answer <- a
			settled = append(settled, p)
		} else {
			left = append(left, p)
		}
	}
	q.open = left
	return settled
}

func (q *Questions) List() []api.Question {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := make([]api.Question, len(q.open))
	for i, p := range q.open {
		list[i] = p.Question
	}
	return list
}

func (q *Questions) Answer(id string, a api.Answer, by api.Role) error {
	settled := q.settle(id, a)
	if settled == nil {
		return api.New(api.FileNotFound, "This question is no longer open.", "no open question has this id", nil)
	}
	q.count(settled[0].Action, settled[0].Project, a)
	q.announce(settled, a, by)
	return nil
}

func (q *Questions) withdraw(id string, a api.Answer) { q.announce(q.settle(id, a), a, "") }

func (q *Questions) announce(settled []*pending, a api.Answer, by api.Role) {
	for _, p := range settled {
		q.o.Log.Info("question settled", "action", p.Action, "project", p.Project, "client", p.Client, "process",
			p.Process, "role", p.Role,
			"answer", a, "answered_by", by)
		q.o.Publish(api.Event{Kind: api.EventAnswered, Question: &p.Question, Answer: a})
	}
}

// Watched adds delta to the number of windows that show questions.
func (q *Questions) Watched(delta int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.views += delta
	if delta > 0 && q.views == delta && time.Since(q.shown) > windowTime { // the user opened this window
		clear(q.refused)
	}
	q.change()
}

// change wakes the callers that wait for a window. The caller must hold q.mu.
func (q *Questions) change() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// window reports whether a window shows the questions, and whether a window is open or starting. changed is closed when
// a window connects or disconnects.
func (q *Questions) window() (seen, coming bool, changed <-chan struct{}) {
	q.mu.Lock()
	seen, coming, changed = q.views > 0, q.running > 0, q.changed
	q.mu.Unlock()
	return seen, coming || len(q.o.Windows()) > 0, changed
}

func (q *Questions) windowPossible() bool { return q.o.Desktop() || len(q.o.Windows()) > 0 }

func (q *Questions) openWindow() {
	if len(q.o.Windows()) > 0 {
		return
	}
	now := time.Now()
	q.mu.Lock()
	starting := q.running > 0 && now.Sub(q.shown) < windowTime/2
	if !starting {
		q.shown = now
	}
	q.mu.Unlock()
	if !starting {
		q.start(wire.Show{Page: wire.PageQuestion})
	}
}

func (q *Questions) start(show wire.Show) {
	ended := q.o.ShowWindow(show)
	q.mu.Lock()
	q.running++
	q.mu.Unlock()
	go func() {
		<-ended
		q.mu.Lock()
		defer q.mu.Unlock()
		q.running--
		q.change()
	}()
}

func (q *Questions) Show(p wire.Show) error {
	q.forgive()
	if windows := q.o.Windows(); len(windows) > 0 {
		return windows[0].Notify(wire.NotifyShow, p)
	}
	if !q.o.Desktop() {
		return api.New(api.PermissionDenied, "There is no desktop session to open a window in.", "no desktop session", nil)
	}
	q.start(p)
	return nil
}
