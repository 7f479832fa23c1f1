package endpoint

import (
	"crypto/rand"
	"maps"
	"slices"
	"sync"
	"time"

	"searchmcp/engine/api"
)

// Times of a question.
const (
	answerTime = 2 * time.Minute  // no answer in this time is a cancel (docs/specification.md#confirmation)
	windowTime = 20 * time.Second // a window that has not come by then will not come
)

// gate holds the questions that wait for a person in a window. Each is answered once: by a person, by its time, or by
// the one who asked going away.
type gate struct {
	mu     sync.Mutex
	open   []*question
	views  int           // windows that see the questions
	viewed chan struct{} // closed while there is one
}

// question is an open question; answer receives exactly one value.
type question struct {
	api.Question
	session string
	answer  chan api.Answer
}

func newGate() *gate { return &gate{viewed: make(chan struct{})} }

// newID returns an unguessable name.
func newID() string { return rand.Text() }

// maxOpen bounds the questions of one session: a person who sees that many has an assistant in a loop.
const maxOpen = 16

// put opens a question; ok is false if the session has too many open.
func (g *gate) put(q api.Question, session string) (open *question, ok bool) {
	open = &question{Question: q, session: session, answer: make(chan api.Answer, 1)}
	g.mu.Lock()
	defer g.mu.Unlock()
	own := 0
	for _, other := range g.open {
		if other.session == session {
			own++
		}
	}
	if own >= maxOpen {
		return nil, false
	}
	g.open = append(g.open, open)
	return open, true
}

// settle answers a question and takes it off the list, together with its twins: the same question, asked twice by one
// session. It returns what was settled, nothing if the question is not open.
func (g *gate) settle(id string, a api.Answer) []*question {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := slices.IndexFunc(g.open, func(q *question) bool { return q.ID == id })
	if at < 0 {
		return nil
	}
	asked := g.open[at]
	person := a.Yes() || a == api.Decline
	var settled, left []*question
	for _, q := range g.open {
		twin := person && q.session == asked.session && q.Action == asked.Action && q.Project == asked.Project
		if q == asked || twin {
			q.answer <- a
			settled = append(settled, q)
		} else {
			left = append(left, q)
		}
	}
	g.open = left
	return settled
}

// list returns the open questions, oldest first.
func (g *gate) list() []api.Question {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := make([]api.Question, len(g.open))
	for i, q := range g.open {
		list[i] = q.Question
	}
	return list
}

// watched counts the windows that see the questions: +1 for one that comes, -1 for one that goes.
func (g *gate) watched(by int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	before := g.views
	g.views += by
	switch {
	case before == 0 && g.views > 0:
		close(g.viewed)
	case before > 0 && g.views == 0:
		g.viewed = make(chan struct{})
	}
}

// viewer returns a channel that is closed once a window sees the questions.
func (g *gate) viewer() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.viewed
}

// answer settles a question by a person's word.
func (s *Server) answer(id string, a api.Answer) error {
	settled := s.gate.settle(id, a)
	if settled == nil {
		return api.New(api.FileNotFound, "This question is not open any more.", "no open question has this id", nil)
	}
	s.announce(settled, a)
	return nil
}

// withdraw settles a question without a person.
func (s *Server) withdraw(id string, a api.Answer) { s.announce(s.gate.settle(id, a), a) }

func (s *Server) announce(settled []*question, a api.Answer) {
	for _, q := range settled {
		s.log.Info("question settled", "action", q.Action, "project", q.Project, "asker", q.Asker, "answer", a)
		s.publish(api.Event{Kind: api.EventAnswered, Question: &q.Question, Answer: a})
	}
}

// round is a question that a client of the stateless protocol (2026-07-28) carries to its person: the call ends with
// «input required» and comes again with the answer. The name of the round goes through the client, everything else
// stays here, so that an answer fits only the question it was given to.
type round struct {
	session string
	tool    string
	step    step
	root    string
	action  api.Action
	twice   bool // a second question follows
	always  bool // what the first one was answered with
	expires time.Time
}

// step is what a round asks for.
type step string

const (
	stepConfirm step = "confirm" // go ahead?
	stepAgain   step = "again"   // really, for a root as broad as this?
	stepChoose  step = "choose"  // which folder?
	stepRoots   step = "roots"   // the client's roots
)

// rounds are the open rounds.
type rounds struct {
	mu   sync.Mutex
	open map[string]round
}

const (
	maxRounds  = 32               // of one session; its oldest make room
	keepRounds = 10 * time.Minute // an answer that comes too late is told so
)

func newRounds() *rounds { return &rounds{open: map[string]round{}} }

// put opens a round and returns its name.
func (r *rounds) put(n round) string {
	now := time.Now()
	n.expires = now.Add(answerTime)
	id := newID()
	r.mu.Lock()
	defer r.mu.Unlock()
	own, oldest := 0, ""
	for name, old := range r.open {
		switch {
		case now.Sub(old.expires) > keepRounds:
			delete(r.open, name)
		case old.session == n.session:
			if own++; oldest == "" || old.expires.Before(r.open[oldest].expires) {
				oldest = name
			}
		}
	}
	if own >= maxRounds {
		delete(r.open, oldest)
	}
	r.open[id] = n
	return id
}

// forget ends the rounds of a session that has gone.
func (r *rounds) forget(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.open, func(_ string, n round) bool { return n.session == session })
}

// take ends a round; ok is false if there is none of that name for this session and tool.
func (r *rounds) take(id, session, tool string) (n round, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, ok = r.open[id]
	if !ok || n.session != session || n.tool != tool {
		return round{}, false
	}
	delete(r.open, id)
	return n, true
}
