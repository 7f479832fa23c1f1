package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"searchmcp/engine/host/worker/workertest"
)

// options are the command line.
type options struct {
	quick, scale, write bool
	only                string // phases, separated by commas; "" is all
	project             string
	profiles            string // folder for profiles; "" writes none
	phase, data         string // of a process that is one phase
	size                int    // of such a process's project, where the phase has sizes
}

func main() {
	workertest.Run()
	var o options
	flag.BoolVar(&o.quick, "quick", false, "fewer rounds and smaller projects")
	flag.BoolVar(&o.scale, "scale", false, "projects of up to 50,000 files and 2 GB instead of the usual phases")
	flag.BoolVar(&o.write, "write", false, "put the tables into BENCHMARKS.md")
	flag.StringVar(&o.only, "only", "", "phases to run, separated by commas")
	flag.StringVar(&o.project, "project", "", "folder to index; default: "+sample+" of the module cache")
	flag.StringVar(&o.profiles, "profile", "", "folder for CPU and heap profiles of each phase")
	flag.StringVar(&o.phase, "phase", "", "run this phase in this process (used by the program itself)")
	flag.StringVar(&o.data, "data", "", "folder of the phase's data (used by the program itself)")
	flag.IntVar(&o.size, "size", 0, "files of the phase's project (used by the program itself)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run := runAll
	if o.phase != "" {
		run = runPhase
	}
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// phase is a part of the measurement that runs in a process of its own, rounds times.
type phase struct {
	name          string
	rounds, quick int // how often it runs, and how often with -quick; 0: not at all
	scale         bool
	run           func(ctx context.Context, p *process) error
	data          dataUse
	unwatched     bool  // memory is not sampled: its own wake-ups are counted
	sizes         []int // of projects, each measured in a process of its own; nil: the phase has one size
}

// dataUse says where a phase keeps its data.
type dataUse int

const (
	ownData dataUse = iota // a folder of its own, removed afterwards
	shared                 // in a folder that all such phases work on, one after the other
)

// phases in the order in which they run.
var phases = []phase{
	{name: "text", rounds: 3, quick: 2, run: measureText},
	{name: "vectors", rounds: 1, quick: 1, run: measureVectors, data: shared},
	{name: "start", rounds: 3, quick: 1, run: measureStart, data: shared},
	{name: "five", rounds: 1, run: measureFive, data: shared},
	{name: "idle", rounds: 1, run: measureIdle, data: shared, unwatched: true},
	{name: "ready", rounds: 3, quick: 1, run: measureReady},
	{name: "window", rounds: 1, run: measureWindow},
	{name: "large", rounds: 1, run: measureLarge},
	{name: "bridge", rounds: 1, quick: 1, run: measureBridge},
	{name: "lexical", rounds: 2, quick: 1, run: measureLexical},
	{name: "scan", rounds: 1, quick: 1, run: measureScan},
	{name: "growth", rounds: 1, scale: true, run: measureGrowth, sizes: growthSizes},
	{name: "monorepo", rounds: 1, scale: true, run: measureMonorepo},
}

func (o options) wants(p phase) (rounds int) {
	usual := p.rounds
	if o.quick {
		usual = p.quick
	}
	switch {
	case o.only != "" && slices.Contains(strings.Split(o.only, ","), p.name):
		return max(1, usual)
	case o.only != "", p.scale != o.scale:
		return 0
	case o.scale:
		return p.rounds
	}
	return usual
}

// quickSizes is how many sizes are measured with -quick.
const quickSizes = 3

// sizesOf are the sizes of a phase's projects, a single 0 where it has one size.
func (o options) sizesOf(p phase) []int {
	switch {
	case p.sizes == nil:
		return []int{0}
	case o.quick:
		return p.sizes[:quickSizes]
	}
	return p.sizes
}

func runAll(ctx context.Context, o options) error {
	var err error
	if o.project == "" {
		if o.project, err = moduleDir(ctx, sample); err != nil {
			return err
		}
	}
	common, err := os.MkdirTemp("", "search-mcp-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(common)
	s := samples{}
	var failed []error // a phase that fails leaves the figures of the others
	var missing []string
	for _, p := range phases {
		for round := range o.wants(p) {
			fmt.Fprintf(os.Stderr, "bench: %s, round %d\n", p.name, round+1)
			for _, o.size = range o.sizesOf(p) {
				if err := s.child(ctx, o, p, common); err != nil {
					failed, missing = append(failed, fmt.Errorf("phase %s: %w", p.name, err)), append(missing, p.name)
					break // a row of a table is made of one figure of each kind
				}
			}
		}
	}
	for _, g := range goBenchmarks {
		if !o.wantsBenchmark(g) {
			continue
		}
		fmt.Fprintf(os.Stderr, "bench: %s (%s)\n", g.name, g.pkg)
		if err := s.goBenchmark(ctx, g); err != nil {
			failed, missing = append(failed, fmt.Errorf("benchmark %s: %w", g.name, err)), append(missing, g.name)
		}
	}
	report := newReport(ctx, s, missing)
	fmt.Print(report)
	if o.write && ctx.Err() == nil {
		failed = append(failed, writeReport(o, report))
	}
	return errors.Join(failed...)
}
