package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/search/excerpt"
)

func (r *ranking) ids() []string {
	ids := make([]string, len(r.candidates))
	for i, c := range r.candidates {
		ids[i] = c.id
	}
	return ids
}

const (
	maxLineLength   = 500  // bytes shown of a line of a whole chunk; people don't write longer ones
	maxJoinedLength = 4000 // bytes up to which neighbours are joined
	// minJoinScore is the share of a result's score (without the repeat factor) that a neighbour must have to be joined
	// to it.
	minJoinScore = 0.6
)

// hit is a candidate with the neighbouring chunks that were joined to it.
type hit struct {
	*candidate
	text       string
	start, end int
	symbols    []string
	also       []api.Lines
}

// results fills out with the requested page, each hit with what its excerpt is made of.
func (r *ranking) results(ctx context.Context, reader Reader, q api.Query, out *api.Results) error {
	all := r.joinNeighbours()
	strength := r.absoluteScore(out.Semantic)
	top := 1.0
	if len(all) > 0 {
		top = max(1e-9, all[0].score)
	}
	scale := strength / top
	terms := r.q.terms()
	for _, t := range terms {
		for _, token := range append([]string{t.Whole}, t.Parts...) {
			out.Forms = append(out.Forms, t.Also[token]...)
		}
	}
	words := excerpt.NewQuery(terms, r.q.kind == message)
	if !r.answered(all, out.Semantic) {
		if len(r.q.words) > 0 { // else nothing is nearer than anything: emoji, punctuation
			out.Nearest = r.nearest(all)
		}
		return nil
	}
	out.Total = len(all)
	left := q.Offset
	chunks := map[string]int{} // results by path
	for _, h := range all {
		chunks[h.path]++
	}
	seen := 0
	var shown []hit // of out.Hits
	for ; seen < len(all) && len(out.Hits) < q.TopK; seen++ {
		h := all[seen]
		if ctx.Err() != nil { // a question of many words takes a while to be shown
			return context.Cause(ctx)
		}
		x := words.Pick(h.source(), pickRoom(q.Detail, q.Offset+len(out.Hits)))
		if x.Header && !r.q.header && chunks[h.path] > 1 { // the file has something better to show
			chunks[h.path]--
			out.Total--
			continue
		}
		if left--; left >= 0 {
			continue
		}
		a := api.Hit{
			Path: h.path, Score: min(1, max(0, h.score*scale)), Language: h.chunk.Language,
			Breadcrumb: strings.Join(h.chunk.Breadcrumb, " › "), Also: h.also, Whole: r.q.inWhole(h.text),
		}
		d := r.declaration(ctx, reader, q.Corpus, h, x)
		a.Excerpt = &api.Excerpt{First: h.start, Text: words.Window(h.text, maxLineLength), Start: d.Start,
			End: d.End, Best: d.Best}
		for _, l := range d.Lines {
			a.Excerpt.Lines = append(a.Excerpt.Lines, api.Line(l))
		}
		if q.Explain {
			for _, f := range h.factors {
				f.Value *= scale
				a.Explain = append(a.Explain, f)
			}
		}
		out.Hits = append(out.Hits, a)
		shown = append(shown, h)
	}
	if wantsMore(q) {
		for _, i := range withMore(out.Hits) {
			out.Hits[i].Excerpt.Others = others(words, out.Hits[i].Path, all, shown)
		}
	}
	Shape(out, q)
	if len(out.Hits) > 0 && plain(q) && q.MaxTokens == 0 {
		out.Further = r.further(all, out.Hits, q.TopK)
	}
	return nil
}

// Where the first result scores below doubtful, which is right for two thirds of such questions, an answer tells up
// to maxFurther places in other files: a third of the tokens for half of the right files that are not among the
// results. A message of a change is answered by more files, and by such as score less: those that Shape left out as
// noise, too.
const (
	doubtful        = 0.8
	maxFurther      = 20
	weakShareChange = weakShare / 2
)

// further tells where the best of what is behind the hits stands, once for each file that is not among them.
func (r *ranking) further(all []hit, hits []api.Hit, topK int) (places []string) {
	least := weakShare
	switch {
	case r.q.certainChange:
		least = weakShareChange
	case hits[0].Score >= doubtful, len(hits) < topK:
		return nil
	}
	least *= all[0].score
	told := map[string]bool{}
	for _, h := range hits {
		told[h.Path] = true
	}
	for _, h := range all[min(len(hits), len(all)):] {
		if len(places) == maxFurther || h.score < least {
			break
		}
		if !told[h.path] {
			told[h.path] = true
			places = append(places, r.q.place(h))
		}
	}
	return places
}

// place is a hit as path:line and the name of its that is likest the query.
func (q *parsedQuery) place(h hit) string {
	at, best := fmt.Sprintf("%s:%d", h.path, h.start), -1.0
	name := ""
	for _, s := range h.symbols {
		of, share := q.nameOverlap(partsOf(s))
		if v := of * share; v > best {
			name, best = s, v
		}
	}
	return strings.TrimSuffix(at+" "+name, " ")
}

// terms are the query's words for the picker of excerpts.
func (q *parsedQuery) terms() []excerpt.Term {
	terms := make([]excerpt.Term, len(q.words))
	for i, w := range q.words {
		terms[i] = excerpt.Term{Whole: w.whole, Also: map[string][]string{}, Weight: w.weight}
		if len(w.parts) > 1 {
			terms[i].Parts = w.parts
		}
		for _, token := range append([]string{w.whole}, w.parts...) {
			terms[i].Also[token] = q.corrected[token]
		}
		terms[i].Also[w.whole] = slices.Concat(abbreviationsOf[w.whole], q.corrected[w.whole])
	}
	return terms
}

// leastAnswer is what the best results' coverage of the query and their likeness to it have to come to for an answer.
// All but seven of the benchmark's 3,083 questions do, and 10 % of those about something else, such as a recipe for
// bread. At more, entries of changelogs that say little of the code would find nothing. Better a weak answer than none.
const (
	leastAnswer   = 0.40
	coverageShare = 0.7
	leastWords    = 0.2 // of the query, where vectors took no part
	// leastForChange is leastAnswer for a message of a change, whose words may be of what is not there yet.
	leastForChange = 0.2
	// leastMeaning is the likeness that an answer needs which has less than leastCovered of the query's words, or of words
	// near them, where those are hardly words: what means nothing is as like some chunk as a bad question is
	// (docs/ranking.md).
	leastMeaning = 0.42
	leastCovered = 0.10
)

// answered reports whether anything among the first results answers the query at all.
func (r *ranking) answered(all []hit, semantic bool) bool {
	if r.q.kind == filePath {
		return len(all) > 0
	}
	covered, cosine := 0.0, 0.0
	for _, h := range all[:min(len(all), api.DefaultTopK)] {
		covered, cosine = max(covered, r.q.coverage(h.matched)), max(cosine, h.cosine)
	}
	if !semantic {
		return covered >= leastWords
	}
	least := leastAnswer
	switch {
	case r.q.certainChange:
		least = leastForChange
	case len(r.q.words) == 0:
		return false // emoji and punctuation say nothing that could be like anything
	case covered < leastCovered && !r.q.saysSomething():
		return cosine >= leastMeaning
	}
	return coverageShare*covered+cosine >= least
}

// maxNearest is how many places are told where nothing answers.
const maxNearest = 5

// nearest tells the places that come nearest to a query that nothing answers.
func (r *ranking) nearest(all []hit) []string {
	var places []string
	for _, h := range all[:min(len(all), maxNearest)] {
		places = append(places, r.q.place(h))
	}
	return places
}

// maxParts is how many chunks before and behind a result are looked at for where its declaration begins and ends.
const maxParts = 4

// declaration completes an excerpt whose declaration began in a chunk before, or goes on in one behind: large functions
// are several chunks. Such chunks have the same breadcrumb.
func (r *ranking) declaration(ctx context.Context, reader Reader, corpus api.Corpus, h hit,
	x excerpt.Excerpt) excerpt.Excerpt {
	crumbs := h.chunk.Breadcrumb
	if len(crumbs) == 0 || corpus == api.CorpusDocs || h.start != h.chunk.StartLine || h.end != h.chunk.EndLine {
		return x
	}
	name := crumbs[len(crumbs)-1]
	own := slices.Contains(h.symbols, name)
	if !x.Inside && (!own || x.End < h.end) {
		return x // it stands whole in this chunk
	}
	// most declarations end in the next chunk, so that they are read one by one
	part := func(n int) (c api.Chunk, ok bool) {
		if n < 0 || n < h.chunk.Ordinal-maxParts || n > h.chunk.Ordinal+maxParts {
			return c, false
		}
		id := api.ChunkID(h.path, h.chunk.ContentHash, n)
		if c, ok = r.chunks[id]; !ok {
			read, err := reader.Chunks(ctx, corpus, []string{id})
			if err != nil {
				return c, false // the excerpt is good without
			}
			c, ok = read[id]
		}
		return c, ok && c.StartLine > 0 && slices.Equal(c.Breadcrumb, crumbs)
	}
	for n := h.chunk.Ordinal + 1; ; n++ {
		c, ok := part(n)
		if !ok {
			break
		}
		x.End = max(x.End, c.EndLine)
	}
	for n := h.chunk.Ordinal - 1; !own; n-- {
		c, ok := part(n)
		if !ok {
			break
		}
		x.Start = min(x.Start, c.StartLine)
		if slices.Contains(c.Symbols, name) {
			if l, ok := excerpt.Declaration(excerpt.Source{
				Text: c.Text, First: c.StartLine, Language: c.Language, Symbols: c.Symbols}, name); ok {
				x.Start = l.Number
				x.Lines = append([]excerpt.Line{l}, x.Lines...)
			}
			break
		}
	}
	return x
}

// same reports whether two hits are of the same place.
func (h hit) same(other hit) bool { return h.path == other.path && h.start == other.start }

// source is what a hit's excerpts are made of.
func (h hit) source() excerpt.Source {
	return excerpt.Source{Text: h.text, First: h.start, Language: h.chunk.Language, Symbols: h.symbols}
}

// joinNeighbours joins consecutive chunks of a file to one hit where the lower ranked is nearly as good.
func (r *ranking) joinNeighbours() []hit {
	var all []hit
	ends := map[string][]int{} // results by path
	for _, c := range r.candidates {
		merged := false
		for _, i := range ends[c.path] {
			if h := &all[i]; c.beforeRepeat() >= minJoinScore*h.beforeRepeat() && h.join(c) {
				merged = true
				break
			}
		}
		if !merged {
			ends[c.path] = append(ends[c.path], len(all))
			all = append(all, hit{candidate: c, text: c.chunk.Text, start: c.chunk.StartLine, end: c.chunk.EndLine,
				symbols: c.chunk.Symbols, also: c.also})
		}
	}
	return all
}

// beforeRepeat is the score without the repeat factor.
func (c *candidate) beforeRepeat() float64 {
	if n := len(c.factors); n > 0 && c.factors[n-1].Name == "repeat" {
		return c.score - c.factors[n-1].Value
	}
	return c.score
}

// join appends or prepends an adjacent chunk's text, up to maxJoinedLength.
func (h *hit) join(c *candidate) bool {
	n := c.chunk
	if len(h.text)+len(n.Text) > maxJoinedLength {
		return false
	}
	switch {
	case n.StartLine == h.end+1 || n.StartLine == h.end+2:
		h.text += strings.Repeat("\n", n.StartLine-h.end) + n.Text
		h.end = n.EndLine
		h.symbols = slices.Concat(h.symbols, n.Symbols)
	case n.EndLine == h.start-1 || n.EndLine == h.start-2:
		h.text = n.Text + strings.Repeat("\n", h.start-n.EndLine) + h.text
		h.start = n.StartLine
		h.symbols = slices.Concat(n.Symbols, h.symbols)
	default:
		return false
	}
	h.also = append(h.also, c.also...)
	return true
}

// headerWords ask for what stands at the top of files.
var headerWords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`license licence licensed copyright author import include require package header
		shebang dependency module namespace export generated`) {
		m[w] = true
	}
	return m
}()

func wantsHeader(words []queryWord) bool {
	return slices.ContainsFunc(words, func(w queryWord) bool {
		return headerWords[w.whole] || slices.ContainsFunc(w.parts, func(p string) bool { return headerWords[p] })
	})
}
