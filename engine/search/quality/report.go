package quality

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Answered is one question's score at one stage.
type Answered struct {
	Project  *Project
	Question Question
	Stage    string
	Score    Score
	Found    []string // files, best first
	First    float64  // the product's score of the first result
	Cost     *Cost    // nil where it is not measured
}

// Measure asks all of a project's questions at all stages.
func Measure(ctx context.Context, x *Index, stages []Stage) ([]Answered, error) {
	var out []Answered
	project := x.Project // a pointer into x would keep the whole index
	for _, q := range project.Questions {
		for _, s := range stages {
			found, err := s.Find(ctx, x, q)
			if err != nil {
				return nil, fmt.Errorf("%s, %s, question %q: %w", project.Name, s.Name, q.Text, err)
			}
			a := Answered{Project: &project, Question: q, Stage: s.Name, Score: q.score(found)}
			if len(found) > 0 {
				a.First = found[0].Score
			}
			if s.Costs {
				c, err := q.cost(found)
				if err != nil {
					return nil, fmt.Errorf("count tokens: %w", err)
				}
				a.Cost = &c
			}
			for _, r := range found {
				if !slices.Contains(a.Found, r.Path) {
					a.Found = append(a.Found, r.Path)
				}
			}
			out = append(out, a)
		}
	}
	return out, nil
}

// Report prints the figures: every stage over each half, then the last stage by kind, language and score, and how
// often it answers what is about something else.
func Report(w io.Writer, all []Answered, stages []Stage, about Elsewhere) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, set := range Sets {
		for _, half := range Halves {
			match := func(a Answered) bool { return a.Question.Set() == set && a.Project.Half == half }
			_, n := total(all, stages[0].Name, match)
			if n == 0 {
				continue
			}
			fmt.Fprintf(t, "%s, %s half, %d questions\tNDCG@10\trecall@10\tMRR\thit@1\tlines\n", set, half, n)
			for _, s := range stages {
				sum, _ := total(all, s.Name, match)
				row(t, s.Name, sum)
			}
			fmt.Fprintln(t)
		}
	}
	last := stages[len(stages)-1].Name
	costTables(t, all, stages)
	groups := []struct {
		name string
		of   func(Answered) string
	}{
		{"kind", func(a Answered) string { return a.Question.Kind }},
		{"language", func(a Answered) string {
			if s := a.Question.Set(); s == Changes || s == Commits {
				return string(s) + ", " + a.Project.Language
			}
			return a.Project.Language
		}},
	}
	for _, g := range groups {
		fmt.Fprintf(t, "by %s", g.name)
		for _, half := range Halves {
			fmt.Fprintf(t, "\t%s", half)
		}
		fmt.Fprintf(t, "\tNDCG@10 of «%s»; words alone, dense alone\n", last)
		var names []string
		for _, a := range all {
			names = append(names, g.of(a))
		}
		if g.name == "kind" {
			names = Kinds
		} else {
			slices.Sort(names)
			names = slices.Compact(names)
		}
		for _, name := range names {
			cells := []string{}
			for _, half := range Halves {
				match := func(a Answered) bool { return a.Project.Half == half && g.of(a) == name }
				sum, n := total(all, last, match)
				cell := "–"
				if n > 0 {
					cell = fmt.Sprintf("%.3f", sum.NDCG)
				}
				cells = append(cells, cell)
			}
			both := func(a Answered) bool { return g.of(a) == name }
			words, _ := total(all, "words", both)
			dense, n := total(all, "dense", both)
			fmt.Fprintf(t, "%s (%d)\t%s\t%.3f\t%.3f\n", name, n, strings.Join(cells, "\t"), words.NDCG, dense.NDCG)
		}
		fmt.Fprintln(t)
	}
	calibration(t, all, last)
	if about.Asked > 0 {
		fmt.Fprintf(t, "\nrequests about something else\t%d\tanswered\t%.3f\n", about.Asked,
			float64(about.Answered)/float64(about.Asked))
	}
	return t.Flush()
}

// costTables print what answers cost: every stage over each half, then the last stage by kind.
func costTables(w io.Writer, all []Answered, stages []Stage) {
	const head = "\tanswer\tto file\tto line\t≤300\t≤500\t≤1000\t≤2000\n"
	of := func(stage string, match func(Answered) bool) (c costs) {
		for _, a := range all {
			if a.Stage == stage && a.Cost != nil && match(a) {
				c = append(c, *a.Cost)
			}
		}
		return c
	}
	for _, half := range Halves {
		fmt.Fprintf(w, "%s half, tokens%s", half, head)
		for _, s := range stages {
			if c := of(s.Name, func(a Answered) bool { return a.Project.Half == half }); len(c) > 0 {
				fmt.Fprintf(w, "%s\t%s\n", s.Name, c.row())
			}
		}
		fmt.Fprintln(w)
	}
	last := stages[len(stages)-1].Name
	fmt.Fprintf(w, "«%s» by kind%s", last, head)
	for _, kind := range Kinds {
		c := of(last, func(a Answered) bool { return a.Question.Kind == kind })
		fmt.Fprintf(w, "%s (%d)\t%s\n", kind, len(c), c.row())
	}
	fmt.Fprintln(w)
}

// calibration prints how often the first result is right by what its score says, for a score is to mean the same for
// every question.
func calibration(w io.Writer, all []Answered, stage string) {
	const buckets = 5
	var count, right [buckets]float64
	for _, a := range all {
		if a.Stage == stage {
			i := min(buckets-1, int(a.First*buckets))
			count[i]++
			right[i] += a.Score.Hit
		}
	}
	fmt.Fprintln(w, "score of the first result\tquestions\tright")
	for i := range buckets {
		if count[i] > 0 {
			fmt.Fprintf(w, "%.1f to %.1f\t%.0f\t%.2f\n", float64(i)/buckets, float64(i+1)/buckets, count[i], right[i]/count[i])
		}
	}
}

func row(w io.Writer, name string, s Score) {
	fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\n", name, s.NDCG, s.Recall, s.RR, s.Hit, s.Lines)
}

func total(all []Answered, stage string, match func(Answered) bool) (Score, int) {
	var sum Score
	n := 0
	for _, a := range all {
		if a.Stage == stage && match(a) {
			sum.Add(a.Score)
			n++
		}
	}
	return sum.Over(n), n
}

// Failures lists the questions of one half that a stage answers worst, for reading.
func Failures(w io.Writer, all []Answered, stage string, half Half, below float64) {
	var bad []Answered
	for _, a := range all {
		if a.Stage == stage && a.Project.Half == half && a.Score.NDCG < below {
			bad = append(bad, a)
		}
	}
	slices.SortStableFunc(bad, func(a, b Answered) int { return cmp.Compare(a.Score.NDCG, b.Score.NDCG) })
	for _, a := range bad {
		var want []string
		for _, t := range a.Question.Answer {
			want = append(want, t.Path)
		}
		fmt.Fprintf(w, "%.2f %s %s: %s\n      want %s\n      got  %s\n", a.Score.NDCG, a.Project.Name, a.Question.Kind,
			a.Question.Text,
			strings.Join(want, ", "), strings.Join(a.Found[:min(5, len(a.Found))], ", "))
	}
}
