package quality

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// Report prints the figures of each set at each stage, and those of the last stage by kind and by score. It also
// prints the share of off-topic requests with results, and the share of paragraphs that search_docs shows.
func Report(w io.Writer, f Figures, stages []Stage) error {
	all := f.answers
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	last := stages[len(stages)-1].Name
	for _, set := range Sets {
		head := true
		for _, s := range stages {
			some := filter(all, func(a Answered) bool { return a.Stage == s.Name && a.Question.Set() == set })
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
		row(t, kind, filter(all, func(a Answered) bool { return a.Stage == last && a.Question.Kind == kind }))
	}
	row(t, "all", filter(all, func(a Answered) bool { return a.Stage == last }))
	calibration(t, filter(all, func(a Answered) bool { return a.Stage == last }))
	if n := f.offTopic; n.asked > 0 {
		fmt.Fprintf(t, "\noff-topic requests\t%d\twith results\t%.3f\n", n.asked,
			float64(n.answered)/float64(n.asked))
	}
	if n := f.lines; n.asked > 0 {
		fmt.Fprintf(t, "\nparagraphs of manuals, ≤%d tokens\t%d\tpartly shown\t%.3f\tfully shown\t%.3f\n", docsTokens, n.asked,
			float64(n.answered)/float64(n.asked), float64(n.whole)/float64(n.asked))
	}
	return t.Flush()
}

func filter(all []Answered, match func(Answered) bool) (some []Answered) {
	for _, a := range all {
		if match(a) {
			some = append(some, a)
		}
	}
	return some
}

func header(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\tNDCG@10\trecall\tshown:", name)
	for _, limit := range Limits {
		fmt.Fprintf(w, " ≤%d\t", limit)
	}
	fmt.Fprint(w, "all\tfirst\tread:")
	for _, limit := range Limits {
		fmt.Fprintf(w, " ≤%d\t", limit)
	}
	fmt.Fprintln(w, "all\tanswer\tuntil read\tmean\tcalls")
}

// row prints the means of some answers. Columns after recall include only questions with known relevant lines. The
// columns "answer" and "until read" are medians of tokens.
func row(w io.Writer, name string, some []Answered) {
	if len(some) == 0 {
		return
	}
	mean := func(list []Answered, value func(Answered) float64) float64 { return Mean(values(list, value)) }
	fmt.Fprintf(w, "%s (%d)\t%.3f\t%.3f", name, len(some), mean(some, func(a Answered) float64 { return a.NDCG }),
		mean(some, func(a Answered) float64 { return a.Recall }))
	known := filter(some, func(a Answered) bool { return a.located })
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
		share(func(a Answered) bool { return a.shown[i] })
	}
	share(func(a Answered) bool { return a.shownAtAll })
	share(func(a Answered) bool { return a.first })
	for i := range Limits {
		share(func(a Answered) bool { return a.read[i] })
	}
	share(func(a Answered) bool { return a.readAtAll })
	fmt.Fprintf(w, "\t%d\t%d\t%.0f\t%.2f\n", Quantile(values(known, func(a Answered) int { return a.answer }), 0.5),
		Quantile(values(known, func(a Answered) int { return a.tokens }), 0.5),
		mean(known, func(a Answered) float64 { return float64(a.tokens) }),
		mean(known, func(a Answered) float64 { return float64(a.calls) }))
}

func values[T int | float64](list []Answered, value func(Answered) T) (all []T) {
	for _, a := range list {
		all = append(all, value(a))
	}
	return all
}

// Mean returns the mean of list, or 0 if list is empty.
func Mean(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(max(1, len(list)))
}

// Quantile returns the value of list at rank, which is between 0 and 1, or the zero value if list is empty.
func Quantile[T cmp.Ordered](list []T, rank float64) (v T) {
	if len(list) == 0 {
		return v
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(len(sorted)-1, int(rank*float64(len(sorted))))]
}

// calibration prints, for ranges of scores, the share of first results that are right. The meaning of a score should
// not depend on the question.
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
