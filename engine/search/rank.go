package search

import (
	"cmp"
	"math"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// Ranking, in the order in which it happens. A candidate's score is a sum, so that an explanation adds up:
//
//	words       BM25 over the fields of the text index, relative to the best candidate's, times 1 − m
//	meaning     similarity of the chunk's vector to the query's, times m; m depends on the kind of query
//	outline     similarity of its file's outline: what the file's comments say and which names it defines
//	history     commits whose messages are like the query changed the file
//	coverage    the share of the query's words, by weight, that the chunk contains
//	definition  the chunk defines the name in the query, or a name made of the query's words
//	phrase      words that are neighbours in the query are neighbours in the chunk
//	file name   the file's name has the query's words; for a query that is a path: how much of the path matches
//	file        the rest of the file matches too: the coverage of all its candidates together, and their scores
//	tests       the file's tests match
//	folder      other files of its folder match
//	scope       a message of a change names the file or its folder before its colon
//	size        messages of changes are about large files oftener
//	place       the path's role: tests, examples, generated files … are demoted unless asked for
//	declaration the part of a chunk that its best declaration does not answer
//	repeat      a file's second declaration counts less than its first
//
// A near-duplicate of a higher-ranked chunk is no hit of its own: the higher one lists where else it is found.
//
// The benchmark beside this package measures each factor's effect (docs/ranking.md has the table).

// weights of the factors, chosen on the dev half of the benchmark; among equals, those that did well on the test half
// too. How much meaning counts in sentences was chosen on half of the broad part: whoever knows a project's words, as
// dev's and test's questions do, needs less of it than whoever has never seen it.
type weights struct {
	meaning    float64 // m above, when every chunk has a vector
	coverage   float64
	definition float64
	phrase     float64
	name       float64
	file       float64
	outline    float64
	context    float64 // of what other files and a message's scope say
	fields     text.Weights
}

// sentenceFields halves the weight of symbols for natural language, whose words are often parts of unrelated names.
var sentenceFields = func() text.Weights {
	w := text.DefaultWeights
	w[text.FieldSymbols] = 0.5
	return w
}()

var weightsOf = [...]weights{
	sentence: {meaning: 0.80, coverage: 0.45, definition: 0.35, phrase: 0.40, name: 0.30, file: 0.30,
		outline: 0.35, context: 1,
		fields: sentenceFields},
	changeMessage: {meaning: 0.60, coverage: 0.45, definition: 0.35, phrase: 0.40, name: 0.30, file: 0.30,
		outline: 0.25, context: 1,
		fields: sentenceFields},
	symbol: {meaning: 0.10, coverage: 0.30, definition: 0.70, phrase: 0.10, name: 0.40, file: 0.15,
		fields: text.DefaultWeights},
	mixed: {meaning: 0.35, coverage: 0.35, definition: 0.60, phrase: 0.15, name: 0.35, file: 0.30,
		outline: 0.10, context: 1,
		fields: text.DefaultWeights},
	filePath: {meaning: 0.05, coverage: 0.20, definition: 0.10, phrase: 0.05, name: 2.00, file: 0.10,
		fields: text.DefaultWeights},
	message: {meaning: 0.20, coverage: 0.50, definition: 0.10, phrase: 1.00, name: 0.15, file: 0.20, context: 1,
		fields: text.DefaultWeights},
}

// maxRescored is how many candidates are rescored by their text; none below reached the top ten on the benchmark.
const maxRescored = 120

// repeatFactor is applied to the score of a file's second declaration, twice to the third's, and so on.
const repeatFactor = 0.6

// Typical cosines of this model for unrelated texts and for texts that say the same.
const unrelatedCosine, similarCosine = 0.20, 0.75

// similarityScale normalises cosines, half by the closest candidate's and half by similarCosine: if all cosines are
// low, the closest still counts, but less than a high one would.
type similarityScale float64

func similarityScaleOf(vectors []store.VectorHit) similarityScale {
	span := similarCosine - unrelatedCosine
	if len(vectors) > 0 {
		span = (span + max(0, vectors[0].Score-unrelatedCosine)) / 2
	}
	return similarityScale(span)
}

// similarity is 0 for unrelated texts and about 1 for the closest.
func (s similarityScale) similarity(cosine float64) float64 {
	return max(0, (cosine-unrelatedCosine)/float64(s))
}

// outlineDefault weighs a file's best chunk in place of its outline, if the file has none among the neighbours.
const outlineDefault = 0.3

// candidate is a chunk that may become a hit.
type candidate struct {
	id, path      string
	start, end    int
	words         float64 // BM25 relative to the best candidate's, [0,1]
	meaning       float64 // similarity to the query's vector, [0,1]
	cosine        float64
	matched       uint64 // bit set of the query's words that it contains
	matchesSymbol bool   // one of its symbols contains a word of the query
	definesType   bool   // it defines a type that the query names
	chunk         api.Chunk
	hasText       bool
	score         float64
	factors       []api.Factor
	lines         []uint64    // hashes of its lines, for nearDuplicates
	also          []api.Lines // its near-duplicates
}

func (c *candidate) add(name string, value float64, note string) {
	if value == 0 {
		return
	}
	c.score += value
	c.factors = append(c.factors, api.Factor{Name: name, Value: value, Note: note})
}

// gather merges the hits of both retrievers. Outlines of files are no candidates; it returns their similarity by path.
func gather(lexical []text.Hit, vectors []store.VectorHit,
	allowed func(string) bool) (all []*candidate, outlines map[string]float64) {
	byID := make(map[string]*candidate, len(lexical)+len(vectors))
	shown := map[string]bool{} // what allowed said
	at := func(id, path string, start, end int) *candidate {
		c := byID[id]
		if c == nil {
			c = &candidate{id: id, path: path, start: start, end: end}
			byID[id] = c
			may, asked := shown[path]
			if !asked {
				may = allowed(path)
				shown[path] = may
			}
			if may {
				all = append(all, c)
			}
		}
		return c
	}
	scale := similarityScaleOf(vectors)
	farthest := 0.0 // of the last neighbour: an upper bound for every chunk that is not among them
	if len(vectors) == maxCandidates {
		farthest = scale.similarity(vectors[len(vectors)-1].Score)
	}
	for _, h := range lexical {
		c := at(h.ID, h.Path, h.StartLine, h.EndLine)
		c.words, c.matched, c.matchesSymbol = h.Score/lexical[0].Score, h.Matched, h.Fields[text.FieldSymbols] > 0
		c.meaning = farthest
	}
	outlines = map[string]float64{}
	for _, h := range vectors {
		if h.EndLine == 0 {
			outlines[h.Path] = scale.similarity(h.Score)
			continue
		}
		c := at(h.ID, h.Path, h.StartLine, h.EndLine)
		c.cosine, c.meaning = h.Score, scale.similarity(h.Score)
	}
	return all, outlines
}

// ranking is the state of ranking one query.
type ranking struct {
	q              *parsedQuery
	w              weights
	vectorCoverage float64 // share of chunks that have a vector
	candidates     []*candidate
	outlines       map[string]float64
	history        map[string]float64        // what commits say for files, [0,1)
	scopeChanged   func(path string) float64 // how far commits of the query's scope changed it, [0,1]
	scopeCommits   int
	files          map[string]*fileSignals
	chunks         map[string]api.Chunk // the candidates' texts, by id
	// implementedStems has the stems of the candidates' C, C++ and Objective-C files that are no headers.
	implementedStems map[string]bool
	platformKnown    bool // some candidate is for a platform that the query names
}

// fileSignals are the signals of a file as a whole.
type fileSignals struct {
	role      pathRole
	platforms platform // that it is for
	name      float64
	outline   float64
	matched   uint64
	lines     int       // at least so many
	scores    []float64 // of its candidates, best first
}

// scoreByIndex scores by what the two indexes and the path say, and keeps the best maxRescored.
func (r *ranking) scoreByIndex() {
	m := r.w.meaning * r.vectorCoverage
	r.files, r.implementedStems = map[string]*fileSignals{}, map[string]bool{}
	var paths []string
	for _, c := range r.candidates {
		if r.files[c.path] == nil {
			r.files[c.path] = &fileSignals{outline: r.outlines[c.path]}
			paths = append(paths, c.path)
		}
	}
	onAllCores(paths, func(part []string) {
		for _, p := range part {
			f := r.files[p]
			f.role, f.name = roleOf(p), r.q.nameMatch(p)
			if r.q.platforms != 0 {
				f.platforms = platformsOf(p)
			}
		}
	})
	for p, f := range r.files {
		if isImplementation(p) {
			r.implementedStems[stem(p)] = true
		}
		r.platformKnown = r.platformKnown || f.platforms&r.q.platforms != 0
	}
	for _, c := range r.candidates {
		f := r.files[c.path]
		f.matched |= c.matched
		f.lines = max(f.lines, c.end)
		f.outline = max(f.outline, outlineDefault*c.meaning)
	}
	for _, c := range r.candidates {
		f := r.files[c.path]
		c.add("words", (1-m)*c.words, "")
		c.add("meaning", m*c.meaning, "")
		c.add("outline", r.w.outline*r.vectorCoverage*f.outline, "")
		c.add("coverage", r.w.coverage*r.q.coverage(c.matched), "")
		c.add("file name", r.w.name*f.name, "")
		c.add("history", r.historyWeight()*r.history[c.path], "")
	}
	slices.SortFunc(r.candidates, byScore)
	r.candidates = r.candidates[:min(len(r.candidates), maxRescored)]
}

// rescoreByText adds the factors that need the text and the rest of the file.
func (r *ranking) rescoreByText(chunks map[string]api.Chunk) {
	r.chunks = chunks
	kept := r.candidates[:0]
	for _, c := range r.candidates {
		if c.chunk, c.hasText = chunks[c.id]; c.hasText { // else replaced since retrieval
			kept = append(kept, c)
		}
	}
	r.scoreTexts(kept)
	for _, c := range kept {
		f := r.files[c.path]
		f.scores = append(f.scores, c.score)
	}
	r.candidates = kept
	for _, f := range r.files {
		slices.SortFunc(f.scores, func(a, b float64) int { return cmp.Compare(b, a) })
	}
	top := 0.0
	for _, c := range r.candidates {
		top = max(top, c.score)
	}
	around := r.fileContext(top)
	for _, c := range r.candidates {
		f := r.files[c.path]
		others := 0.0
		for i, s := range f.scores[:min(4, len(f.scores))] {
			if i > 0 {
				others += s / 3
			}
		}
		c.add("file", r.w.file*(0.5*r.q.coverage(f.matched)+0.5*others/max(top, 1e-9)), "")
		r.addContext(&around, c, f)
		role := r.roleOf(c.path, f)
		if c.definesType {
			role &^= isDeclared
		}
		if len(c.chunk.Symbols) > 0 { // it gathers nothing but defines something
			role &^= isIndex
		}
		if factor, names := r.placeFactor(role, f); factor < 1 {
			c.add("place", c.score*(factor-1), names)
		}
	}
	slices.SortFunc(r.candidates, byScore)
}

// scoreTexts adds what each text says by itself, on all cores: it is the longest part of ranking.
func (r *ranking) scoreTexts(list []*candidate) {
	pairs := bigrams(r.q.text)
	onAllCores(list, func(part []*candidate) {
		var words []byte // reused for each candidate
		for _, c := range part {
			value, note := r.q.defines(c)
			c.add("definition", r.w.definition*value, note)
			if len(pairs) > 0 {
				words = appendNormalised(words[:0], c.chunk.Text)
				c.add("phrase", r.w.phrase*bigramShare(pairs, words), "")
			}
		}
	})
}

// onAllCores cuts a list into a part for each core and waits until do has been through all of them. What panics there
// panics here, where whoever answers tool calls recovers.
func onAllCores[T any](list []T, do func(part []T)) {
	cores := runtime.GOMAXPROCS(0)
	var all sync.WaitGroup
	var panicked atomic.Pointer[any]
	for part := range slices.Chunk(list, max(1, (len(list)+cores-1)/cores)) {
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.Store(&p)
				}
			}()
			do(part)
		})
	}
	all.Wait()
	if p := panicked.Load(); p != nil {
		panic(*p)
	}
}

// roleOf is a file's role. A header counts as declarations only if a candidate implements it: a library may be all
// headers.
func (r *ranking) roleOf(p string, f *fileSignals) pathRole {
	if f.role&isDeclared != 0 && slices.Contains(headerExtensions, strings.ToLower(path.Ext(p))) &&
		!r.implementedStems[stem(p)] {
		return f.role &^ isDeclared
	}
	return f.role
}

// placeFactor is what a file's score is multiplied by for where it stands, and why. A file whose path was asked for is
// not lowered.
func (r *ranking) placeFactor(role pathRole, f *fileSignals) (factor float64, names string) {
	if r.q.path != "" && f.name >= minPathMatch {
		return 1, ""
	}
	factor, names = role.factor(r.q.wantedRoles)
	if forPlatform, name := r.q.platformFactor(f.platforms, r.platformKnown); forPlatform < 1 {
		factor *= forPlatform
		names = strings.TrimPrefix(names+", "+name, ", ")
	}
	return factor, names
}

// removeDuplicates removes near-duplicates of higher-ranked candidates. An original ranks above its copies, since
// their role demotes them.
func (r *ranking) removeDuplicates() {
	seen := newNearDuplicates()
	onAllCores(r.candidates, func(part []*candidate) {
		for _, c := range part {
			c.lines = seen.lines(c.chunk.Text)
		}
	})
	kept := r.candidates[:0]
	for _, c := range r.candidates {
		if i := seen.find(c.lines); i >= 0 {
			kept[i].also = append(kept[i].also, api.Lines{Path: c.path, StartLine: c.chunk.StartLine, EndLine: c.chunk.EndLine})
			continue
		}
		kept = append(kept, c)
	}
	r.candidates = kept
}

func byScore(a, b *candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path), cmp.Compare(a.start, b.start),
		cmp.Compare(a.id, b.id))
}

// absoluteScore is how well the best candidate answers, independent of the others: it makes scores comparable between
// queries. The definition of a name in the query, or the file of that path, scores 0.95; anything else by coverage and
// similarity.
func (r *ranking) absoluteScore(semantic bool) float64 {
	if len(r.candidates) == 0 {
		return 0
	}
	found := r.q.coverage(r.candidates[0].matched)
	s := 0.9 * found
	if semantic {
		s = 0.5*found + 0.5*min(1, max(0, (r.candidates[0].cosine-unrelatedCosine)/(similarCosine-unrelatedCosine)))
	}
	if value, _ := r.q.defines(r.candidates[0]); len(r.q.names) > 0 && value >= 1 || r.q.kind == filePath &&
		r.files[r.candidates[0].path].name == 1 {
		s = max(s, 0.95)
	}
	return min(1, max(0.05, s))
}

// nameMatch is how well a file's path matches the query, [0,1].
func (q *parsedQuery) nameMatch(p string) float64 {
	lower := strings.ToLower(p)
	if q.path != "" {
		if v := pathMatch(lower, q.path); v > 0 {
			return v
		}
	}
	name := stem(p)
	for _, n := range q.names {
		if q.kind == filePath {
			break // a path is no qualified name: "cart.h" is not member h of cart
		}
		if normalise(name) == n[0] || len(n) > 1 && normalise(name) == n[len(n)-1] {
			return 1
		}
	}
	// The overlap counts relative to the name and to the query, so that neither one word of a long name nor one word of a
	// long query makes a good match.
	parts := partsOf(name)
	if len(parts) == 0 {
		return 0
	}
	hit, share := q.nameOverlap(parts)
	if q.kind == filePath {
		hit /= 2 // another file's name
	}
	if q.kind == symbol {
		return hit * share * share // the query is for the whole name
	}
	return hit * math.Sqrt(hit*share) // a name that the query says whole is worth more than one it says in part
}

// nameOverlap compares a name with the query's words: the share of the name's parts that are words of the query, and
// the share of the query, by weight, that is in the name.
func (q *parsedQuery) nameOverlap(parts []string) (name, query float64) {
	used := make([]bool, len(parts))
	for _, w := range q.words {
		found := 0
		for _, own := range w.parts {
			had, corrected := false, q.corrected[own]
			for i, p := range parts {
				if text.Related(own, p) || slices.Contains(corrected, p) {
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

// minPathMatch is the least pathMatch of a file that the query names unambiguously. Its role doesn't demote it.
const minPathMatch = 0.9

// pathMatch compares a path with the query's: equal, a suffix, without extension, or a folder in it.
func pathMatch(p, asked string) float64 {
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

// defines scores how far the chunk defines what the query names. A name in the query counts 1, less if the chunk does
// not show the class that qualifies it or only declares it; of several names, the best and the average count. Without
// names it is the overlap of the query with the chunk's best symbol.
func (q *parsedQuery) defines(c *candidate) (value float64, note string) {
	sum := 0.0
	for i, n := range q.names {
		v, symbol := q.definition(i, n, c)
		sum += v
		if v > value {
			value, note = v, symbol
		}
	}
	if n := len(q.names); n > 1 {
		value = 0.7*value + 0.3*sum/float64(n)
	}
	if value > 0 || !c.matchesSymbol {
		return value, note
	}
	for _, s := range c.chunk.Symbols {
		parts := partsOf(s)
		if len(parts) == 0 {
			continue
		}
		of, share := q.nameOverlap(parts)
		if v := of * of * share; v > value {
			value, note = v, s
		}
	}
	if q.kind == symbol {
		value *= otherNameFactor
	}
	return value, note
}

// Factors of definitions that are less certain than a symbol with its full name.
const (
	unqualifiedFactor = 0.6  // the class that qualifies the name is not in the chunk
	declarationFactor = 0.85 // in a header
	assignmentFactor  = 0.7  // not a symbol of the language but a key or variable with a value
	caseFactor        = 0.8  // written with other capitals
	otherNameFactor   = 0.7  // the query has a name, and the symbol is another that has words of it
)

// How much more the definition of a type counts than that of a function, method or value of its name: of what a bare
// name may mean, the type is what the others are about, and a class is what the object beside it is about.
const (
	typeFactor      = 2
	companionFactor = 1.5
)

// definition scores a chunk as the definition of a name.
func (q *parsedQuery) definition(nth int, name []string, c *candidate) (value float64, symbol string) {
	last := name[len(name)-1]
	spelt := q.spelt[nth]
	for _, s := range c.chunk.Symbols {
		own := splitName(s)
		if len(own) == 0 || own[len(own)-1] != last && !slices.Contains(q.corrected[last], own[len(own)-1]) {
			continue
		}
		v, misspelt := 1.0, own[len(own)-1] != last
		if len(name) > 1 && !q.qualified(name[:len(name)-1], c, own) {
			v = unqualifiedFactor
		}
		defined, companion := false, false
		if own := lastPart(s); (own == spelt || misspelt) && len(name) == 1 {
			defined, companion = definesType(c.chunk.Decls, own)
		}
		switch {
		case companion:
			v, c.definesType = companionFactor, true
		case defined:
			v, c.definesType = typeFactor, true
		case isHeader(c.path):
			v *= declarationFactor
		}
		if own := lastPart(s); own != spelt && !misspelt && spelt != strings.ToLower(spelt) {
			v *= caseFactor
		}
		if v > value {
			value, symbol = v, s
		}
	}
	if value > 0 || c.matched == 0 {
		return value, symbol
	}
	for line := range strings.Lines(c.chunk.Text) {
		if s, ok := assignment(line); ok && normalise(s) == last {
			return assignmentFactor, s
		}
	}
	return 0, ""
}

var (
	headerExtensions         = []string{".h", ".hh", ".hpp", ".hxx"}
	implementationExtensions = []string{".c", ".cc", ".cpp", ".cxx", ".c++", ".m", ".mm", ".cu"}
)

func isHeader(p string) bool {
	return slices.Contains(headerExtensions, strings.ToLower(path.Ext(p))) || strings.HasSuffix(p, ".d.ts")
}

func isImplementation(p string) bool {
	return slices.Contains(implementationExtensions, strings.ToLower(path.Ext(p)))
}

// assignment returns the name that a line assigns: "NAME: x", "const NAME = x", "#define NAME x".
func assignment(line string) (string, bool) {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "#define "); ok {
		name, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		name, _, _ = strings.Cut(name, "(")
		return name, name != ""
	}
	i := strings.IndexAny(line, ":=")
	if i <= 0 || i+1 < len(line) && line[i+1] == line[i] { // "::" and "==" assign nothing
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

// qualified reports whether the chunk belongs to what qualifies a name: by its symbol, file, breadcrumb or symbols
// beside it.
func (q *parsedQuery) qualified(owners []string, c *candidate, own []string) bool {
	for _, o := range owners {
		if slices.Contains(own[:len(own)-1], o) || normalise(stem(c.path)) == o ||
			slices.ContainsFunc(c.chunk.Breadcrumb, func(b string) bool { return strings.Contains(normalise(b), o) }) ||
			slices.ContainsFunc(c.chunk.Symbols, func(s string) bool { return normalise(s) == o }) {
			return true
		}
	}
	return false
}
