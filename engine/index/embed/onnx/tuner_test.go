package onnx

import (
	"testing"
	"time"
)

// simulate runs n texts of 100 tokens, rate tokens a second at the tuner's number of threads, in calls of 32.
func simulate(tu *tuner, n int, rate func(threads int) float64) {
	now := time.Unix(0, 0)
	for i := range n {
		if i%32 == 0 {
			if i > 0 {
				tu.end(now)
			}
			now = now.Add(time.Hour) // a pause must not count
			tu.begin(now)
		}
		now = now.Add(time.Duration(float64(time.Second) * 100 / rate(tu.threads())))
		tu.record(100, now)
	}
	tu.end(now)
}

func TestTunerChooses(t *testing.T) {
	for _, c := range []struct {
		name       string
		candidates []int
		rate       func(int) float64
		want       int
	}{
		{"second thread of a core helps", []int{4, 8}, func(n int) float64 { return 5000 + 1000*float64(n) }, 8},
		{"it does not", []int{4, 8}, func(int) float64 { return 20000 }, 4},
		{"it hurts", []int{4, 8}, func(n int) float64 { return 80000 / float64(n) }, 4},
		{"3 % is not worth it", []int{4, 8}, func(n int) float64 { return 10000 + 75*float64(n-4) }, 4},
		{"nothing to choose", []int{2, 2}, func(int) float64 { return 1000 }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			tu := newTuner(c.candidates...)
			simulate(tu, 2000, c.rate)
			if got := tu.threads(); got != c.want {
				t.Errorf("%d threads, want %d; rates %v", got, c.want, tu.rates)
			}
			if len(tu.rates) != len(tu.candidates) {
				t.Errorf("undecided after 2,000 texts: rates %v", tu.rates)
			}
		})
	}
}

func TestTunerMeasuresRates(t *testing.T) {
	tu := newTuner(1, 2)
	simulate(tu, 2000, func(n int) float64 { return 3000 * float64(n) })
	for i, want := range []float64{3000, 6000} {
		if got := tu.rates[i]; got < 0.98*want || got > 1.02*want {
			t.Errorf("%d threads: %.0f tokens a second, want %.0f", i+1, got, want)
		}
	}
}

func TestThreadCandidates(t *testing.T) {
	c := threadCandidates()
	if len(c) == 0 || c[0] < 1 || c[len(c)-1] != maxThreads() {
		t.Errorf("candidates %v of at most %d", c, maxThreads())
	}
}
