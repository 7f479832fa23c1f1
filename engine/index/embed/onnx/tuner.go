package onnx

import (
	"slices"
	"sync"
	"time"
)

const (
	// A candidate is judged over at least this much work, long enough to average over texts of different length
	// (a text takes about 10 ms) and over what else the machine is doing.
	windowTexts = 96
	windowTime  = 2 * time.Second
	// goodEnough: of two candidates within 5 % the one with fewer threads wins; the person needs cores, too.
	goodEnough = 0.95
)

// tuner finds the number of threads on the machine at hand, from the work that is to be done anyway. Whether the second
// thread of a core, or a small core beside big ones, helps is not to be read off a processor's name.
type tuner struct {
	mu         sync.Mutex
	candidates []int     // ascending
	rates      []float64 // tokens a second, of the candidates measured so far
	calls      int       // of Texts under way
	since      time.Time // when calls or the candidate last became what it is; valid while calls > 0
	worked     time.Duration
	texts      int // in the window; negative while texts started under the previous candidate finish
	tokens     int
}

func newTuner(candidates ...int) *tuner {
	slices.Sort(candidates)
	t := &tuner{candidates: slices.Compact(candidates)}
	if len(t.candidates) == 1 {
		t.rates = []float64{0} // nothing to choose
	}
	return t
}

// threads returns what to use now: the candidate being measured or the one chosen.
func (t *tuner) threads() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.current()
}

func (t *tuner) current() int {
	if n := len(t.rates); n < len(t.candidates) {
		return t.candidates[n]
	}
	best := slices.Max(t.rates)
	for i, r := range t.rates {
		if r >= goodEnough*best {
			return t.candidates[i]
		}
	}
	return t.candidates[0]
}

// begin and end enclose a call of Texts: only time with work to do counts.
func (t *tuner) begin(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.calls++; t.calls == 1 {
		t.since = now
	}
}

func (t *tuner) end(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.calls--; t.calls == 0 {
		t.worked += now.Sub(t.since)
	}
}

// restart drops the running window, measured under a number of threads that was not the candidate's.
func (t *tuner) restart(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open(now, -2*t.current())
}

// open starts a window that leaves the first -texts texts out.
func (t *tuner) open(now time.Time, texts int) {
	t.since, t.worked, t.texts, t.tokens = now, 0, texts, 0
}

// record notes a finished text and reports whether threads has another answer now.
func (t *tuner) record(tokens int, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.rates) == len(t.candidates) {
		return false
	}
	t.texts++
	if t.texts <= 0 {
		if t.texts == 0 {
			t.open(now, 0)
		}
		return false
	}
	t.tokens += tokens
	took := t.worked + now.Sub(t.since)
	if t.texts < windowTexts || took < windowTime {
		return false
	}
	before := t.current()
	t.rates = append(t.rates, float64(t.tokens)/took.Seconds())
	t.open(now, -2*before)
	return t.current() != before
}
