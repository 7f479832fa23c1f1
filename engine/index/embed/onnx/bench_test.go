//go:build unix

package onnx

import (
	"encoding/json"
	"flag"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/machine"
	"searchmcp/engine/index/embed"
)

// textsFlag names a file with a JSON array of texts for BenchmarkTexts.
var textsFlag = flag.String("texts", "", "file with the texts to embed")

type meter struct {
	start time.Time
	cpu   time.Duration
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func startMeter() meter { return meter{time.Now(), cpuTime()} }

func (m meter) stop() (wall, cpu float64) {
	return time.Since(m.start).Seconds(), (cpuTime() - m.cpu).Seconds()
}

// BenchmarkTexts alternates Texts with ONNX Runtime alone: concurrent runs of the session with the same token ids, from
// as many threads of the same priority. It reports ratios of processor time and of wall time, medians over the rounds.
func BenchmarkTexts(b *testing.B) {
	if *textsFlag == "" {
		b.Skip("-texts names no file")
	}
	data, err := os.ReadFile(*textsFlag)
	must(b, err)
	var texts []string
	must(b, json.Unmarshal(data, &texts))
	e := open(b, Options{})
	if _, err := e.Query(b.Context(), question); err != nil {
		b.Fatal(err)
	}
	bare, tokens := newBareRun(b, e, texts)
	var wall, cpu, alone, wallRatio, cpuRatio []float64
	for b.Loop() {
		m := startMeter()
		bare.run(b)
		bareWall, bareCPU := m.stop()
		m = startMeter()
		must(b, e.Texts(b.Context(), texts, func(int, api.Vector) {}))
		w, c := m.stop()
		wall, cpu, alone = append(wall, w), append(cpu, c), append(alone, bareWall)
		wallRatio, cpuRatio = append(wallRatio, bareWall/w), append(cpuRatio, bareCPU/c)
	}
	n := float64(len(texts))
	b.ReportMetric(n/median(wall), "texts/s")
	b.ReportMetric(n/median(cpu), "texts/cpu-s")
	b.ReportMetric(n/median(alone), "bare-texts/s")
	b.ReportMetric(float64(tokens)/median(wall), "tokens/s")
	b.ReportMetric(float64(tokens)/median(cpu), "tokens/cpu-s")
	b.ReportMetric(float64(tokens)/n, "tokens/text")
	b.ReportMetric(100*median(wallRatio), "%bare-wall")
	b.ReportMetric(100*median(cpuRatio), "%bare-cpu")
}

type bareRun struct {
	session *session
	ids     [][]int32
}

func newBareRun(b *testing.B, e *Embedder, texts []string) (*bareRun, int) {
	r := &bareRun{session: e.session}
	runner, err := r.session.borrow()
	must(b, err)
	defer runner.close()
	tokens := 0
	for _, s := range texts {
		ids := runner.encode(nil, s, embed.TextTokens)
		r.ids = append(r.ids, ids)
		tokens += len(ids)
	}
	return r, tokens
}

func (r *bareRun) run(b *testing.B) {
	var wg sync.WaitGroup
	work := make(chan []int32, len(r.ids))
	for _, ids := range r.ids {
		work <- ids
	}
	close(work)
	for range maxThreads() {
		wg.Go(func() {
			runtime.LockOSThread()
			if err := machine.LowerPriority(); err != nil {
				b.Error(err)
			}
			runner, err := newRunner(r.session.vocab)
			if err != nil {
				b.Error(err)
				return
			}
			defer runner.close()
			for ids := range work {
				if _, err := runner.run(r.session.native, copy(runner.ids[:embed.MaxTokens], ids)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

const question = "where do we retry a failed request with back-off"

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}
