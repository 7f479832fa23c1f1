package engine

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/host/worker/workertest"
	"searchmcp/engine/project"
	"searchmcp/engine/settings"
	"searchmcp/engine/store"
	"searchmcp/engine/store/files"
)

// The random tests print their seed, which is taken from the clock.
//
//	go test ./engine -run Truth -seed N          the same operations again
//	go test ./engine -run Truth -truth 1h        one seed after the other for an hour
var (
	seedFlag  = flag.Uint64("seed", 0, "seed of the random tests; 0: a new one")
	truthFlag = flag.Duration("truth", 0, "how long each random test runs; 0: a few bursts")
)

type hashModel struct{}

func (hashModel) Texts(ctx context.Context, texts []string, each func(int, api.Vector)) error {
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		each(i, hashVector(t))
	}
	return nil
}

func (hashModel) Query(_ context.Context, text string) (api.Vector, error) {
	return hashVector(text), nil
}
func (hashModel) ModelHash() string        { return "hash" }
func (hashModel) Input(c api.Chunk) string { return c.Path + "\n" + c.Text }
func (hashModel) Loaded() bool             { return true }
func (hashModel) SetThreads(int)           {}
func (hashModel) Close() error             { return nil }

func hashVector(text string) (v api.Vector) {
	sum := sha256.Sum256([]byte(text))
	r := rand.New(rand.NewChaCha8(sum))
	var square float64
	for i := range v {
		v[i] = float32(r.NormFloat64())
		square += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(square))
	}
	return v
}

type row struct {
	Path   string
	Corpus api.Corpus
	Hash   string
	Chunks string
}

func rowsOfIndex(ctx context.Context, s *store.Store) (rows []row, without []string, err error) {
	for _, corpus := range api.Corpora {
		err := s.Export(ctx, corpus, func(f store.Exported) error {
			ids := make([]string, len(f.Chunks))
			for i, c := range f.Chunks {
				ids[i] = c.ID
			}
			slices.Sort(ids)
			rows = append(rows, row{f.Path, corpus, f.Hash, strings.Join(ids, " ")})
			if f.Vectors != len(f.Chunks) {
				without = append(without, f.Path)
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.Path, b.Path) })
	return rows, without, nil
}

// patience allows for the race detector on a machine with twenty other processes.
const patience = 8 * time.Minute

// becomesTrue waits until the index, its vectors and the state equal the files.
func becomesTrue(t *testing.T, e *Engine, root string) time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	events := e.Subscribe(ctx)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	began := time.Now()
	var problem string
	for {
		p := e.Find(root)
		if p == nil {
			t.Fatalf("the project is not open: %+v", e.Projects())
		}
		cfg, _, _ := files.LoadConfig(p.Dir(), e.Config(""), nil) // the project's own file, if any
		want := filesOfDisk(t, p.Snapshot().Roots, cfg)
		got, without, err := rowsOfIndex(t.Context(), p.Actor().Store())
		snap := p.Snapshot()
		untrue := ""
		if err == nil {
			untrue, err = untruth(t.Context(), p.Actor().Store(), got, want)
		}
		switch {
		case err != nil:
			problem = err.Error()
		case untrue != "":
			problem = fmt.Sprintf("%s, %v, %q; the index differs from the files:%s", snap.State, snap.Problem,
				snap.WatcherNote, untrue)
		case len(without) > 0 && !e.settings.On(settings.Light):
			problem = fmt.Sprintf("without all vectors: %q", without)
		case snap.State != api.StateReady || snap.Pending != 0 || snap.Files != len(want) || snap.Vectors != snap.Chunks:
			problem = fmt.Sprintf(
				"the rows are right, the state is not: %s, %d pending, %d of %d files, %d vectors of %d chunks, %v",
				snap.State, snap.Pending, snap.Files, len(want), snap.Vectors, snap.Chunks, snap.Problem)
		case !e.settings.On(settings.Light) && p.Actor().Store().Stats().Static > 0:
			problem = fmt.Sprintf("%d static vectors are left", p.Actor().Store().Stats().Static)
		default:
			report, err := p.Actor().Store().Check(t.Context())
			if e.settings.On(settings.Light) { // the model's table is not written with this setting
				for name, c := range report.Corpora {
					c.OrphanVectors = 0
					report.Corpora[name] = c
				}
			}
			if err == nil && report.Clean() {
				return time.Since(began)
			}
			problem = fmt.Sprintf("the stores disagree: %+v, %v", report, err)
		}
		select {
		case <-tick.C:
		case <-events:
		case <-ctx.Done():
			t.Fatalf("not true after %s: %s", patience, problem)
		}
	}
}

func newSeed(t *testing.T) uint64 {
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64() >> 32 // short enough to type
	}
	t.Logf("replay with -seed %d", seed)
	return seed
}

// everySeed runs f once, or with one seed after another for the time of -truth.
func everySeed(t *testing.T, f func(t *testing.T, seed uint64)) {
	began := time.Now()
	for runs := 1; ; runs++ {
		t.Run("", func(t *testing.T) { f(t, newSeed(t)) })
		if t.Failed() || time.Since(began) >= *truthFlag {
			t.Logf("%d runs", runs)
			return
		}
	}
}

var configs = []string{
	`{}`,
	`{"indexingStrategy": "lazy", "lazyIdleThreshold": 1}`,
	`{"exclude": ["src/**"], "respectGitignore": false}`,
	`{"include": ["**/*.go", "docs/**"]}`,
	`{"docPatterns": ["**/*.txt", "src/**"], "maxFileSize": "2MB"}`,
	`{"indexDocs": false}`,
	`{"exclude": ["**/deep/**"], "maxFiles": 3} // with a comment`,
}

// The index must equal the files after each burst, and in the end an index built from scratch.
func TestTruth(t *testing.T) { everySeed(t, testTruth) }

func testTruth(t *testing.T, seed uint64) {
	s := newScene(t, seed)
	data := t.TempDir()
	e := openFast(t, data)
	create(t, e, s.root)
	becomesTrue(t, e, s.root)
	var worst time.Duration
	bursts := 8
	for burst := range bursts {
		away := s.rng.IntN(4) == 0
		if away {
			closeEngine(t, e)
		}
		paused := !away && s.rng.IntN(5) == 0
		if paused {
			s.log("paused")
			must(t, e.Pause(""))
		}
		s.burst(1 + s.rng.IntN(40))
		if s.rng.IntN(3) == 0 {
			config := pick(s, configs)
			s.log("config %s", config)
			write(t, filepath.Join(data, project.Dir, scan.ProjectID(s.root), "config.json"), config)
		}
		if paused {
			must(t, e.Resume(""))
		}
		if away {
			e = openFast(t, data)
		}
		if s.rng.IntN(3) == 0 {
			light := s.rng.IntN(2) == 0
			s.log("light %v", light)
			must(t, second(e.SetSettings(map[string]any{settings.Light: light})))
		}
		took := becomesTrue(t, e, s.root)
		worst = max(worst, took)
		s.log("burst %d true after %s (away %v)", burst, took.Round(time.Millisecond), away)
	}
	got, _, err := rowsOfIndex(t.Context(), e.Find(s.root).Actor().Store())
	must(t, err)
	elsewhere := t.TempDir()
	if text, err := os.ReadFile(filepath.Join(data, project.Dir, scan.ProjectID(s.root), "config.json")); err != nil {
		t.Fatal(err)
	} else {
		write(t, filepath.Join(elsewhere, "config.json"), string(text)) // as the defaults of a new project
	}
	fresh := openFast(t, elsewhere)
	create(t, fresh, s.root)
	want, without, err := rowsOfIndex(t.Context(), fresh.Find(s.root).Actor().Store())
	if err != nil || len(without) > 0 {
		t.Fatal(err, without)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("differs from an index built from scratch:\n%v\nwant\n%v", got, want)
	}
	t.Logf("%d operations in %d bursts, %d files, slowest %s", s.done, bursts, len(want), worst.Round(time.Millisecond))
}

func TestMain(m *testing.M) {
	workertest.Run()
	if data := os.Getenv(victimEnv); data != "" {
		os.Exit(victim(data))
	}
	os.Exit(m.Run())
}
