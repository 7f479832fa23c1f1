package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"searchmcp/app/bench/quality"
	"searchmcp/engine"
	"searchmcp/engine/api"
	"searchmcp/engine/host/worker/workertest"
	"searchmcp/packaging/command"
)

type options struct {
	servers, project, big, answers string
	n, each                        int
	misses                         bool
}

func main() {
	workertest.Run()
	var o options
	flag.StringVar(&o.servers, "servers", "dist/servers", "folder with the servers that packaging/peers.sh installs")
	flag.StringVar(&o.project, "project", "", "only these projects, separated by commas, or one set: tuned or held-out")
	flag.StringVar(&o.big, "large", "", "measure the times of answers in this folder instead")
	flag.StringVar(&o.answers, "answers", "", "cache the servers' answers in this folder")
	flag.IntVar(&o.n, "n", 300, "number of symbols, divided equally among the projects")
	flag.BoolVar(&o.misses, "misses", false, "list differences from the servers' answers")
	flag.Parse()
	command.Main("symbols", o.run)
}

func (o *options) run(ctx context.Context) (err error) {
	if o.servers, err = filepath.Abs(o.servers); err != nil {
		return err
	}
	sets := [][]string{tuned, heldOut}
	switch o.project {
	case "":
	case "tuned":
		sets = sets[:1]
	case "held-out":
		sets = sets[1:]
	default:
		sets = [][]string{strings.Split(o.project, ",")}
	}
	o.each = (o.n + len(tuned) - 1) / len(tuned)
	work, err := os.MkdirTemp("", "symbols-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if work, err = filepath.EvalSymlinks(work); err != nil {
		return err
	}
	eng, err := engine.Open(ctx, engine.Options{Data: filepath.Join(work, "data"),
		Log: slog.New(slog.DiscardHandler)}.WithModel(noVectors{}))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, eng.Close(context.Background())) }()
	if o.big != "" {
		return o.large(ctx, eng, o.big, os.Stdout)
	}
	for _, names := range sets {
		total := &figures{project: "all"}
		var rows []*figures
		for _, name := range names {
			p, err := project(name)
			if err != nil {
				return err
			}
			f, err := o.measure(ctx, eng, p, work)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Fprintf(os.Stderr, "%s: %d symbols, uses: recall %.3f, precision %.3f\n", name, f.symbols, quality.Mean(f.uses.recalls),
				quality.Mean(f.uses.precisions))
			rows = append(rows, f)
			total.join(f)
		}
		print(os.Stdout, append(rows, total))
	}
	return nil
}

// print prints the tables. The last row contains all projects.
func print(w io.Writer, rows []*figures) {
	fmt.Fprintln(w,
		"| project | language | server | symbols | definitions: recall | precision | uses: recall | precision | as "+
			"answered: recall | precision | all places: recall | precision | grep -w: recall | precision |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, f := range rows {
		fmt.Fprintf(w, "| %s | %s | %s | %d |", f.project, f.language, f.server, f.symbols)
		for _, t := range []tally{f.definitions, f.uses, f.answered} {
			fmt.Fprintf(w, " %.3f | %.3f |", quality.Mean(t.recalls), quality.Mean(t.precisions))
		}
		fmt.Fprintf(w, " %.3f | %.3f | %.3f | %.3f |\n", share(f.uses.recalled, f.uses.truth),
			share(f.uses.right, f.uses.found), quality.Mean(f.grep.recalls), quality.Mean(f.grep.precisions))
	}
	all := rows[len(rows)-1]
	fmt.Fprintln(w,
		"\n| uses by | recall | precision | all places: recall | precision | tokens, median | p95 | time, median | p95 |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|")
	for _, r := range []struct {
		name string
		t    *tally
	}{{"find_symbol", &all.uses}, {"… as answered", &all.answered}, {"… of all answers of servers", &all.strict},
		{"grep -w", &all.grep}, {"search_code", &all.search}} {
		fmt.Fprintf(w, "| %s | %.3f | %.3f | %.3f | %.3f | %d | %d | %s | %s |\n", r.name, quality.Mean(r.t.recalls),
			quality.Mean(r.t.precisions),
			share(r.t.recalled, r.t.truth), share(r.t.right, r.t.found),
			quality.Quantile(r.t.tokens, 0.5), quality.Quantile(r.t.tokens, 0.95), r.t.time(0.5), r.t.time(0.95))
	}
	fmt.Fprintf(w, "| the language server | 1 | 1 | 1 | 1 |  |  | %s | %s |\n", all.serverTime.time(0.5),
		all.serverTime.time(0.95))
}

func (t *tally) time(at float64) string { return ms(quality.Quantile(t.times, at)) }

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

// noVectors is an embedding model that returns constant vectors, because find_symbol needs none.
type noVectors struct{}

func (noVectors) Query(context.Context, string) (api.Vector, error) { return api.Vector{}, nil }
func (noVectors) Texts(_ context.Context, texts []string, each func(int, api.Vector)) error {
	for i := range texts {
		v := api.Vector{}
		v[0] = 1
		each(i, v)
	}
	return nil
}
func (noVectors) ModelHash() string        { return "none" }
func (noVectors) Input(c api.Chunk) string { return c.ID }
func (noVectors) Loaded() bool             { return true }
func (noVectors) SetThreads(int)           {}
func (noVectors) Close() error             { return nil }
