package search

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/search/answer"
	"searchmcp/engine/store"
	"searchmcp/engine/store/text"
)

// maxRescored is the number of candidates whose text is scored. More did not rank better.
const maxRescored = 60

// repeatFactor lowers the scores of a file's further results. It is applied once to the second, twice to the third.
// Reports have reportRepeat, because their fixes often change several declarations of a file.
const repeatFactor, reportRepeat = 0.9, 0.97

// Except for sentences and names, the score by words of a unit with more than fewNames names is divided by 1 +
// namesWeight × ln(names / fewNames), because one of many names, such as those of an enumeration, matches by chance.
const fewNames, namesWeight = 3, 0.2

// unrelatedCosine and similarCosine are typical cosines of unrelated texts and of texts with the same meaning.
const unrelatedCosine, similarCosine = 0.20, 0.75

// similarityOf returns a function that maps cosines to similarities. Unrelated texts have the similarity 0.
func similarityOf(vectors []store.VectorHit) func(cosine float64) float64 {
	span := similarCosine - unrelatedCosine
	if len(vectors) > 0 {
		span = (span + max(0, vectors[0].Score-unrelatedCosine)) / 2
	}
	return func(cosine float64) float64 { return max(0, (cosine-unrelatedCosine)/span) }
}

// outlineDefault is a file's score, as a fraction of its best chunk's, if the vector search found only chunks.
const outlineDefault = 0.3

// candidate is a declaration that may become a hit.
type candidate struct {
	answer.Passage
	path, hash string
	last       []string // see lastParts
	words      float64  // BM25F score as a fraction of the best candidate's, [0,1]
	meaning    float64  // similarity of the query to the candidate's closest chunk, [0,1]
	cosine     float64
	matched    text.Set // words of the query in the candidate's text
	estimate   float64  // score without the features of the text
	score      float64
	factors    []api.Factor
	also       []api.Lines // candidates with the same text
}

// lastParts returns the normalised last part of each name. It caches them, because defines needs them for
// each name of the query.
func (c *candidate) lastParts() []string {
	if c.last == nil {
		c.last = make([]string, len(c.Names))
		for i, name := range c.Names {
			name = strings.TrimRightFunc(name, isNameSeparator)
			c.last[i] = normalise(name[strings.LastIndexFunc(name, isNameSeparator)+1:])
		}
	}
	return c.last
}

func (c *candidate) body() string { return strings.Join(c.Lines, "") }

// chunkIDs returns the IDs of the chunks that may contain the candidate's lines. Some may not exist.
func (c *candidate) chunkIDs() (ids []string) {
	for _, n := range c.Chunks {
		ids = append(ids, api.ChunkID(c.path, c.hash, n))
	}
	return ids
}

type unitKey struct {
	path  string
	start int
	name  string
}

func demoteNames(hits []text.Hit) {
	for i, h := range hits {
		hits[i].Score /= 1 + namesWeight*math.Log(max(1, float64(len(h.Names))/fewNames))
	}
}

// gather returns the candidates that were found by words or by vectors, and the similarity of whole files by path.
func gather(lexical []text.Hit, vectors []store.VectorHit, chunks map[string]api.Chunk) (all []*candidate,
	outlines map[string]float64) {
	byKey := make(map[unitKey]*candidate, len(lexical)+2*len(vectors))
	at := func(path, hash string, u text.Unit) *candidate {
		k := unitKey{path, u.Start, u.Decl.Name}
		c := byKey[k]
		if c == nil {
			c = &candidate{Passage: answer.Passage{Unit: u}, path: path, hash: hash}
			byKey[k] = c
			all = append(all, c)
		}
		return c
	}
	similarity := similarityOf(vectors)
	farthest := 0.0 // similarity of the farthest chunk found; other chunks are not nearer
	if len(vectors) == maxCandidates {
		farthest = similarity(vectors[len(vectors)-1].Score)
	}
	best := 0.0
	for _, h := range lexical {
		best = max(best, h.Score)
	}
	for _, h := range lexical {
		c := at(h.Path, h.ContentHash, h.Unit)
		c.words, c.matched = h.Score/best, h.Matched
		c.meaning = farthest
	}
	outlines = map[string]float64{}
	for _, h := range vectors {
		if h.EndLine == 0 {
			outlines[h.Path] = max(outlines[h.Path], similarity(h.Score))
			continue
		}
		found, ok := chunks[h.ID]
		if !ok { // the chunk was replaced
			continue
		}
		for _, u := range text.Units(found) {
			u.Chunks = around(found, u)
			c := at(h.Path, found.ContentHash, u)
			c.cosine, c.meaning = max(c.cosine, h.Score), max(c.meaning, similarity(h.Score))
		}
	}
	return all, outlines
}

const maxAround = 3

func around(c api.Chunk, u text.Unit) (ordinals []int) {
	first, last := c.Ordinal, c.Ordinal
	if u.Start < c.StartLine {
		first = max(0, first-maxAround)
	}
	if u.End > c.EndLine {
		last += maxAround
	}
	for n := first; n <= last; n++ {
		ordinals = append(ordinals, n)
	}
	return ordinals
}

type ranking struct {
	q            *parsedQuery
	words        *answer.Query
	w            weights
	static       bool // some results were found without the embedding model
	explain      bool
	candidates   []*candidate
	isCut        bool // more candidates were found than are scored
	outlines     map[string]float64
	history      map[string]float64        // scores of files by commits, [0,1)
	scopeChanged func(path string) float64 // scores paths by commits with the query's scope, [0,1]
	scopeCommits int
	phrases      phrases // of the query
	files        map[string]*fileSignals
	chunks       map[string]api.Chunk // by ID
}

func (r *ranking) missing() (ids []string) {
	for _, c := range r.candidates {
		for _, id := range c.chunkIDs() {
			if _, ok := r.chunks[id]; !ok {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

type fileSignals struct {
	role    pathRole
	name    float64
	outline float64
	frame   float64 // see frameMatch
	words   []float64
	text    float64
	lines   int // highest known line number, as an estimate of the file's length
}

// sum adds the weighted features from first up to last to c's score.
func (r *ranking) sum(c *candidate, first, last int) {
	for i := first; i < last; i++ {
		if r.w[i] != 0 {
			value, note := features[i].of(r, c)
			r.add(c, features[i].name, r.w[i]*value, note)
		}
	}
}

func (r *ranking) add(c *candidate, name string, value float64, note string) {
	c.score += value
	if r.explain && value != 0 {
		c.factors = append(c.factors, api.Factor{Name: name, Value: value, Note: note})
	}
}

// scoreByIndex keeps the best allowed candidates by the features that don't need their text.
func (r *ranking) scoreByIndex(allowed func(path string) bool) {
	r.files = map[string]*fileSignals{}
	for _, c := range r.candidates {
		f := r.files[c.path]
		if f == nil {
			f = &fileSignals{role: roleOf(c.path), name: r.q.nameMatch(c.path), outline: r.outlines[c.path],
				frame: r.q.frameMatch(c.path)}
			r.files[c.path] = f
		}
		f.lines = max(f.lines, c.End)
		f.outline = max(f.outline, outlineDefault*c.meaning)
		f.words = append(f.words, c.words)
	}
	r.sumFiles()
	for _, c := range r.candidates {
		r.sum(c, 0, ofPhrase)
		factor, _ := r.placeFactor(c)
		c.estimate = c.score * factor
	}
	slices.SortFunc(r.candidates, func(a, b *candidate) int { return inOrder(b.estimate, a.estimate, a, b) })
	kept := r.candidates[:0]
	for _, c := range r.candidates {
		if r.isCut = len(kept) == maxRescored; r.isCut {
			break
		}
		if allowed(c.path) {
			kept = append(kept, c)
		}
	}
	r.candidates = kept
}

func (r *ranking) sumFiles() {
	top := 0.0
	for _, f := range r.files {
		slices.SortFunc(f.words, func(a, b float64) int { return cmp.Compare(b, a) })
		share := 1.0
		for _, w := range f.words {
			f.text += share * w
			share /= 2
		}
		top = max(top, f.text)
	}
	for _, f := range r.files {
		f.text /= max(top, 1e-9)
	}
}

func (r *ranking) rescoreByText() {
	r.candidates = slices.DeleteFunc(r.candidates, func(c *candidate) bool {
		c.read(r.chunks)
		return len(c.Lines) == 0 // the chunks were replaced
	})
	r.phrases = phrasesOf(r.q.whole)
	for _, c := range r.candidates {
		r.sum(c, ofPhrase, numFeatures)
		for _, f := range factors {
			value, note := f.of(r, c)
			r.add(c, f.name, c.score*(value-1), note)
		}
	}
	slices.SortFunc(r.candidates, byScore)
	repeat, before := repeatFactor, map[string]float64{} // number of better results in each file
	if r.q.kind == report {
		repeat = reportRepeat
	}
	for _, c := range r.candidates {
		r.add(c, "repeat", c.score*(math.Pow(repeat, before[c.path])-1), "of the same file")
		before[c.path]++
	}
	slices.SortStableFunc(r.candidates, byScore)
}

func (c *candidate) read(chunks map[string]api.Chunk) {
	c.Lines, c.First = nil, c.Start
	next := c.Start
	for _, id := range c.chunkIDs() {
		found, ok := chunks[id]
		if !ok {
			continue
		}
		c.Language = found.Language
		if i := slices.IndexFunc(found.Decls, func(d api.Decl) bool {
			return d.Line == c.Decl.Line && d.Name == c.Decl.Name
		}); i >= 0 {
			c.Decl.Signature = found.Decls[i].Signature
		}
		n := found.StartLine - 1
		for line := range strings.Lines(found.Text) {
			if n++; n < next || n > c.End {
				continue
			}
			if len(c.Lines) == 0 {
				c.First, next = n, n
			}
			for ; next < n; next++ { // insert the blank lines between chunks
				c.Lines = append(c.Lines, "\n")
			}
			c.Lines = append(c.Lines, line)
			next = n + 1
		}
	}
}

// roleOf returns the role of a candidate: the role of its path, or test inside a test module of Rust.
func (r *ranking) roleOf(c *candidate) pathRole {
	role := r.files[c.path].role
	if len(c.Names) > 0 {
		role &^= isIndex
	}
	isTests := func(s string) bool { return s == "tests" || s == "test" }
	if slices.ContainsFunc(c.Decl.Scope, isTests) || isTests(c.Decl.Name) && isTypeKind(c.Decl.Kind) {
		role |= isTest
	}
	return role
}

// placeFactor returns the factor for the roles of a candidate's path. A path that the query names has the factor 1.
func (r *ranking) placeFactor(c *candidate) (factor float64, names string) {
	f := r.files[c.path]
	if r.q.path != "" && f.name >= minPathMatch {
		return 1, ""
	}
	return r.roleOf(c).factor(r.q.wantedRoles)
}

// removeDuplicates merges candidates with the same text into the first, which is usually the original.
func (r *ranking) removeDuplicates() {
	texts := map[string]*candidate{}
	r.candidates = slices.DeleteFunc(r.candidates, func(c *candidate) bool {
		body := strings.TrimSpace(c.body())
		first := texts[body]
		if first == nil {
			texts[body] = c
			return false
		}
		first.also = append(first.also, api.Lines{Path: c.path, StartLine: c.Start, EndLine: c.End})
		return true
	})
}

func byScore(a, b *candidate) int { return inOrder(b.score, a.score, a, b) }

func inOrder(x, y float64, a, b *candidate) int {
	switch { // cmp.Or would compare the paths of all pairs
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.Start, b.Start))
}

// absoluteScore returns the best candidate's score on a scale that is the same for all queries and projects.
func (r *ranking) absoluteScore(semantic bool) float64 {
	if len(r.candidates) == 0 {
		return 0
	}
	found := r.q.coverage(r.candidates[0].matched)
	s := 0.9 * found
	if semantic {
		s = 0.5*found + 0.5*min(1, max(0, (r.candidates[0].cosine-unrelatedCosine)/(similarCosine-unrelatedCosine)))
	}
	factor, _ := (r.roleOf(r.candidates[0]) & isLog).factor(r.q.wantedRoles)
	s *= factor // a project with change logs only is less relevant
	if value, _ := r.q.defines(r.candidates[0]); len(r.q.names) > 0 && value >= 1 || r.q.kind == filePath &&
		r.files[r.candidates[0].path].name >= minPathMatch {
		s = max(s, 0.95)
	}
	return min(1, max(0.05, s))
}

// namedFile is the score of a file with the same name as an identifier in the query.
const namedFile = 0.2

func (q *parsedQuery) nameMatch(p string) float64 {
	lower := strings.ToLower(p)
	if q.path != "" {
		if v := pathMatch(lower, q.path); v > 0 {
			return v
		}
		if strings.Contains(lower, "/") && strings.HasSuffix(q.path, "/"+lower) { // the path on another machine
			return 1
		}
	}
	name := stem(p)
	for _, n := range q.names {
		if normalise(name) == n[0] || len(n) > 1 && normalise(name) == n[len(n)-1] {
			return namedFile
		}
	}
	return 0
}

// frameMatch returns 1 for a file in a stack trace, and namedPath for a file that the text names.
func (q *parsedQuery) frameMatch(p string) float64 {
	if slices.ContainsFunc(q.frames, func(f frame) bool { return f.isOf(p) }) {
		return 1
	}
	lower := strings.ToLower(p)
	for _, named := range q.paths {
		if pathMatch(lower, strings.ToLower(named)) >= minPathMatch {
			return namedPath
		}
	}
	return 0
}

const namedPath = 0.8

// minPathMatch is the minimum score of a file that the query names unambiguously.
const minPathMatch = 0.9

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

func (q *parsedQuery) defines(c *candidate) (value float64, note string) {
	for _, n := range q.names {
		if v, symbol := q.definition(n, c); v > value {
			value, note = v, symbol
		}
	}
	return value, note
}

const typeFactor = 2 // for a definition of a type, if the query is a name without qualifiers

func (q *parsedQuery) definition(name []string, c *candidate) (value float64, as string) {
	last := name[len(name)-1]
	for i, part := range c.lastParts() {
		s := c.Names[i]
		if part == "" || part != last && !slices.Contains(q.corrected[last], part) {
			continue
		}
		v := 1.0
		if q.kind == symbol && len(name) == 1 && s == c.Decl.Name && isTypeKind(c.Decl.Kind) {
			v = typeFactor
		}
		if v > value {
			value, as = v, s
		}
	}
	return value, as
}
