package search

import (
	"cmp"
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// Ranking: candidates of both indexes, the sum of their features by weight (features.go), what the kind of their files
// makes of it, and less for a file's further chunks. A candidate whose text is that of a better one is no hit of its
// own: the better one lists where else it is found.

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
	id, path    string
	start, end  int
	words       float64 // BM25 relative to the best candidate's, [0,1]
	meaning     float64 // similarity to the query's vector, [0,1]
	cosine      float64
	matched     uint64  // bit set of the query's words that it contains
	definesType bool    // it defines a type that the query names
	phrase      float64 // share of the query's neighbouring words that are neighbours in it
	chunk       api.Chunk
	hasText     bool
	score       float64
	factors     []api.Factor
	also        []api.Lines // where its text stands, too
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
		c.words, c.matched = h.Score/lexical[0].Score, h.Matched
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
	q            *parsedQuery
	w            weights
	static       bool // some of the neighbours are static vectors'
	candidates   []*candidate
	outlines     map[string]float64
	history      map[string]float64        // what commits say for files, [0,1)
	scopeChanged func(path string) float64 // how far commits of the query's scope changed it, [0,1]
	scopeCommits int
	files        map[string]*fileSignals
	around       fileContext
	chunks       map[string]api.Chunk // the candidates' texts, by id
	// implementedStems has the stems of the candidates' C, C++ and Objective-C files that are no headers.
	implementedStems map[string]bool
}

// fileSignals are the signals of a file as a whole.
type fileSignals struct {
	role    pathRole
	name    float64
	outline float64
	lines   int     // at least so many
	best    float64 // score of its candidates by what is theirs
}

// sum adds some of the features to a candidate's score.
func (r *ranking) sum(c *candidate, from, to int) {
	for i := from; i < to; i++ {
		if r.w[i] == 0 {
			continue
		}
		value, note := features[i].of(r, c)
		c.add(features[i].name, r.w[i]*value, note)
	}
}

// scoreByIndex scores by what the two indexes and the path say, and keeps the best maxRescored.
func (r *ranking) scoreByIndex() {
	r.files, r.implementedStems = map[string]*fileSignals{}, map[string]bool{}
	for _, c := range r.candidates {
		f := r.files[c.path]
		if f == nil {
			f = &fileSignals{role: roleOf(c.path), name: r.q.nameMatch(c.path), outline: r.outlines[c.path]}
			if isImplementation(c.path) {
				r.implementedStems[stem(c.path)] = true
			}
			r.files[c.path] = f
		}
		f.lines = max(f.lines, c.end)
		f.outline = max(f.outline, outlineDefault*c.meaning)
	}
	for _, c := range r.candidates {
		r.sum(c, 0, ofDefinition)
	}
	slices.SortFunc(r.candidates, byScore)
	r.candidates = r.candidates[:min(len(r.candidates), maxRescored)]
}

// rescoreByText adds the features that need the text and what other files say.
func (r *ranking) rescoreByText(chunks map[string]api.Chunk) {
	r.chunks = chunks
	r.candidates = slices.DeleteFunc(r.candidates, func(c *candidate) bool { // replaced since retrieval
		c.chunk, c.hasText = chunks[c.id]
		return !c.hasText
	})
	r.measurePhrases()
	top := 0.0
	for _, c := range r.candidates {
		r.sum(c, ofDefinition, ofFolder)
		f := r.files[c.path]
		f.best, top = max(f.best, c.score), max(top, c.score)
	}
	r.around = r.fileContext(top)
	for _, c := range r.candidates {
		r.sum(c, ofFolder, numFeatures)
		for _, f := range factors {
			value, note := f.of(r, c)
			c.add(f.name, c.score*(value-1), note)
		}
	}
	slices.SortFunc(r.candidates, byScore)
}

// measurePhrases looks for the query's neighbouring words in each text, on all cores: it is the longest part of
// ranking.
func (r *ranking) measurePhrases() {
	pairs := bigrams(r.q.text)
	if len(pairs) == 0 || r.w[ofPhrase] == 0 {
		return
	}
	onAllCores(r.candidates, func(part []*candidate) {
		var words []byte // reused for each candidate
		for _, c := range part {
			words = appendNormalised(words[:0], c.chunk.Text)
			c.phrase = bigramShare(pairs, words)
		}
	})
}

// onAllCores cuts a list into a part for each core and waits until do has been through all of them. What panics there
// panics here with its own stack, where the caller of a tool is answered.
func onAllCores[T any](list []T, do func(part []T)) {
	cores := runtime.GOMAXPROCS(0)
	var all sync.WaitGroup
	var panicked atomic.Pointer[string]
	for part := range slices.Chunk(list, max(1, (len(list)+cores-1)/cores)) {
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					what := fmt.Sprintf("%v\n%s", p, debug.Stack())
					panicked.Store(&what)
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

// roleOf is the role of a candidate's file. A header counts as declarations only if a candidate implements it: a
// library may be all headers. What defines a type, or anything in a file that else gathers others, is what was looked
// for.
func (r *ranking) roleOf(c *candidate) pathRole {
	role := r.files[c.path].role
	if c.definesType || slices.Contains(headerExtensions, strings.ToLower(path.Ext(c.path))) &&
		!r.implementedStems[stem(c.path)] {
		role &^= isDeclared
	}
	if len(c.chunk.Symbols) > 0 {
		role &^= isIndex
	}
	if slices.ContainsFunc(c.chunk.Breadcrumb, func(s string) bool { return s == "tests" || s == "test" }) {
		role |= isTest // Rust's tests stand in the file that they test
	}
	if c.chunk.Language == "" && path.Ext(c.path) == "" &&
		strings.HasPrefix(strings.TrimLeft(c.chunk.Text, " \t\r\n{["), `"`) {
		role |= isData // JSON without an extension
	}
	return role
}

// share is what the words of a candidate count beside those of others of its file.
func (r *ranking) share(c *candidate) float64 {
	factor, _ := (r.roleOf(c) &^ r.files[c.path].role).factor(r.q.wantedRoles)
	return factor
}

// placeFactor is what a candidate's score is multiplied by for where it stands, and why. A file whose path was asked
// for is not lowered.
func (r *ranking) placeFactor(c *candidate) (factor float64, names string) {
	f := r.files[c.path]
	if r.q.path != "" && f.name >= minPathMatch {
		return 1, ""
	}
	return r.roleOf(c).factor(r.q.wantedRoles)
}

// removeDuplicates merges candidates of one text. An original ranks above its copies, since their role lowers them.
func (r *ranking) removeDuplicates() {
	texts := map[string]*candidate{}
	kept := r.candidates[:0]
	for _, c := range r.candidates {
		if first := texts[c.chunk.Text]; first != nil {
			first.also = append(first.also,
				api.Lines{Path: c.path, StartLine: c.chunk.StartLine, EndLine: c.chunk.EndLine})
			continue
		}
		texts[c.chunk.Text] = c
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
	return 0
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

// defines scores how far the chunk defines what the query names: the best of its names counts 1, less if the chunk does
// not show the class that qualifies it or only declares it.
func (q *parsedQuery) defines(c *candidate) (value float64, note string) {
	for i, n := range q.names {
		if v, symbol := q.definition(i, n, c); v > value {
			value, note = v, symbol
		}
	}
	return value, note
}

// Factors of definitions that are less certain than a symbol with its full name.
const (
	unqualifiedFactor = 0.6  // the class that qualifies the name is not in the chunk
	declarationFactor = 0.85 // in a header
	caseFactor        = 0.8  // written with other capitals
)

// How much more the definition of a type counts than that of a function, method or value of its name: of what a bare
// name may mean, the type is what the others are about, and a class is what the object beside it is about. Among words
// a type's name says where to look, and the words are about what it does.
const (
	typeFactor      = 2
	companionFactor = 1.5
)

// definition scores a chunk as the definition of a name.
func (q *parsedQuery) definition(nth int, name []string, c *candidate) (value float64, as string) {
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
		c.definesType = c.definesType || defined
		switch {
		case companion && q.kind == symbol:
			v = companionFactor
		case defined && q.kind == symbol:
			v = typeFactor
		case !defined && isHeader(c.path):
			v *= declarationFactor
		}
		if own := lastPart(s); own != spelt && !misspelt && spelt != strings.ToLower(spelt) {
			v *= caseFactor
		}
		if v > value {
			value, as = v, s
		}
	}
	return value, as
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
