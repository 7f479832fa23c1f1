package search

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"sync"

	"searchmcp/engine/api"
)

// The learned part of the ranking: regression trees, boosted by LambdaMART (Burges 2010), correct the sum for the files
// that lead it. What weights can't say, trees can: how far a signal counts depends on others, and what a chunk looks
// like tells whether it does something or only lists names. quality/train has how they are made.

//go:embed trees.json
var treesFile []byte

// learned are the trees that ship, read when a question first needs them.
var learned = sync.OnceValue(func() *trees {
	t, err := parseTrees(treesFile)
	if err != nil {
		panic(err) // TestTreesShip reads the same file
	}
	return t
})

// trees sum up what each of them says of a file's signals.
type trees struct {
	Signals []string `json:"signals"` // names of the values that Splits number
	Scale   float64  `json:"scale"`   // of the trees' unit in a score's
	Trees   []tree   `json:"trees"`
}

// tree is a binary tree, root first: at Splits[i] a signal of at most Limits[i] goes to Left[i], any other to Right[i].
// A child that is not negative is a split, -1-n the n-th leaf.
type tree struct {
	Splits []int     `json:"splits"`
	Limits []float64 `json:"limits"`
	Left   []int     `json:"left"`
	Right  []int     `json:"right"`
	Leaves []float64 `json:"leaves"`
}

// parseTrees reads trees of this program's signals.
func parseTrees(raw []byte) (*trees, error) {
	var t trees
	if err := json.Unmarshal(raw, &t); err != nil {
		return nil, fmt.Errorf("read trees: %w", err)
	}
	if names := SignalNames(); !slices.Equal(t.Signals, names) {
		return nil, fmt.Errorf("read trees: they are of the signals %q, the program has %q", t.Signals, names)
	}
	for i, one := range t.Trees {
		if err := one.check(len(t.Signals)); err != nil {
			return nil, fmt.Errorf("read tree %d: %w", i, err)
		}
	}
	return &t, nil
}

// check fails where walking the tree over so many signals would go wrong.
func (t tree) check(signals int) error {
	n := len(t.Splits)
	if len(t.Limits) != n || len(t.Left) != n || len(t.Right) != n || len(t.Leaves) != n+1 {
		return fmt.Errorf("%d splits have %d limits, %d and %d children and %d leaves",
			n, len(t.Limits), len(t.Left), len(t.Right), len(t.Leaves))
	}
	for i := range n {
		if t.Splits[i] < 0 || t.Splits[i] >= signals {
			return fmt.Errorf("there is no signal %d", t.Splits[i])
		}
		for _, child := range []int{t.Left[i], t.Right[i]} {
			if child >= 0 && child <= i || child >= n || child < -len(t.Leaves) {
				return fmt.Errorf("split %d has the child %d", i, child)
			}
		}
	}
	return nil
}

// score sets what the trees say of each file, in a score's unit: tree by tree, so that each is read from memory once.
func (t *trees) score(rows []fileRow) {
	for i := range t.Trees {
		for j := range rows {
			rows[j].said += t.Trees[i].of(rows[j].signals)
		}
	}
	for j := range rows {
		rows[j].said /= t.Scale
	}
}

// of is the value of the leaf that the signals lead to.
func (t *tree) of(signals []float64) float64 {
	at := 0
	for at >= 0 && len(t.Splits) > 0 {
		if signals[t.Splits[at]] <= t.Limits[at] {
			at = t.Left[at]
		} else {
			at = t.Right[at]
		}
	}
	return t.Leaves[max(0, -1-at)]
}

// maxLearned is how many files the trees order; of those behind them hardly any would get into the top ten.
const maxLearned = 40

// fileRow is a file that the trees order, with what its signals are made of.
type fileRow struct {
	best    *candidate
	of      *fileSignals
	shape   textShape // of the best chunk
	signals []float64
	said    float64 // by the trees
}

// fileRows are the files that the trees order, best first.
type fileRows struct {
	*ranking
	rows                []fileRow
	folders, extensions map[string]int // how many of the files each has
}

// count is how many of the files have more of something than one of them.
func (r *fileRows) count(more func(*fileRow) bool) float64 {
	n := 0.0
	for i := range r.rows {
		if more(&r.rows[i]) {
			n++
		}
	}
	return n
}

// signal is something that the trees see of a file.
type signal struct {
	name string
	of   func(*fileRows, *fileRow) float64
}

// rawSignals are given as they are.
var rawSignals = []signal{
	// what the best chunk looks like
	{"lines", func(_ *fileRows, f *fileRow) float64 { return f.shape.lines }},
	{"size", func(_ *fileRows, f *fileRow) float64 { return math.Log2(f.shape.bytes) }},
	{"line length", func(_ *fileRows, f *fileRow) float64 { return f.shape.bytes / f.shape.lines }},
	{"indent", func(_ *fileRows, f *fileRow) float64 { return f.shape.indent / f.shape.lines }},
	{"comment lines", func(_ *fileRows, f *fileRow) float64 { return f.shape.comment / f.shape.lines }},
	{"letters", func(_ *fileRows, f *fileRow) float64 { return f.shape.letters / f.shape.bytes }},
	{"capitals", func(_ *fileRows, f *fileRow) float64 { return f.shape.capitals / max(1, f.shape.letters) }},
	{"digits", func(_ *fileRows, f *fileRow) float64 { return f.shape.digits / f.shape.bytes }},
	{"quotes", func(_ *fileRows, f *fileRow) float64 { return f.shape.quotes / f.shape.bytes }},
	{"parentheses", func(_ *fileRows, f *fileRow) float64 { return f.shape.parentheses / f.shape.bytes }},
	{"punctuation", func(_ *fileRows, f *fileRow) float64 { return f.shape.punctuation / f.shape.bytes }},
	{"control flow", func(_ *fileRows, f *fileRow) float64 { return f.shape.control / f.shape.lines }},
	{"symbols per line", func(_ *fileRows, f *fileRow) float64 {
		return float64(len(f.best.chunk.Symbols)) / f.shape.lines
	}},
	// where it stands
	{"first line", func(_ *fileRows, f *fileRow) float64 { return float64(f.best.start) }},
	{"lines of file", func(_ *fileRows, f *fileRow) float64 { return float64(f.of.lines) }},
	{"position", func(_ *fileRows, f *fileRow) float64 { return float64(f.best.start) / float64(max(1, f.of.lines)) }},
	// what it and its file have of the query
	{"score", func(_ *fileRows, f *fileRow) float64 { return f.best.score }},
	{"place", func(_ *fileRows, f *fileRow) float64 { return f.best.factor("place") }},
	{"coverage", func(r *fileRows, f *fileRow) float64 { return r.q.coverage(f.best.matched) }},
	{"closest", func(r *fileRows, f *fileRow) float64 { return r.nearness(f.of.cosine) }},
	{"definition", func(_ *fileRows, f *fileRow) float64 { return f.best.factor("definition") }},
	{"file name", func(_ *fileRows, f *fileRow) float64 { return f.of.name }},
	{"found chunks", func(_ *fileRows, f *fileRow) float64 { return float64(f.of.found) }},
	{"candidates", func(_ *fileRows, f *fileRow) float64 { return float64(len(f.of.scores)) }},
	{"second chunk", func(_ *fileRows, f *fileRow) float64 {
		if len(f.of.scores) < 2 {
			return 0
		}
		return f.of.scores[1] / max(1e-9, f.of.scores[0])
	}},
	// how it stands among the others
	{"files closer", func(r *fileRows, f *fileRow) float64 {
		return r.count(func(other *fileRow) bool { return other.of.cosine > f.of.cosine })
	}},
	{"files with more words", func(r *fileRows, f *fileRow) float64 {
		return r.count(func(other *fileRow) bool { return other.best.words > f.best.words })
	}},
	{"files of folder", func(r *fileRows, f *fileRow) float64 { return float64(r.folders[path.Dir(f.best.path)]) }},
	{"share of extension", func(r *fileRows, f *fileRow) float64 {
		return float64(r.extensions[path.Ext(f.best.path)]) / float64(len(r.rows))
	}},
}

// sharedSignals are given as shares of the largest among the files that the trees order.
var sharedSignals = []signal{
	{"score of best", func(_ *fileRows, f *fileRow) float64 { return f.best.score }},
	{"coverage of best", func(r *fileRows, f *fileRow) float64 { return r.q.coverage(f.best.matched) }},
	{"words of best", func(_ *fileRows, f *fileRow) float64 { return f.best.words }},
	{"outline of best", func(_ *fileRows, f *fileRow) float64 { return f.of.outline }},
	{"file coverage of best", func(r *fileRows, f *fileRow) float64 { return r.q.coverage(f.of.matched) }},
	{"folder of best", func(_ *fileRows, f *fileRow) float64 { return f.best.factor("folder") }},
	{"file of best", func(_ *fileRows, f *fileRow) float64 { return f.best.factor("file") }},
}

// Observation is a file that the trees would order.
type Observation struct {
	Path    string
	Score   float64   // without the trees
	Signals []float64 // in the order of SignalNames
}

// SignalNames are the names of an observation's signals, in their order, by which trees number them.
func SignalNames() []string {
	var names []string
	for _, s := range slices.Concat(rawSignals, sharedSignals) {
		names = append(names, s.name)
	}
	return names
}

// learn adds to each of the first files what the trees say of it. They know words about code, asked of complete
// indexes; nothing else is theirs: bare names, paths and messages of programs are answered right nearly always. Who
// observes is told the files instead.
func (r *ranking) learn(corpus api.Corpus, observe func(Observation)) {
	if corpus != api.CorpusCode || !r.q.kind.inWords() || r.vectorCoverage == 0 {
		return
	}
	rows := r.fileRows()
	if observe != nil {
		for _, f := range rows {
			observe(Observation{Path: f.best.path, Score: f.best.score, Signals: f.signals})
		}
		return
	}
	onAllCores(rows, learned().score)
	said := make(map[string]float64, len(rows))
	for _, f := range rows {
		said[f.best.path] = r.vectorCoverage * f.said
	}
	for _, c := range r.candidates {
		c.add("learned", max(said[c.path], -0.9*c.score), "") // no score gets negative
	}
	slices.SortFunc(r.candidates, byScore)
}

// fileRows finds the first files and their signals.
func (r *ranking) fileRows() []fileRow {
	all := fileRows{ranking: r, folders: map[string]int{}, extensions: map[string]int{}}
	seen := map[string]bool{}
	for _, c := range r.candidates {
		if seen[c.path] {
			continue
		}
		if len(all.rows) == maxLearned {
			break
		}
		seen[c.path] = true
		all.folders[path.Dir(c.path)]++
		all.extensions[path.Ext(c.path)]++
		all.rows = append(all.rows, fileRow{best: c, of: r.files[c.path],
			signals: make([]float64, 0, len(rawSignals)+len(sharedSignals))})
	}
	onAllCores(all.rows, func(part []fileRow) {
		for i := range part {
			part[i].shape = textShapeOf(part[i].best.chunk.Text)
		}
	})
	for i := range all.rows {
		f := &all.rows[i]
		for _, s := range rawSignals {
			f.signals = append(f.signals, s.of(&all, f))
		}
	}
	for n, s := range sharedSignals {
		most := 0.0
		for i := range all.rows {
			value := s.of(&all, &all.rows[i])
			all.rows[i].signals = append(all.rows[i].signals, value)
			most = max(most, value)
		}
		for _, f := range all.rows {
			f.signals[len(rawSignals)+n] /= cmp.Or(most, 1)
		}
	}
	return all.rows
}

// nearness is how many standard deviations a cosine is above the mean of the neighbours'.
func (r *ranking) nearness(cosine float64) float64 {
	return (cosine - r.meanCosine) / r.cosineDeviation
}

// measureCosines finds the mean and the standard deviation of the candidates' cosines.
func (r *ranking) measureCosines() {
	n, sum, squares := 0.0, 0.0, 0.0
	for _, c := range r.candidates {
		if c.cosine > 0 {
			n, sum, squares = n+1, sum+c.cosine, squares+c.cosine*c.cosine
		}
	}
	n = max(1, n)
	r.meanCosine = sum / n
	r.cosineDeviation = math.Sqrt(max(1e-6, squares/n-r.meanCosine*r.meanCosine))
}

// factor is what one part of the sum has.
func (c *candidate) factor(name string) float64 {
	for _, f := range c.factors {
		if f.Name == name {
			return f.Value
		}
	}
	return 0
}

// textShape counts what a text looks like. Code that does something has more control flow and parentheses, and fewer
// letters, than declarations, tables and prose.
type textShape struct {
	bytes, lines, comment, indent                                        float64
	letters, capitals, digits, quotes, parentheses, punctuation, control float64
}

// tabWidth is how many blanks a tab at the beginning of a line counts for.
const tabWidth = 4

// commentStarts begin lines that are comments in most languages.
var commentStarts = []string{"//", "/*", "*", "#", "--", ";", `"""`, "'''"}

// directiveStarts are no comments although they begin like one.
var directiveStarts = []string{"#include", "#define", "#if", "#e"}

// controlWords by their first byte. They are counted where they stand, also within other words: it is a density, not a
// syntax.
var controlWords = func() (t [256][]string) {
	for _, w := range []string{"if ", "if(", "for ", "for(", "while", "return", "switch", "case ", "else"} {
		t[w[0]] = append(t[w[0]], w)
	}
	return t
}()

func textShapeOf(text string) textShape {
	t := textShape{bytes: float64(max(1, len(text)))}
	for line := range strings.Lines(text) {
		t.lines++
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		for i := 0; line[i] == ' ' || line[i] == '\t'; i++ {
			if t.indent++; line[i] == '\t' {
				t.indent += tabWidth - 1
			}
		}
		starts := func(s string) bool { return strings.HasPrefix(text, s) }
		if slices.ContainsFunc(commentStarts, starts) && !slices.ContainsFunc(directiveStarts, starts) {
			t.comment++
		}
	}
	t.lines = max(1, t.lines)
	var count [256]int
	for i := range len(text) {
		count[text[i]]++
		for _, w := range controlWords[text[i]] {
			if strings.HasPrefix(text[i:], w) {
				t.control++
			}
		}
	}
	for b, n := range count {
		n := float64(n)
		switch {
		case b >= 'a' && b <= 'z':
			t.letters += n
		case b >= 'A' && b <= 'Z':
			t.letters += n
			t.capitals += n
		case b >= '0' && b <= '9':
			t.digits += n
		}
	}
	t.quotes = float64(count['"'] + count['\''])
	t.parentheses = float64(count['('])
	t.punctuation = float64(count['('] + count['{'] + count['='] + count[';'] + count['['])
	return t
}
