package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// goBenchmark is a package's Go benchmark whose figures are in the report.
type goBenchmark struct {
	name, pkg, bench, time string   // name in -only; arguments of go test, -bench and -benchtime
	args                   []string // further flags of go test
	texts                  bool     // the benchmark gets a file with texts of Go's source
	quick                  bool     // runs with -quick too
	scale                  bool     // runs only with -scale
	// figures maps "BenchmarkName unit", without the number of cores, to the key of a figure.
	figures map[string]string
}

var goBenchmarks = []goBenchmark{
	{name: "embedding", pkg: "./engine/index/embed/onnx", bench: "^BenchmarkTexts$", time: "5x", texts: true, quick: true,
		figures: map[string]string{
			"BenchmarkTexts %bare-wall": "embed.wall", "BenchmarkTexts %bare-cpu": "embed.cpu",
			"BenchmarkTexts texts/s":      "embed.texts",
			"BenchmarkTexts tokens/cpu-s": "embed.tokens", "BenchmarkTexts bare-texts/s": "embed.bare",
		}},
	{name: "nearest", pkg: "./app/bench/engine", bench: "^BenchmarkNearest$", time: "1x",
		figures: map[string]string{
			"BenchmarkNearest sketch-ms-p50": "nearest.p50", "BenchmarkNearest sketch-ms-p95": "nearest.p95",
			"BenchmarkNearest exact-ms-p50": "nearest.exact", "BenchmarkNearest exact-ms-p95": "nearest.exact95",
			"BenchmarkNearest recall@10": "nearest.recall",
		}},
	{name: "million", pkg: "./app/bench/engine", bench: "^BenchmarkNearest$", time: "1x", scale: true,
		args: []string{"-rows", "1000000", "-queries", "30"}, figures: map[string]string{
			"BenchmarkNearest sketch-ms-p50": "million.p50", "BenchmarkNearest sketch-ms-p95": "million.p95",
			"BenchmarkNearest exact-ms-p50": "million.exact", "BenchmarkNearest exact-ms-p95": "million.exact95",
			"BenchmarkNearest recall@10": "million.recall",
		}},
	{name: "save", pkg: "./app/bench/engine", bench: "^BenchmarkSaveToSearchable$", time: "1x", quick: true,
		figures: map[string]string{
			"BenchmarkSaveToSearchable p50-ms": "save.p50", "BenchmarkSaveToSearchable p95-ms": "save.p95",
		}},
	{name: "updates", pkg: "./app/bench/engine", bench: "^BenchmarkUpdates$", time: "1x", figures: map[string]string{
		"BenchmarkUpdates updates/s-all": "updates.rate", "BenchmarkUpdates %before": "updates.before",
		"BenchmarkUpdates %after": "updates.after",
	}},
	{name: "grep", pkg: "./app/bench/engine", bench: "^BenchmarkGrep$", time: "1x", figures: map[string]string{
		"BenchmarkGrep p95-ms": "grep.p95", "BenchmarkGrep bare-p95-ms": "grep.bare", "BenchmarkGrep cpu-ms": "grep.cpu",
	}},
	{name: "rescan", pkg: "./app/bench/engine", bench: "^BenchmarkRescan$", time: "3x", figures: map[string]string{
		"BenchmarkRescan ns/op": "rescan.ns",
	}},
	{name: "documents", pkg: "./app/bench/engine", bench: "^BenchmarkDocuments$", time: "20x",
		figures: map[string]string{"BenchmarkDocuments ns/op": "documents.ns"}},
	{name: "site", pkg: "./app/bench/engine", bench: "^BenchmarkSite$", time: "20x",
		figures: map[string]string{"BenchmarkSite ns/op": "site.ns"}},
	{name: "archive", pkg: "./app/bench/engine", bench: "^BenchmarkArchive$", time: "20x", figures: map[string]string{
		"BenchmarkArchive/fuzzy=false ns/op": "archive.ns", "BenchmarkArchive/fuzzy=true ns/op": "archive.fuzzy",
	}},
	{name: "named", pkg: "./app/bench/engine", bench: "^BenchmarkNamed$", time: "50x",
		figures: map[string]string{"BenchmarkNamed ns/op": "named.ns"}},
}

func (o options) wantsBenchmark(g goBenchmark) bool {
	if o.only != "" {
		return slices.Contains(strings.Split(o.only, ","), g.name)
	}
	return g.scale == o.scale && (g.quick || !o.quick)
}

func (s samples) goBenchmark(ctx context.Context, g goBenchmark) error {
	module, pkg := ".", g.pkg
	if rest, own := strings.CutPrefix(pkg, "./app/bench/"); own {
		module, pkg = "app/bench", "./"+rest
	}
	args := append([]string{"-C", module, "test", pkg, "-run", "^$", "-bench", g.bench, "-benchtime", g.time,
		"-timeout", "60m"}, g.args...)
	if g.texts {
		file, err := goTexts(ctx)
		if err != nil {
			return err
		}
		defer os.Remove(file)
		args = append(args, "-texts", file)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		for key, v := range g.read(line) {
			s.add(key, v)
		}
	}
	return nil
}

// read returns the figures in a line of a benchmark's output, which consists of the name, the number of runs, and
// pairs of value and unit.
func (g goBenchmark) read(line string) map[string]float64 {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return nil
	}
	name := fields[0]
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		if _, err := strconv.Atoi(name[i+1:]); err == nil {
			name = name[:i]
		}
	}
	found := map[string]float64{}
	for i := 2; i+1 < len(fields); i += 2 {
		key, ok := g.figures[name+" "+fields[i+1]]
		if v, err := strconv.ParseFloat(fields[i], 64); ok && err == nil {
			found[key] = v
		}
	}
	return found
}
