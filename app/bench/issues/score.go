package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/store/text"
)

// score contains the sums of the figures of several records.
type score struct {
	n            int        // records
	file, place  [4]float64 // file@k and place@k for the k in ranks
	shown        float64    // records with a changed line in the answer
	all          float64    // records with all changed ranges among the first ten hits
	tokens, ndcg float64
	took         []time.Duration
}

// ranks are the k of file@k and place@k.
var ranks = [4]int{1, 3, 5, 10}

// scores maps "WORDING|METHOD" to its score.
type scores map[string]*score

// maxRange is the number of lines of a range that are evaluated.
const maxRange = 150

// changed reports whether the first maxRange lines of l contain a line that the fix changed.
func (r Record) changed(l api.Lines) bool {
	last := min(l.EndLine, l.StartLine+maxRange-1)
	return slices.ContainsFunc(r.Relevant, func(rel Relevant) bool {
		return rel.Path == l.Path && slices.ContainsFunc(rel.Hunks, func(h [2]int) bool {
			return h[0] <= last && l.StartLine <= h[1]
		})
	})
}

func (s scores) add(method string, r Record, a reply) {
	one := score{n: 1, tokens: float64(a.tokens)}
	var files []string
	for _, l := range a.places {
		if !slices.Contains(files, l.Path) {
			files = append(files, l.Path)
		}
	}
	found := slices.IndexFunc(a.places, r.changed)
	for i, k := range ranks {
		if !slices.ContainsFunc(r.Relevant, func(rel Relevant) bool { return !slices.Contains(files[:min(k, len(files))], rel.Path) }) {
			one.file[i] = 1
		}
		if found >= 0 && found < k {
			one.place[i] = 1
		}
	}
	if slices.ContainsFunc(a.named, r.changed) {
		one.shown = 1
	}
	one.all = 1
	for _, rel := range r.Relevant {
		for _, h := range rel.Hunks {
			if !slices.ContainsFunc(a.places[:min(10, len(a.places))], func(l api.Lines) bool {
				return l.Path == rel.Path && h[0] <= l.EndLine && l.StartLine <= h[1]
			}) {
				one.all = 0
			}
		}
	}
	gain, ideal := 0.0, 0.0
	for i := range 10 {
		g := 1 / math.Log2(float64(i)+2)
		if i < len(r.Relevant) {
			ideal += g
		}
		if i < len(files) && slices.ContainsFunc(r.Relevant, func(rel Relevant) bool { return rel.Path == files[i] }) {
			gain += g
		}
	}
	one.ndcg = gain / max(ideal, 1e-9)
	if *dump {
		fmt.Printf("DUMP\t%s\t%s\t%.2f\t%v\t%d\t%.0f\t%.0f\n", method, r.id(), a.score, one.file, found, one.shown, one.all)
	}
	names := []string{r.Wording}
	if *byRepo {
		names = append(names, r.Wording+" "+r.Repo)
	}
	for _, name := range names {
		key := name + "|" + method
		if s[key] == nil {
			s[key] = &score{}
		}
		s[key].plus(one, a.took)
	}
	if *verbose != "" && strings.Contains(r.id(), *verbose) {
		fmt.Printf("%s %s: file@1 %.0f place@10 %.0f shown %.0f, want %v\n", method, r.id(), one.file[0], one.place[3],
			one.shown, r.Relevant)
		for i, line := range a.print[:min(12, len(a.print))] {
			mark := " "
			if r.changed(a.places[i]) {
				mark = "*"
			}
			fmt.Println(mark, line)
		}
	}
}

func (t *score) plus(o score, took time.Duration) {
	t.n += o.n
	for i := range ranks {
		t.file[i] += o.file[i]
		t.place[i] += o.place[i]
	}
	t.shown, t.all, t.tokens, t.ndcg = t.shown+o.shown, t.all+o.all, t.tokens+o.tokens, t.ndcg+o.ndcg
	t.took = append(t.took, took)
}

func (s scores) print() {
	var keys []string
	for k := range s {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	fmt.Println("| set | method | n | file@1 | 3 | 5 | 10 | place@1 | 3 | 5 | 10 | shown | all@10 | NDCG@10 | tokens | ms p50 | p95 |")
	fmt.Println("|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|")
	for _, k := range keys {
		t := s[k]
		n := float64(t.n)
		name, method, _ := strings.Cut(k, "|")
		fmt.Printf("| %s | %s | %d |", name, method, t.n)
		for _, list := range [][4]float64{t.file, t.place} {
			for _, v := range list {
				fmt.Printf(" %.3f |", v/n)
			}
		}
		slices.Sort(t.took)
		fmt.Printf(" %.3f | %.3f | %.3f | %.0f | %d | %d |\n", t.shown/n, t.all/n, t.ndcg/n, t.tokens/n,
			t.took[len(t.took)/2].Milliseconds(), t.took[len(t.took)*95/100].Milliseconds())
	}
}

// baseline ranks declarations by BM25 alone, with identifiers split into words, and without tests.
func (p *project) baseline(query string) reply {
	began := time.Now()
	wanted := map[string]bool{}
	var tokenizer text.Tokenizer
	tokenizer.Tokens(query, func(tok []byte, _ bool) {
		if len(tok) > 2 {
			wanted[string(tok)] = true
		}
	})
	type unit struct {
		at     api.Lines
		n      int
		counts map[string]int
		score  float64
	}
	var all []*unit
	df, total := map[string]int{}, 0
	for name, blob := range p.current {
		if search.IsTest(name) {
			continue
		}
		units := map[[2]int]*unit{}
		for _, c := range p.chunks[blob+name] {
			if c.EndLine == 0 {
				continue
			}
			decls := text.Units(c)
			n := c.StartLine - 1
			for line := range strings.Lines(c.Text) {
				n++
				for i := len(decls) - 1; i >= 0; i-- {
					d := decls[i]
					if n < d.Start || n > d.End {
						continue
					}
					k := [2]int{d.Start, d.End}
					u := units[k]
					if u == nil {
						u = &unit{at: api.Lines{Path: name, StartLine: d.Start, EndLine: d.End}, counts: map[string]int{}}
						units[k] = u
						all = append(all, u)
					}
					tokenizer.Tokens(line, func(tok []byte, _ bool) {
						u.n++
						if wanted[string(tok)] {
							u.counts[string(tok)]++
						}
					})
					break
				}
			}
		}
		for _, u := range units {
			total += u.n
			for tok := range u.counts {
				df[tok]++
			}
		}
	}
	mean := float64(total) / float64(max(1, len(all)))
	for _, u := range all {
		for tok, n := range u.counts {
			idf := math.Log(1 + (float64(len(all))-float64(df[tok])+0.5)/(float64(df[tok])+0.5))
			u.score += idf * float64(n) * 2.2 / (float64(n) + 1.2*(0.25+0.75*float64(u.n)/mean))
		}
	}
	slices.SortFunc(all, func(a, b *unit) int {
		switch {
		case a.score != b.score:
			if a.score > b.score {
				return -1
			}
			return 1
		case a.at.Path != b.at.Path:
			return strings.Compare(a.at.Path, b.at.Path)
		}
		return a.at.StartLine - b.at.StartLine
	})
	a := reply{took: time.Since(began)}
	for _, u := range all[:min(len(all), api.MaxTopK)] {
		a.places = append(a.places, u.at)
		a.print = append(a.print, u.at.String())
	}
	a.named = a.places[:min(22, len(a.places))]
	return a
}
