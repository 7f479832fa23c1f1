package onnx

import (
	"slices"
	"sync"
	"time"
)

const (
	// A candidate is measured over at least this much work, which averages over texts of different length (a text
	// takes about 10 ms) and over other load.
	windowTexts = 96
	windowTime  = 2 * time.Second
	// goodEnough makes the tuner choose the candidate with fewer threads if it is within 5 % of the other, which leaves
	// cores to the user.
	goodEnough = 0.95
)

// tuner finds the best number of threads by measuring the actual work. A processor's name does not show whether a
// second thread of a core, or a small core, helps.
type tuner struct {
	mu         sync.Mutex
	candidates []int     // ascending
	rates      []float64 // tokens a second, of the candidates measured so far
	calls      int       // running calls of Texts
	since      time.Time // time of the last change of calls or candidate; valid while calls > 0
	worked     time.Duration
	texts      int // in the window; negative while texts of the previous candidate finish
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

// threads returns the current number of threads, which is the candidate being measured or the chosen candidate.
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

// begin and end enclose a call of Texts, because only time with work counts.
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

// restart drops the current window, because the number of threads differed from the candidate's.
func (t *tuner) restart(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open(now, -2*t.current())
}

// open starts a window that skips the first -texts texts.
func (t *tuner) open(now time.Time, texts int) {
	t.since, t.worked, t.texts, t.tokens = now, 0, texts, 0
}

// record records a finished text and reports whether the result of threads has changed.
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
