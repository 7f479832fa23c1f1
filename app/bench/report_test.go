package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNumber(t *testing.T) {
	for _, tc := range []struct {
		value  float64
		digits int
		want   string
	}{{0, 2, "0"}, {1.50, 2, "1.5"}, {999.9, 0, "1,000"}, {1234567, 0, "1,234,567"}, {-1234, 0, "-1,234"},
		{0.034, 2, "0.03"}} {
		if got := number(tc.value, tc.digits); got != tc.want {
			t.Errorf("number(%v, %d) = %q, want %q", tc.value, tc.digits, got, tc.want)
		}
	}
}

func TestRow(t *testing.T) {
	s := samples{"speed": {900, 1300, 1100}, "rival": {550}, "delay": {30, 10, 20}}
	for _, tc := range []struct {
		figure figure
		want   string
	}{
		{figure{key: "speed", label: "speed", unit: "MB", target: atLeast(1000), against: "rival", baseline: "rival"},
			"| speed | 1,100 MB (900 to 1,300, n = 3) | ≥ 1,000 MB, met | rival: 550 MB (× 2.00) |\n"},
		{figure{key: "delay", label: "delay", unit: "ms", quantile: p95, target: atMost(15), against: "absent"},
			"| delay | 30 ms (10 to 30, n = 3) | < 15 ms, missed |  |\n"},
	} {
		var b strings.Builder
		s.row(&b, tc.figure)
		if diff := cmp.Diff(tc.want, b.String()); diff != "" {
			t.Error(diff)
		}
	}
}

// TestFiguresOfGoBenchmarks checks that the report shows every figure of a Go benchmark.
func TestFiguresOfGoBenchmarks(t *testing.T) {
	shown := map[string]bool{}
	for _, sec := range sections {
		for _, f := range sec.rows {
			shown[f.key], shown[f.against] = true, true
		}
	}
	for _, g := range goBenchmarks {
		for line, key := range g.figures {
			if !shown[key] {
				t.Errorf("%s: the report does not show %s", line, key)
			}
		}
	}
}

func TestReadGoBenchmark(t *testing.T) {
	g := goBenchmark{figures: map[string]string{"BenchmarkArchive/fuzzy=true p50-ms": "archive.fuzzy"}}
	line := "BenchmarkArchive/fuzzy=true-2         \t      40\t   1690000 ns/op\t         1.500 p50-ms\t " +
		"        1.900 p95-ms\n"
	if diff := cmp.Diff(map[string]float64{"archive.fuzzy": 1.5}, g.read(line)); diff != "" {
		t.Error(diff)
	}
	if got := g.read("ok  \tsearchmcp/engine/embed\t3.2s\n"); len(got) != 0 {
		t.Errorf("a line without figures gave %v", got)
	}
}

func TestWriteReportKeepsOtherText(t *testing.T) {
	t.Chdir(t.TempDir())
	const before = "# Benchmarks\n\n<!-- bench -->\nold\n<!-- end of bench -->\n\nwords\n"
	if err := os.WriteFile(reportFile, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeReport(options{}, "new\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(reportFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Replace(before, "old", "new", 1), string(got)); diff != "" {
		t.Error(diff)
	}
	if err := writeReport(options{scale: true}, "new\n"); err == nil {
		t.Error("a report was written to a file without its comments")
	}
}
