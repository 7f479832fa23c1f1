// Command cmd asks the quality benchmark's questions and prints how well they are answered.
//
//	go run ./engine/search/quality/cmd [-cache DIR] [-golden FILE] [-bad PART] [-below N] [-project NAME]
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"

	"searchmcp/engine/embed/onnx"
	"searchmcp/engine/search/quality"
)

func main() {
	var o options
	flag.StringVar(&o.cache, "cache", "", "folder for sources and vectors; default: searchmcp/quality in the user's cache")
	flag.StringVar(&o.golden, "golden", "", "file that the figures are written to as well")
	flag.StringVar(&o.bad, "bad", "", "list the badly answered questions of this part (dev, test …)")
	flag.Float64Var(&o.below, "below", 0.7, "NDCG@10 below which -bad lists a question")
	flag.StringVar(&o.project, "project", "", "only this project")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

type options struct {
	cache, golden, bad, project string
	below                       float64
}

func run(ctx context.Context, o options) error {
	if o.cache == "" {
		var err error
		if o.cache, err = quality.DefaultCache(); err != nil {
			return err
		}
	}
	projects, err := quality.Projects()
	if err != nil {
		return err
	}
	e, err := onnx.Open(ctx, onnx.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer e.Close()
	stages := append(quality.Baselines(), quality.Stages(e)...)
	answers := make([][]quality.Answered, len(projects))
	others := make([]quality.Elsewhere, len(projects))
	err = quality.Each(ctx, projects, func(ctx context.Context, i int) error {
		if o.project != "" && projects[i].Family() != o.project {
			return nil
		}
		var err error
		answers[i], others[i], err = measure(ctx, o.cache, projects[i], e, stages)
		return err
	})
	if err != nil {
		return err
	}
	var all []quality.Answered
	var about quality.Elsewhere
	for i := range projects {
		all = append(all, answers[i]...)
		about.Add(others[i])
	}
	var b bytes.Buffer
	if err := quality.Report(&b, all, stages, about); err != nil {
		return err
	}
	fmt.Print(b.String())
	if o.bad != "" {
		quality.Failures(os.Stdout, all, "ranked", quality.Half(o.bad), o.below)
	}
	if o.golden != "" {
		return os.WriteFile(o.golden, b.Bytes(), 0o644)
	}
	return nil
}

// measure asks one project's questions, and a package's for something else.
func measure(ctx context.Context, cache string, p quality.Project, e *onnx.Embedder,
	stages []quality.Stage) (answers []quality.Answered, about quality.Elsewhere, err error) {
	x, err := quality.Open(ctx, cache, p, e)
	if err != nil {
		return nil, about, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	if answers, err = quality.Measure(ctx, x, stages); err != nil {
		return nil, about, err
	}
	about, err = quality.AskElsewhere(ctx, x, stages[len(stages)-1])
	return answers, about, err
}
