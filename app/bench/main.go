// Command bench measures the engine on a real project and prints each figure beside its target (RFC 11). It runs the
// engine in its own process so that memory is the product's and not a test runner's; nothing is asserted.
//
//	go run ./app/bench [-project DIR] [-queries N]
//
// Without -project it takes k8s.io/client-go from the module cache (go mod download fetches it), more than 2,000 real files.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"searchmcp/engine"
	"searchmcp/engine/api"
)

// sample is the project that is indexed when none is named, pinned so that figures compare.
const sample = "k8s.io/client-go@v0.31.0"

func main() {
	project := flag.String("project", "", "folder to index; default: "+sample+" of the module cache")
	queries := flag.Int("queries", 20, "how often each query is asked")
	profiles := flag.String("profile", "", "folder for CPU and heap profiles of each phase")
	idleData := flag.String("idle", "", "open the engine on this data folder and print what it takes when it has nothing to do")
	flag.Parse()
	if *idleData != "" {
		if err := runIdle(*idleData); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*project, *queries, profiler{*profiles}); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(project string, rounds int, prof profiler) error {
	ctx := context.Background()
	if project == "" {
		var err error
		if project, err = moduleDir(sample); err != nil {
			return err
		}
	}
	data, err := os.MkdirTemp("", "search-mcp-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	options := engine.Options{Data: data, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}

	began := time.Now()
	eng, err := engine.Open(ctx, options)
	if err != nil {
		return err
	}
	opened := time.Since(began)
	root, err := eng.Canonical(project)
	if err != nil {
		return err
	}
	preview, err := eng.Preview(ctx, root)
	if err != nil {
		return err
	}
	fmt.Printf("project %s: %d files, %.1f MB; %d cores, %s\n\n", filepath.Base(project), preview.Files,
		float64(preview.Bytes)/1e6, runtime.NumCPU(), runtime.Version())

	t := &table{}
	t.add("engine open, no project", ms(opened), "< 2 s (RFC 11, start)")
	searchable, stats, err := index(ctx, eng, root, prof)
	if err != nil {
		return err
	}
	embedding := stats.Duration - searchable
	t.add("searchable by text", secs(searchable), "< 10 s for 5,000 files")
	t.add("files a second, text", fmt.Sprintf("%.0f", float64(stats.FilesIndexed)/searchable.Seconds()), "≈ 100 (RFC 11); 1,000")
	t.add("MB a second, text", fmt.Sprintf("%.1f", float64(preview.Bytes)/1e6/searchable.Seconds()), "≥ 6")
	t.add("chunks", fmt.Sprint(stats.ChunksCreated), "")
	t.add("chunks embedded a second", fmt.Sprintf("%.1f", float64(stats.ChunksCreated)/embedding.Seconds()), "≈ 160 on two free cores")
	t.add("all done", secs(stats.Duration), "")
	t.add("peak memory while indexing", peak(), "< 500 MB (RFC 11)")
	state, err := eng.Status(ctx, root)
	if err != nil {
		return err
	}
	t.add("index on disk", fmt.Sprintf("%.0f MB (%.1f × text)", float64(state.SizeBytes)/1e6, float64(state.SizeBytes)/float64(preview.Bytes)), "")

	prof.begin("search")
	for _, lexical := range []bool{false, true} {
		times, err := search(ctx, eng, root, rounds, lexical)
		if err != nil {
			return err
		}
		name := "search, text and meaning"
		if lexical {
			name = "search, text alone"
		}
		t.add(name+", p50", ms(quantile(times, 0.50)), "< 15 ms")
		t.add(name+", p95", ms(quantile(times, 0.95)), "< 40 ms; < 200 ms (RFC 11)")
	}
	prof.end("search")
	job, err := eng.Reindex(ctx, root)
	if err != nil {
		return err
	}
	<-job.Done()
	again, err := job.Result()
	if err != nil {
		return err
	}
	t.add("reindex, nothing changed", secs(again.Duration), "seconds: vectors come from the cache")

	closing := time.Now()
	if err := eng.Close(ctx); err != nil {
		return err
	}
	t.add("close", ms(time.Since(closing)), "")
	began = time.Now()
	if eng, err = engine.Open(ctx, options); err != nil {
		return err
	}
	t.add("engine open, project indexed", ms(time.Since(began)), "< 2 s (RFC 11, start)")
	began = time.Now()
	if _, err := eng.Search(ctx, []string{root}, query("retry a request with growing pauses", false)); err != nil {
		return err
	}
	t.add("first search after start", ms(time.Since(began)), "< 150 ms")
	if err := eng.Close(ctx); err != nil {
		return err
	}
	if err := idle(t, data); err != nil {
		return err
	}
	t.print(os.Stdout)
	return nil
}

// index creates the project and returns when its text was complete.
func index(ctx context.Context, eng *engine.Engine, root string, prof profiler) (searchable time.Duration, s api.IndexStats, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events := eng.Subscribe(ctx)
	prof.begin("text")
	defer func() { prof.end("vectors") }()
	began := time.Now()
	job, err := eng.Create(ctx, root, false)
	if err != nil {
		return 0, s, err
	}
	for {
		select {
		case e := <-events:
			if e.Kind == api.EventProgress && e.Progress.Phase == api.PhaseEmbedding && searchable == 0 {
				searchable = time.Since(began)
				prof.end("text")
				prof.begin("vectors")
			}
		case <-job.Done():
			s, err = job.Result()
			if searchable == 0 {
				searchable = s.Duration
			}
			return searchable, s, err
		}
	}
}

// questions are of the kinds that people ask: words, symbols, errors.
var questions = []string{
	"retry a request with growing pauses", "where are credentials loaded from", "watch for changes and resume after disconnect",
	"SharedInformerFactory", "NewForConfig", "leader election lease", "connection refused", "rate limiter",
	"convert object to unstructured", "how does the cache store objects by key", "exec into a container stream",
}

func query(text string, lexical bool) api.Query {
	return api.Query{Text: text, Corpus: api.CorpusCode, TopK: api.DefaultTopK, LexicalOnly: lexical}
}

func search(ctx context.Context, eng *engine.Engine, root string, rounds int, lexical bool) ([]time.Duration, error) {
	var times []time.Duration
	for round := range rounds + 1 {
		for _, q := range questions {
			began := time.Now()
			if _, err := eng.Search(ctx, []string{root}, query(q, lexical)); err != nil {
				return nil, err
			}
			if round > 0 { // the first round warms up
				times = append(times, time.Since(began))
			}
		}
	}
	slices.Sort(times)
	return times, nil
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func moduleDir(module string) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // outside any module, so that go.mod stays as it is
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return "", err
	}
	return m.Dir, nil
}

// peak is the most memory the process ever had resident.
func peak() string { return status("VmHWM:") }

// status reads a size of this process from the system.
func status(field string) string {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "not known on this system"
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(line, field); ok {
			var kb int
			if _, err := fmt.Sscan(v, &kb); err == nil {
				return fmt.Sprintf("%d MB", kb/1024)
			}
		}
	}
	return "not known on this system"
}

func ms(d time.Duration) string   { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
func secs(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

type table struct{ rows [][3]string }

func (t *table) add(name, value, target string) {
	t.rows = append(t.rows, [3]string{name, value, target})
}

func (t *table) print(w io.Writer) {
	fmt.Fprintf(w, "| %-36s | %-22s | %s |\n|---|---|---|\n", "what", "measured", "target")
	for _, r := range t.rows {
		fmt.Fprintf(w, "| %-36s | %-22s | %s |\n", r[0], r[1], r[2])
	}
}
