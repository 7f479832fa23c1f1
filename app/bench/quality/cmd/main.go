// Command cmd runs the quality benchmark and prints its figures.
//
//	go -C app/bench run -exec "env -C ../.." ./quality/cmd [-sample N] [-max-chunks N] [-held-out] [-project "NAME …"] \
//		[-together] [-record FILE]
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"searchmcp/app/bench/quality"
	"searchmcp/engine/index/embed/onnx"
	"searchmcp/packaging/command"
)

func main() {
	var o options
	flag.StringVar(&o.projects, "project", "", "ask only about these projects, separated by spaces")
	flag.IntVar(&o.sample, "sample", 1, "ask only about one project in N, chosen by a hash of its name")
	flag.IntVar(&o.maxChunks, "max-chunks", 0, "ask only about projects of at most N chunks (0 means no limit)")
	flag.BoolVar(&o.heldOut, "held-out", false, "ask only about the held-out projects")
	flag.BoolVar(&o.together, "together", false, "search all projects at once and print how often the right project is first")
	flag.StringVar(&o.record, "record", "", "write the candidates of some questions to this file, for TestReplay")
	flag.Parse()
	command.Main("quality", o.run)
}

type options struct {
	projects, record  string
	sample, maxChunks int
	heldOut, together bool
}

func (o options) wants(p quality.Project) bool {
	if o.projects != "" {
		return slices.Contains(strings.Fields(o.projects), p.Family())
	}
	return p.HeldOut() == o.heldOut && p.Sampled(o.sample)
}

// askTogether searches all projects at once, with only the first release of each project.
func (o options) askTogether(ctx context.Context, projects []quality.Project, e *onnx.Embedder) (err error) {
	projects = slices.CompactFunc(projects, func(a, b quality.Project) bool { return a.Family() == b.Family() })
	all := make([]*quality.Index, len(projects))
	defer func() {
		for _, x := range all {
			if x != nil {
				err = errors.Join(err, x.Close())
			}
		}
	}()
	err = quality.Each(ctx, projects, func(ctx context.Context, i int) (err error) {
		all[i], err = quality.Open(ctx, projects[i], e, o.maxChunks)
		if errors.Is(err, quality.ErrLarge) {
			fmt.Fprintln(os.Stderr, "quality: skipped:", err)
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(x *quality.Index) bool { return x == nil })
	return quality.Together(ctx, os.Stdout, all, e)
}

func (o options) run(ctx context.Context) error {
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
	if o.together {
		return o.askTogether(ctx, projects, e)
	}
	stages := quality.Stages(e)
	figures := make([]quality.Figures, len(projects))
	recordings := make([]quality.Recording, len(projects))
	err = quality.Each(ctx, projects, func(ctx context.Context, i int) (err error) {
		x, err := quality.Open(ctx, projects[i], e, o.maxChunks)
		if errors.Is(err, quality.ErrLarge) {
			fmt.Fprintln(os.Stderr, "quality: skipped:", err)
			return nil
		}
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, x.Close()) }()
		if o.record != "" {
			if recordings[i], err = quality.Record(ctx, x, e); err != nil {
				return err
			}
		}
		figures[i], err = quality.Measure(ctx, x, e, stages)
		return err
	})
	if err != nil {
		return err
	}
	var all quality.Figures
	var recorded quality.Recording
	for i := range projects {
		all.Add(figures[i])
		recorded.Add(recordings[i])
	}
	if err := quality.Report(os.Stdout, all, stages); err != nil || o.record == "" {
		return err
	}
	var b bytes.Buffer
	if err := recorded.Write(&b); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "quality: recorded %d questions\n", len(recorded.Questions))
	return command.Write(o.record, b.Bytes())
}
