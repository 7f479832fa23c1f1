package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// newReport renders every section that has samples as Markdown, and lists the phases in missing.
func newReport(ctx context.Context, s samples, missing []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s.\n", machine(ctx))
	if len(missing) > 0 {
		fmt.Fprintf(&b, "\nNot measured, because it failed: %s.\n", strings.Join(slices.Compact(missing), ", "))
	}
	for _, sec := range sections {
		s.section(&b, sec)
	}
	if len(s["growth.files"]) > 0 {
		s.growth(&b)
	}
	return b.String()
}

// machine describes the test machine, the commit and the time.
func machine(ctx context.Context) string {
	line := func(name string, args ...string) string {
		out, err := exec.CommandContext(ctx, name, args...).Output()
		if err != nil {
			return "unknown"
		}
		return strings.TrimSpace(string(out))
	}
	cpu := "unknown processor"
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for l := range strings.Lines(string(info)) {
			if name, value, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(name) == "model name" {
				cpu = strings.TrimSpace(value)
				break
			}
		}
	}
	load := ""
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		load = fmt.Sprintf("; load of the machine at the end %s", strings.Fields(string(text))[0])
	}
	return fmt.Sprintf("%d cores of %s, %s, %s, commit %s, %s%s", runtime.NumCPU(), cpu, runtime.GOOS, runtime.Version(),
		line("git", "rev-parse", "--short", "HEAD"), time.Now().UTC().Format("2006-01-02 15:04"), load)
}

func (s samples) section(b *strings.Builder, sec section) {
	if !slices.ContainsFunc(sec.rows, func(f figure) bool { return len(s[f.key]) > 0 }) {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n", s.fill(sec.title), s.fill(sec.note))
	b.WriteString("| figure | measured | target | baseline |\n|---|---|---|---|\n")
	for _, f := range sec.rows {
		if len(s[f.key]) > 0 {
			s.row(b, f)
		}
	}
}

var keyInText = regexp.MustCompile(`\{[a-z.]+\}`)

// fill replaces each {key} in text with the median of its samples.
func (s samples) fill(text string) string {
	return keyInText.ReplaceAllStringFunc(text, func(key string) string {
		v := s[strings.Trim(key, "{}")]
		if len(v) == 0 {
			return "?"
		}
		return number(quantile(v, 0.5), 1)
	})
}

func (s samples) row(b *strings.Builder, f figure) {
	at := f.quantile
	if at == 0 {
		at = 0.5
	}
	value := f.of(quantile(s[f.key], at))
	measured, target, beside := withUnit(number(value, f.digits), f.unit), "", ""
	if len(s[f.key]) > 1 {
		measured += fmt.Sprintf(" (%s to %s, n = %d)", number(f.of(slices.Min(s[f.key])), f.digits),
			number(f.of(slices.Max(s[f.key])), f.digits), len(s[f.key]))
	}
	if t := f.target; t.limit > 0 {
		sign, verdict := "<", "met"
		if t.least {
			sign = "≥"
		}
		if t.least && value < t.limit || !t.least && value > t.limit {
			verdict = "missed"
		}
		target = fmt.Sprintf("%s %s, %s", sign, withUnit(number(t.limit, trimmed(t.limit)), f.unit), verdict)
	}
	if base := s[f.against]; len(base) > 0 {
		v := f.of(quantile(base, at))
		beside = fmt.Sprintf("%s: %s (× %.2f)", f.baseline, withUnit(number(v, f.digits), f.unit), value/v)
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n", s.fill(f.label), measured, target, beside)
}

// of converts a sample to the figure's unit.
func (f figure) of(v float64) float64 {
	if f.scale != 0 {
		v *= f.scale
	}
	return v
}

func withUnit(number, unit string) string { return strings.TrimSpace(number + " " + unit) }

// number formats v with at most digits decimal places and with commas between thousands.
func number(v float64, digits int) string {
	text := fmt.Sprintf("%.*f", digits, v)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	whole, rest := text, ""
	if i := strings.IndexByte(text, '.'); i >= 0 {
		whole, rest = text[:i], text[i:]
	}
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole + rest
}

// trimmed returns the number of decimal places in which to print a limit.
func trimmed(v float64) int {
	if v == math.Trunc(v) {
		return 0
	}
	return 2
}

// quantile returns the sample at rank, which is between 0 and 1.
func quantile(v []float64, rank float64) float64 {
	sorted := slices.Sorted(slices.Values(v))
	return sorted[min(len(sorted)-1, int(rank*float64(len(sorted))))]
}

// growth writes the table "Cost by size".
func (s samples) growth(b *strings.Builder) {
	b.WriteString(
		"\n### Cost by size\n\nGenerated projects with files of 5 KB and generated vectors. The cost of a file should not " +
			"grow with the project.\n\n| files |")
	for _, f := range growthRows {
		fmt.Fprintf(b, " %s |", f.label)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(growthRows)) + "\n")
	for i, files := range s["growth.files"] {
		fmt.Fprintf(b, "| %s |", number(files, 0))
		for _, f := range growthRows {
			if i < len(s[f.key]) {
				fmt.Fprintf(b, " %s |", number(s[f.key][i], f.digits))
			}
		}
		b.WriteString("\n")
	}
}

const reportFile = "BENCHMARKS.md"

// writeReport replaces the text between the report's comments in BENCHMARKS.md.
func writeReport(o options, report string) error {
	name := "bench"
	if o.scale {
		name = "scale"
	}
	text, err := os.ReadFile(reportFile)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	begin, end := fmt.Appendf(nil, "<!-- %s -->\n", name), fmt.Appendf(nil, "<!-- end of %s -->\n", name)
	i, j := bytes.Index(text, begin), bytes.Index(text, end)
	if i < 0 || j < i {
		return fmt.Errorf("write report: %s does not contain %q followed by %q", reportFile, begin, end)
	}
	whole := slices.Concat(text[:i+len(begin)], []byte(report), text[j:])
	if err := os.WriteFile(reportFile, whole, 0o644); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}
