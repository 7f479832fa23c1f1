package quality

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Report prints the figures: each set's stages, the last stage by kind and by score, and how often it answers what is
// about something else, and how often search_docs prints the paragraph that was asked for.
func Report(w io.Writer, all []Answered, stages []Stage, about Elsewhere, docs Manuals) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	last := stages[len(stages)-1].Name
	for _, set := range Sets {
		head := true
		for _, s := range stages {
			some := of(all, func(a Answered) bool { return a.Stage == s.Name && a.Question.Set() == set })
			if len(some) > 0 && head {
				header(t, fmt.Sprintf("%s (%d)", set, len(some)))
				head = false
			}
			row(t, s.Name, some)
		}
		if !head {
			fmt.Fprintln(t)
		}
	}
	header(t, last)
	for _, kind := range Kinds {
		row(t, kind, of(all, func(a Answered) bool { return a.Stage == last && a.Question.Kind == kind }))
	}
	row(t, "all", of(all, func(a Answered) bool { return a.Stage == last }))
	calibration(t, of(all, func(a Answered) bool { return a.Stage == last }))
	if about.Asked > 0 {
		fmt.Fprintf(t, "\nrequests about something else\t%d\tanswered\t%.3f\n", about.Asked,
			float64(about.Answered)/float64(about.Asked))
	}
	if n := float64(docs.Asked); n > 0 {
		fmt.Fprintf(t, "\nparagraphs of manuals, ≤%d tokens\t%d\ttold\t%.3f\twhole\t%.3f\n", docsTokens, docs.Asked,
			float64(docs.Told)/n, float64(docs.WithParagraph)/n)
	}
	return t.Flush()
}

func of(all []Answered, match func(Answered) bool) (some []Answered) {
	for _, a := range all {
		if match(a) {
			some = append(some, a)
		}
	}
	return some
}

func header(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\tNDCG@10\trecall\ttold:", name)
	for _, limit := range Limits {
		fmt.Fprintf(w, " ≤%d\t", limit)
	}
	fmt.Fprint(w, "all\tfirst\tread:")
	for _, limit := range Limits {
		fmt.Fprintf(w, " ≤%d\t", limit)
	}
	fmt.Fprintln(w, "all\tanswer\tuntil read\tmean\tcalls")
}

// row prints the means of some answers; of what they show, those of questions whose places are known; the tokens of an
// answer and until the place is read, in the median.
func row(w io.Writer, name string, some []Answered) {
	if len(some) == 0 {
		return
	}
	mean := func(list []Answered, value func(Answered) float64) float64 {
		sum := 0.0
		for _, a := range list {
			sum += value(a)
		}
		return sum / float64(len(list))
	}
	fmt.Fprintf(w, "%s (%d)\t%.3f\t%.3f", name, len(some), mean(some, func(a Answered) float64 { return a.NDCG }),
		mean(some, func(a Answered) float64 { return a.Recall }))
	known := of(some, func(a Answered) bool { return a.located })
	if len(known) == 0 {
		fmt.Fprintln(w)
		return
	}
	share := func(is func(Answered) bool) {
		fmt.Fprintf(w, "\t%.3f", mean(known, func(a Answered) float64 {
			if is(a) {
				return 1
			}
			return 0
		}))
	}
	for i := range Limits {
		share(func(a Answered) bool { return a.told[i] })
	}
	share(func(a Answered) bool { return a.toldAtAll })
	share(func(a Answered) bool { return a.first })
	for i := range Limits {
		share(func(a Answered) bool { return a.read[i] })
	}
	share(func(a Answered) bool { return a.readAtAll })
	fmt.Fprintf(w, "\t%d\t%d\t%.0f\t%.2f\n", median(known, func(a Answered) int { return a.answer }),
		median(known, func(a Answered) int { return a.tokens }),
		mean(known, func(a Answered) float64 { return float64(a.tokens) }),
		mean(known, func(a Answered) float64 { return float64(a.calls) }))
}

func median(list []Answered, value func(Answered) int) int {
	all := make([]int, len(list))
	for i, a := range list {
		all[i] = value(a)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// calibration prints how often the first file is right by what its score says, for a score is to mean the same for
// every question.
func calibration(w io.Writer, all []Answered) {
	const buckets = 5
	var count, right [buckets]float64
	for _, a := range all {
		i := min(buckets-1, int(a.Best*buckets))
		count[i]++
		if len(a.Files) > 0 && slices.ContainsFunc(a.Question.Answer,
			func(t Target) bool { return t.Path == a.Files[0] }) {
			right[i]++
		}
	}
	fmt.Fprintln(w, "\nscore of the first result\tquestions\tright")
	for i := range buckets {
		if count[i] > 0 {
			fmt.Fprintf(w, "%.1f to %.1f\t%.0f\t%.2f\n", float64(i)/buckets, float64(i+1)/buckets, count[i], right[i]/count[i])
		}
	}
}

// Failures lists the questions that a stage answers worst, for reading.
func Failures(w io.Writer, all []Answered, stage string, below float64) {
	bad := of(all, func(a Answered) bool { return a.Stage == stage && a.NDCG < below })
	slices.SortStableFunc(bad, func(a, b Answered) int { return cmp.Compare(a.NDCG, b.NDCG) })
	for _, a := range bad {
		var want []string
		for _, t := range a.Question.Answer {
			want = append(want, t.Path)
		}
		fmt.Fprintf(w, "%.2f %s %s: %s\n      want %s\n      got  %s\n", a.NDCG, a.Project.Name, a.Question.Kind,
			a.Question.Text, strings.Join(want, ", "), strings.Join(a.Files[:min(5, len(a.Files))], ", "))
	}
}
