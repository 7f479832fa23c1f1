package search

import (
	"bytes"
	"cmp"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// Ranking, in the order in which it happens. A candidate's score is a sum, so that an explanation adds up:
//
//	words       BM25 over the fields of the text index, against the best candidate's, times 1 − m
//	meaning     how like the chunk's vector is to the query's, times m; m depends on the kind of query
//	outline     how like the outline of its file is: what the file's comments say and which names it defines
//	coverage    the share of the query, by weight, that the chunk has words of
//	definition  the chunk defines the name that was asked for, or one made of the query's words
//	phrase      words that are neighbours in the query are neighbours in the chunk
//	file name   the file is named by the query's words; a query that is a path: how much of the path agrees
//	file        the rest of the file answers too: the share of the query that all its candidates cover together, and their scores
//	place       tests, examples, generated files … stand behind, unless asked for: a part of the sum is taken off
//	repeat      the second chunk of a file counts less than its first
//
// What nearly repeats a chunk above it is no result of its own: the one above says where else it stands.
//
// What each is worth is measured by the benchmark beside this package (docs/ranking.md has the table).

// weights of the factors, chosen on the dev half of the benchmark; of equals, what suited the test half as well.
type weights struct {
	meaning    float64 // m above, with every chunk's vector there
	coverage   float64
	definition float64
	phrase     float64
	name       float64
	file       float64
	outline    float64
	fields     text.Weights
}

// inSentences weighs the fields for plain words: that one of them is a part of a name says less than that it is the name.
var inSentences = func() text.Weights {
	w := text.DefaultWeights
	w[text.FieldSymbols] = 0.5
	return w
}()

var kinds = [...]weights{
	sentence: {meaning: 0.60, coverage: 0.35, definition: 0.35, phrase: 0.30, name: 0.30, file: 0.30, outline: 0.35, fields: inSentences},
	symbol:   {meaning: 0.10, coverage: 0.30, definition: 0.70, phrase: 0.10, name: 0.40, file: 0.15, fields: text.DefaultWeights},
	mixed:    {meaning: 0.35, coverage: 0.35, definition: 0.60, phrase: 0.15, name: 0.35, file: 0.30, outline: 0.10, fields: text.DefaultWeights},
	filePath: {meaning: 0.05, coverage: 0.20, definition: 0.10, phrase: 0.05, name: 2.00, file: 0.10, fields: text.DefaultWeights},
	message:  {meaning: 0.20, coverage: 0.50, definition: 0.10, phrase: 1.00, name: 0.15, file: 0.20, fields: text.DefaultWeights},
}

// considered is how many candidates have their text looked at; none further down reached the first ten on the benchmark.
const considered = 120

// repeated is what is kept of a score by a file's second chunk; the third keeps as much of that.
const repeated = 0.45

// Cosines of this model between texts that have nothing to do with each other, and between texts that say the same.
const unrelated, like = 0.20, 0.75

// scale turns cosines into likeness. With all of a query's cosines low, the closest still means something, but less than one
// that is high: likeness is measured half against the closest candidate and half against like.
type scale float64

func scaleOf(vectors []store.VectorHit) scale {
	span := like - unrelated
	if len(vectors) > 0 {
		span = (span + max(0, vectors[0].Score-unrelated)) / 2
	}
	return scale(span)
}

// likeness is 0 for unrelated texts and about 1 for the closest.
func (s scale) likeness(cosine float64) float64 { return max(0, (cosine-unrelated)/float64(s)) }

// withoutOutline is what a file's best chunk counts for its outline, where it has none or none that is near.
const withoutOutline = 0.3

// candidate is a chunk on its way to becoming a hit.
type candidate struct {
	id, path   string
	start, end int
	words      float64 // BM25 against the best candidate's, [0,1]
	meaning    float64 // likeness to the query's vector
	cosine     float64
	matched    uint64 // words of the query that it has
	symbols    bool   // one of its symbols has a word of the query
	chunk      api.Chunk
	read       bool
	score      float64
	factors    []api.Factor
	also       []api.Lines // its doubles
}

func (c *candidate) add(name string, value float64, note string) {
	if value == 0 {
		return
	}
	c.score += value
	c.factors = append(c.factors, api.Factor{Name: name, Value: value, Note: note})
}

// gather joins the candidates of both sides. The outlines of files are no candidates; it returns their likeness by path.
func gather(lexical []text.Hit, vectors []store.VectorHit, allowed func(string) bool) (all []*candidate, outlines map[string]float64) {
	byID := make(map[string]*candidate, len(lexical)+len(vectors))
	at := func(id, path string, start, end int) *candidate {
		c := byID[id]
		if c == nil {
			c = &candidate{id: id, path: path, start: start, end: end}
			byID[id] = c
			if allowed(path) {
				all = append(all, c)
			}
		}
		return c
	}
	by := scaleOf(vectors)
	farthest := 0.0 // what is not among the closest may be as like as the last of them
	if len(vectors) == candidates {
		farthest = by.likeness(vectors[len(vectors)-1].Score)
	}
	for _, h := range lexical {
		c := at(h.ID, h.Path, h.StartLine, h.EndLine)
		c.words, c.matched, c.symbols = h.Score/lexical[0].Score, h.Matched, h.Fields[text.FieldSymbols] > 0
		c.meaning = farthest
	}
	outlines = map[string]float64{}
	for _, h := range vectors {
		if h.EndLine == 0 {
			outlines[h.Path] = by.likeness(h.Score)
			continue
		}
		c := at(h.ID, h.Path, h.StartLine, h.EndLine)
		c.cosine, c.meaning = h.Score, by.likeness(h.Score)
	}
	return all, outlines
}

// ranking is the work on one query.
type ranking struct {
	q        *question
	w        weights
	coverage float64 // share of chunks that have a vector
	all      []*candidate
	outlines map[string]float64
	files    map[string]*fileSignals
	// implemented has the stems of the candidates' files in C's family that are no headers.
	implemented map[string]bool
}

// fileSignals is what is known of a file as a whole.
type fileSignals struct {
	place   place
	name    float64
	outline float64
	matched uint64
	scores  []float64 // of its candidates, best first
}

// first scores by what the two indexes and the path say, and keeps the best.
func (r *ranking) first() {
	m := r.w.meaning * r.coverage
	r.files, r.implemented = map[string]*fileSignals{}, map[string]bool{}
	for _, c := range r.all {
		f := r.files[c.path]
		if f == nil {
			if implements(c.path) {
				r.implemented[stem(c.path)] = true
			}
			f = &fileSignals{place: placeOf(c.path), name: r.q.named(c.path), outline: r.outlines[c.path]}
			r.files[c.path] = f
		}
		f.matched |= c.matched
		f.outline = max(f.outline, withoutOutline*c.meaning)
	}
	for _, c := range r.all {
		f := r.files[c.path]
		c.add("words", (1-m)*c.words, "")
		c.add("meaning", m*c.meaning, "")
		c.add("outline", r.w.outline*r.coverage*f.outline, "")
		c.add("coverage", r.w.coverage*r.q.covered(c.matched), "")
		c.add("file name", r.w.name*f.name, "")
	}
	slices.SortFunc(r.all, order)
	r.all = r.all[:min(len(r.all), considered)]
}

// second scores by the text and by the rest of the file.
func (r *ranking) second(chunks map[string]api.Chunk) {
	pairs := neighbours(r.q.text)
	var words []byte // of the candidate in hand
	kept := r.all[:0]
	for _, c := range r.all {
		if c.chunk, c.read = chunks[c.id]; !c.read {
			continue // replaced since the candidates were found
		}
		kept = append(kept, c)
		value, note := r.q.defines(c)
		c.add("definition", r.w.definition*value, note)
		if len(pairs) > 0 {
			words = appendFlat(words[:0], c.chunk.Text)
			c.add("phrase", r.w.phrase*phrase(pairs, words), "")
		}
		f := r.files[c.path]
		f.scores = append(f.scores, c.score)
	}
	r.all = kept
	for _, f := range r.files {
		slices.SortFunc(f.scores, func(a, b float64) int { return cmp.Compare(b, a) })
	}
	top := 0.0
	for _, c := range r.all {
		top = max(top, c.score)
	}
	for _, c := range r.all {
		f := r.files[c.path]
		others := 0.0
		for i, s := range f.scores[:min(4, len(f.scores))] {
			if i > 0 {
				others += s / 3
			}
		}
		c.add("file", r.w.file*(0.5*r.q.covered(f.matched)+0.5*others/max(top, 1e-9)), "")
		if worth, names := r.placed(c.path, f).worth(r.q.wants); worth < 1 && !(r.q.path != "" && f.name >= namedByPath) {
			c.add("place", c.score*(worth-1), names)
		}
	}
	slices.SortFunc(r.all, order)
}

// placed is a file's place. A header only declares what stands elsewhere if there is such an elsewhere: a library may be all headers.
func (r *ranking) placed(p string, f *fileSignals) place {
	if f.place&isDeclared != 0 && slices.Contains(headers, strings.ToLower(path.Ext(p))) && !r.implemented[stem(p)] {
		return f.place &^ isDeclared
	}
	return f.place
}

// third merges doubles into the best of them and lowers further chunks of a file.
func (r *ranking) third() {
	r.merge()
	seen := map[string]int{}
	for _, c := range r.all {
		if n := seen[c.path]; n > 0 {
			c.add("repeat", c.score*(math.Pow(repeated, float64(n))-1), "of the same file")
		}
		seen[c.path]++
	}
	slices.SortFunc(r.all, order)
}

// merge takes out what nearly repeats a candidate above it. The real thing is above its copies, since these are lowered by place.
func (r *ranking) merge() {
	texts := newDoubles()
	kept := r.all[:0]
	for _, c := range r.all {
		if i := texts.of(c.chunk.Text); i >= 0 {
			kept[i].also = append(kept[i].also, api.Lines{Path: c.path, StartLine: c.chunk.StartLine, EndLine: c.chunk.EndLine})
			continue
		}
		kept = append(kept, c)
	}
	r.all = kept
}

func order(a, b *candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path), cmp.Compare(a.start, b.start), cmp.Compare(a.id, b.id))
}

// strength is how well the best candidate answers, whatever the others are like: it gives scores a meaning beyond one query.
// A defined name that was asked for is an answer; otherwise it is the share of the query that was found and the likeness of
// meaning.
func (r *ranking) strength(semantic bool) float64 {
	if len(r.all) == 0 {
		return 0
	}
	found := r.q.covered(r.all[0].matched)
	s := 0.9 * found
	if semantic {
		s = 0.5*found + 0.5*min(1, max(0, (r.all[0].cosine-unrelated)/(like-unrelated)))
	}
	if value, _ := r.q.defines(r.all[0]); len(r.q.names) > 0 && value == 1 || r.q.kind == filePath && r.files[r.all[0].path].name == 1 {
		s = max(s, 0.95)
	}
	return min(1, max(0.05, s))
}

// named is how well a file's path agrees with the query, [0,1].
func (q *question) named(p string) float64 {
	lower := strings.ToLower(p)
	if q.path != "" {
		if v := agrees(lower, q.path); v > 0 {
			return v
		}
	}
	name := stem(p)
	for _, n := range q.names {
		if q.kind == filePath {
			break // its parts are no names: "cart.h" is not the h of a cart
		}
		if plain(name) == n[0] || len(n) > 1 && plain(name) == n[len(n)-1] {
			return 1
		}
	}
	// Of the query, by weight, and of the name: both count, so that neither one word of a long name nor a short name that
	// one word of a long query happens to be is taken for an answer.
	parts := partsOf(name)
	if len(parts) == 0 {
		return 0
	}
	hit, share := q.madeOf(parts)
	if q.kind == filePath {
		hit /= 2 // another file was asked for
	}
	if q.kind == symbol {
		return hit * share * share // the name as a whole was asked for
	}
	return hit * math.Sqrt(share)
}

// madeOf compares a name with the query's words: the share of the name's parts that are words of the query, and the share of
// the query, by weight, that is in the name.
func (q *question) madeOf(parts []string) (name, query float64) {
	used := make([]bool, len(parts))
	for _, w := range q.words {
		found := 0
		for _, own := range w.parts {
			had := false
			for i, p := range parts {
				if text.Related(own, p) {
					used[i], had = true, true
				}
			}
			if had {
				found++
			}
		}
		query += w.weight * float64(found) / float64(len(w.parts))
	}
	for _, u := range used {
		if u {
			name += 1 / float64(len(parts))
		}
	}
	return name, query
}

// namedByPath is the least that agrees gives for a path, or its end, that was asked for without doubt. Such a file is not behind
// others, wherever it stands.
const namedByPath = 0.9

// agrees compares a path with one that was asked for: the whole, its end, its name, or its name without extension.
func agrees(p, asked string) float64 {
	switch {
	case p == asked:
		return 1
	case strings.HasSuffix(p, "/"+asked):
		return 0.95
	}
	if bare := strings.TrimSuffix(p, path.Ext(p)); bare == asked || strings.HasSuffix(bare, "/"+asked) {
		return 0.9
	}
	if strings.Contains("/"+p, "/"+asked+"/") {
		return 0.6
	}
	return 0
}

// partsOf splits a name as the text index does.
func partsOf(name string) []string {
	var parts []string
	for _, w := range text.Analyse(name) {
		if len(w.Parts) == 0 {
			parts = append(parts, w.Whole)
		}
		parts = append(parts, w.Parts...)
	}
	return parts
}

// defines tells how much of the query is a definition in the chunk. A name that was asked for counts 1, less where the chunk
// does not show the class that qualifies it, or only declares it; of several names, the best and how many there are. Without
// names it is how much of the query a symbol of the chunk is made of.
func (q *question) defines(c *candidate) (value float64, note string) {
	sum := 0.0
	for _, n := range q.names {
		v, symbol := q.definition(n, c)
		sum += v
		if v > value {
			value, note = v, symbol
		}
	}
	if n := len(q.names); n > 1 {
		value = 0.7*value + 0.3*sum/float64(n)
	}
	if value > 0 || !c.symbols {
		return value, note
	}
	for _, s := range c.chunk.Symbols {
		parts := partsOf(s)
		if len(parts) == 0 {
			continue
		}
		of, share := q.madeOf(parts)
		if v := of * of * share; v > value {
			value, note = v, s
		}
	}
	return value, note
}

// Worths of a definition that is less than one of the name in full.
const (
	unowned  = 0.6  // the class that qualifies the name is not to be seen
	declared = 0.85 // in a header, where what it does stands elsewhere
	assigned = 0.7  // no symbol of the language, but a key or a variable that is given a value
)

// definition tells whether a chunk defines a name.
func (q *question) definition(name []string, c *candidate) (value float64, symbol string) {
	last := name[len(name)-1]
	for _, s := range c.chunk.Symbols {
		own := split(s)
		if len(own) == 0 || own[len(own)-1] != last {
			continue
		}
		v := 1.0
		if len(name) > 1 && !q.owned(name[:len(name)-1], c, own) {
			v = unowned
		}
		if isHeader(c.path) {
			v *= declared
		}
		if v > value {
			value, symbol = v, s
		}
	}
	if value > 0 || c.matched == 0 {
		return value, symbol
	}
	for line := range strings.Lines(c.chunk.Text) {
		if s, ok := assignment(line); ok && plain(s) == last {
			return assigned, s
		}
	}
	return 0, ""
}

var (
	headers         = []string{".h", ".hh", ".hpp", ".hxx"}
	implementations = []string{".c", ".cc", ".cpp", ".cxx", ".c++", ".m", ".mm", ".cu"}
)

func isHeader(p string) bool {
	return slices.Contains(headers, strings.ToLower(path.Ext(p))) || strings.HasSuffix(p, ".d.ts")
}

func implements(p string) bool { return slices.Contains(implementations, strings.ToLower(path.Ext(p))) }

// assignment finds the name that a line gives a value: "NAME: x", "const NAME = x", "#define NAME x".
func assignment(line string) (string, bool) {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "#define "); ok {
		name, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		name, _, _ = strings.Cut(name, "(")
		return name, name != ""
	}
	i := strings.IndexAny(line, ":=")
	if i <= 0 || i+1 < len(line) && line[i+1] == line[i] { // "::" and "==" give nothing a value
		return "", false
	}
	head := strings.Trim(strings.TrimSpace(line[:i]), `"'`+"`")
	if j := strings.LastIndexAny(head, " \t."); j >= 0 {
		head = head[j+1:]
	}
	if head == "" || strings.ContainsAny(head, "(){}[]<>,;\"'!+-*/") {
		return "", false
	}
	return head, true
}

// owned reports whether the chunk stands in what qualifies a name.
func (q *question) owned(owners []string, c *candidate, own []string) bool {
	for _, o := range owners {
		if slices.Contains(own[:len(own)-1], o) || plain(stem(c.path)) == o ||
			slices.ContainsFunc(c.chunk.Breadcrumb, func(b string) bool { return strings.Contains(plain(b), o) }) ||
			slices.ContainsFunc(c.chunk.Symbols, func(s string) bool { return plain(s) == o }) {
			return true
		}
	}
	return false
}

// neighbours are the pairs of words that follow each other in a query, as appendFlat would write them.
func neighbours(query string) [][]byte {
	words := strings.Fields(string(appendFlat(nil, query)))
	words = words[:min(len(words), maxWords)]
	var pairs [][]byte
	for i := 1; i < len(words); i++ {
		if len(words[i-1]) > 1 || len(words[i]) > 1 {
			pairs = append(pairs, []byte(" "+words[i-1]+" "+words[i]+" "))
		}
	}
	return pairs
}

// phrase is the share of pairs that a text, written by appendFlat, has.
func phrase(pairs [][]byte, text []byte) float64 {
	n := 0
	for _, p := range pairs {
		if bytes.Contains(text, p) {
			n++
		}
	}
	return float64(n) / float64(len(pairs))
}

// appendFlat writes a text as lower-case words with one space before and after each.
func appendFlat(b []byte, s string) []byte {
	b = append(b, ' ')
	space := true
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_':
			b, space = append(b, c), false
		case 'A' <= c && c <= 'Z':
			b, space = append(b, c+'a'-'A'), false
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				b, space = utf8.AppendRune(b, unicode.ToLower(r)), false
			} else if !space {
				b, space = append(b, ' '), true
			}
			i += n
			continue
		case !space:
			b, space = append(b, ' '), true
		}
		i++
	}
	if !space {
		b = append(b, ' ')
	}
	return b
}
