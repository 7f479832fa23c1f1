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

type options struct {
	quick, scale, write bool
	only                string // phases and benchmarks, separated by commas; "" means all
	project             string
	profiles            string // folder for profiles; "" writes none
	phase, data         string // phase of this process, and its data folder
	size                int    // files of the phase's project, if the phase has sizes
}

func main() {
	workertest.Run()
	var o options
	flag.BoolVar(&o.quick, "quick", false, "fewer rounds and smaller projects")
	flag.BoolVar(&o.scale, "scale", false, "measure projects of up to 50,000 files and 2 GB instead of the usual phases")
	flag.BoolVar(&o.write, "write", false, "update the tables in BENCHMARKS.md")
	flag.StringVar(&o.only, "only", "", "run only these phases and benchmarks, separated by commas")
	flag.StringVar(&o.project, "project", "", "folder to index (default "+sample+")")
	flag.StringVar(&o.profiles, "profile", "", "write CPU and heap profiles to this folder")
	flag.StringVar(&o.phase, "phase", "", "phase to run in this process (internal)")
	flag.StringVar(&o.data, "data", "", "folder of the phase's data (internal)")
	flag.IntVar(&o.size, "size", 0, "number of files in the phase's project (internal)")
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

// phase is a group of measurements that runs in its own process.
type phase struct {
	name          string
	rounds, quick int // number of runs without and with -quick
	scale         bool
	run           func(ctx context.Context, p *process) error
	data          dataUse
	unwatched     bool  // sample no memory, because sampling causes wake-ups
	sizes         []int // numbers of files, each measured in its own process; nil if the phase has one size
}

// dataUse is the folder in which a phase stores its data.
type dataUse int

const (
	ownData dataUse = iota // a temporary folder for the run
	shared                 // a folder with the data of earlier phases
)

// phases are in the order in which they run.
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

func (o options) rounds(p phase) int {
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

// quickSizes is the number of project sizes measured with -quick.
const quickSizes = 3

// sizesOf returns the sizes of a phase's projects, or a single 0 if the phase has no sizes.
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
	var failed []error // reported after the figures of the other phases
	var missing []string
	for _, p := range phases {
		for round := range o.rounds(p) {
			fmt.Fprintf(os.Stderr, "bench: %s, round %d\n", p.name, round+1)
			for _, o.size = range o.sizesOf(p) {
				if err := s.child(ctx, o, p, common); err != nil {
					failed, missing = append(failed, fmt.Errorf("phase %s: %w", p.name, err)), append(missing, p.name)
					break // the samples of all keys must have the same length
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
