// Command train writes what train.py makes the ranking's trees of: for every question in words that is asked of code,
// the files that lead the sum, with their signals and whether they are right.
//
//	go run ./engine/search/quality/train [-benchmark] > signals.jsonl
//
// It fetches, indexes and asks the training projects; with -benchmark also the benchmark's own, by which train.py then
// judges the trees without learning from them.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync"

	"searchmcp/engine/embed/onnx"
	"searchmcp/engine/search"
	"searchmcp/engine/search/quality"
)

func main() {
	benchmark := flag.Bool("benchmark", false, "ask the benchmark's questions too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *benchmark); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// header is the first line that train.py reads.
type header struct {
	Signals []string `json:"signals"`
}

// record is a question as train.py reads it.
type record struct {
	Project  string       `json:"project"`
	Part     quality.Half `json:"part"`
	Kind     string       `json:"kind"`
	Question string       `json:"question"`
	quality.Observed
}

func run(ctx context.Context, benchmark bool) error {
	projects, err := quality.TrainingProjects()
	if err != nil {
		return err
	}
	if benchmark {
		more, err := quality.Projects()
		if err != nil {
			return err
		}
		projects = append(projects, more...)
	}
	cache, err := quality.DefaultCache()
	if err != nil {
		return err
	}
	e, err := onnx.Open(ctx, onnx.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer e.Close()
	out := bufio.NewWriter(os.Stdout)
	w := writer{to: json.NewEncoder(out)}
	if err := w.to.Encode(header{search.SignalNames()}); err != nil {
		return fmt.Errorf("write signals: %w", err)
	}
	err = quality.Each(ctx, projects, func(ctx context.Context, i int) error { return w.ask(ctx, cache, projects[i], e) })
	return errors.Join(err, out.Flush())
}

// writer writes records of several projects at once.
type writer struct {
	mu sync.Mutex
	to *json.Encoder
}

// ask asks a project's questions.
func (w *writer) ask(ctx context.Context, cache string, p quality.Project, e *onnx.Embedder) (err error) {
	x, err := quality.Open(ctx, cache, p, e)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	for _, q := range p.Questions {
		seen, err := x.Observe(ctx, q, e)
		if err != nil {
			return err
		}
		if len(seen.Files) == 0 {
			continue // the trees have no part in it
		}
		w.mu.Lock()
		err = w.to.Encode(record{Project: p.Family(), Part: p.Half, Kind: q.Kind, Question: q.Text, Observed: seen})
		w.mu.Unlock()
		if err != nil {
			return fmt.Errorf("write signals: %w", err)
		}
	}
	return nil
}
