// Command cmd asks the quality benchmark's questions and prints how well they are answered.
//
//	go run ./app/bench/quality/cmd [-sample N] [-max-chunks N] [-aside] [-project "NAME …"] [-golden FILE]
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
	"slices"
	"strings"

	"searchmcp/app/bench/quality"
	"searchmcp/engine/index/embed/onnx"
)

func main() {
	var o options
	flag.StringVar(&o.cache, "cache", "", "folder for sources and vectors; default: searchmcp/quality in the user's cache")
	flag.StringVar(&o.golden, "golden", "", "file that the figures are written to as well")
	flag.StringVar(&o.projects, "project", "", "only these projects")
	flag.IntVar(&o.sample, "sample", 1, "only one project in so many, by a hash of its name")
	flag.IntVar(&o.maxChunks, "max-chunks", 0, "only projects of at most so many chunks; 0: any")
	flag.BoolVar(&o.aside, "aside", false, "only the projects that are put aside")
	flag.StringVar(&o.record, "record", "", "file to which the candidates of some questions are written, for go test")
	flag.BoolVar(&o.bad, "bad", false, "list the badly answered questions")
	flag.Float64Var(&o.below, "below", 0.7, "NDCG@10 below which -bad lists a question")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

type options struct {
	cache, golden, projects, record string
	sample, maxChunks               int
	aside, bad                      bool
	below                           float64
}

// wants reports whether a project's questions are asked.
func (o options) wants(p quality.Project) bool {
	if o.projects != "" {
		return slices.Contains(strings.Fields(o.projects), p.Family())
	}
	return p.Aside() == o.aside && p.Sampled(o.sample)
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
	projects = slices.DeleteFunc(projects, func(p quality.Project) bool { return !o.wants(p) })
	e, err := onnx.Open(ctx, onnx.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer e.Close()
	stages := quality.Stages(e)
	answers := make([][]quality.Answered, len(projects))
	others := make([]quality.Elsewhere, len(projects))
	manuals := make([]quality.Manuals, len(projects))
	recordings := make([]quality.Recording, len(projects))
	err = quality.Each(ctx, projects, func(ctx context.Context, i int) (err error) {
		answers[i], others[i], err = measure(ctx, o, projects[i], e, stages, &recordings[i], &manuals[i])
		if errors.Is(err, quality.ErrLarge) {
			fmt.Fprintln(os.Stderr, "quality: left out:", err)
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	var all []quality.Answered
	var about quality.Elsewhere
	var docs quality.Manuals
	for i := range projects {
		all = append(all, answers[i]...)
		about.Add(others[i])
		docs.Add(manuals[i])
	}
	var b bytes.Buffer
	if err := quality.Report(&b, all, stages, about, docs); err != nil {
		return err
	}
	fmt.Print(b.String())
	if o.bad {
		quality.Failures(os.Stdout, all, stages[len(stages)-1].Name, o.below)
	}
	if o.record != "" {
		if err := write(o.record, recordings); err != nil {
			return err
		}
	}
	if o.golden != "" {
		return os.WriteFile(o.golden, b.Bytes(), 0o644)
	}
	return nil
}

// measure asks one project's questions, and a package's for something else.
func measure(ctx context.Context, o options, p quality.Project, e *onnx.Embedder,
	stages []quality.Stage, recording *quality.Recording, manuals *quality.Manuals,
) (answers []quality.Answered, about quality.Elsewhere, err error) {
	x, err := quality.Open(ctx, o.cache, p, e, o.maxChunks)
	if err != nil {
		return nil, about, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	if o.record != "" {
		if *recording, err = quality.Record(ctx, x, e); err != nil {
			return nil, about, err
		}
	}
	if answers, err = quality.Measure(ctx, x, stages); err != nil {
		return nil, about, err
	}
	if *manuals, err = quality.AskManuals(ctx, x, e); err != nil {
		return nil, about, err
	}
	about, err = quality.AskElsewhere(ctx, x, stages[len(stages)-1])
	return answers, about, err
}

// write writes the recordings of all projects as one.
func write(name string, recordings []quality.Recording) error {
	var all quality.Recording
	for _, r := range recordings {
		all.Add(r)
	}
	var b bytes.Buffer
	if err := all.Write(&b); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "quality: recorded %d questions\n", len(all.Questions))
	return os.WriteFile(name, b.Bytes(), 0o644)
}
