package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/search/answer"
)

func (r *ranking) ids() []string {
	ids := make([]string, len(r.candidates))
	for i, c := range r.candidates {
		ids[i] = c.id
	}
	return ids
}

// maxLineLength is what is shown of a line of a whole chunk, in bytes; people don't write longer ones.
const maxLineLength = 500

// maxBehind is how many declarations are known behind a page: as many as an answer may name.
const maxBehind = 30

// behindFactor is what a file's further declarations count among those that are named behind a page.
const behindFactor = 0.85

// place is a place that may answer, and the chunk that it scores by.
type place struct {
	*answer.Place
	*candidate
	factors []api.Factor
	first   bool // of its chunk
}

// fileplaces are a file's candidates and its places in them.
type fileplaces struct {
	chunks []*candidate
	places []*answer.Place
}

// places ranks the declarations of all candidates. Each further one of a file counts less.
func (r *ranking) places() []place {
	byPath := map[string][]*candidate{}
	var paths []string
	for _, c := range r.candidates {
		if byPath[c.path] == nil {
			paths = append(paths, c.path)
		}
		byPath[c.path] = append(byPath[c.path], c)
	}
	found := make([]*fileplaces, len(paths))
	for i, p := range paths {
		found[i] = &fileplaces{chunks: byPath[p]}
	}
	onAllCores(found, func(part []*fileplaces) {
		words := answer.NewQuery(r.q.terms(), r.q.kind == message)
		for _, f := range part {
			chunks := make([]answer.Found, len(f.chunks))
			for n, c := range f.chunks {
				chunks[n] = answer.Found{Chunk: c.chunk, Score: c.score, Share: r.share(c)}
			}
			f.places = words.Places(chunks)
		}
	})
	var all []place
	for _, f := range found {
		own, list := f.chunks, f.places
		seen := map[int]bool{}
		n := 0
		better := slices.ContainsFunc(list, func(p *answer.Place) bool { return !p.Header })
		for _, p := range list {
			if p.Header && !r.q.header && better {
				continue
			}
			c := own[p.From]
			one := place{Place: p, candidate: c, factors: c.factors, first: !seen[p.From]}
			seen[p.From] = true
			one.add("declaration", p.Score-c.score, "")
			one.add("repeat", p.Score*(math.Pow(repeatFactor, float64(n))-1), "of the same file")
			p.Lone = p.Score * math.Pow(behindFactor, float64(n))
			p.Score *= math.Pow(repeatFactor, float64(n))
			n++
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.Place.Score, a.Place.Score), byScore(a.candidate, b.candidate))
	})
	return all
}

func (p *place) add(name string, value float64, note string) {
	if value != 0 {
		p.factors = append(p.factors[:len(p.factors):len(p.factors)], api.Factor{Name: name, Value: value, Note: note})
	}
}

// results fills out with the requested page, each hit with what its excerpt is made of. The best one scores strength.
func (r *ranking) results(q api.Query, strength float64, out *api.Results) {
	all := r.places()
	top := 1.0
	if len(all) > 0 {
		top = max(1e-9, all[0].Place.Score)
	}
	scale := strength / top
	for _, t := range r.q.terms() {
		for _, token := range append([]string{t.Whole}, t.Parts...) {
			out.Forms = append(out.Forms, t.Also[token]...)
		}
	}
	if !r.answered(all, out.Semantic) {
		if len(r.q.words) > 0 { // else nothing is nearer than anything: emoji, punctuation
			out.Nearest = r.nearest(all)
		}
		return
	}
	all = saying(all)
	out.Total = len(all)
	all = all[min(q.Offset, len(all)):]
	for i, p := range all[:min(q.TopK, len(all))] {
		x := p.Excerpt(answer.Room(q, q.Offset+i))
		x.First, x.Text = p.chunk.StartLine, p.Whole(p.chunk.Text, maxLineLength)
		h := api.Hit{
			Path: p.path, Score: min(1, max(leastScore, p.Place.Score*scale)), Language: p.chunk.Language,
			StartLine: p.Start, EndLine: p.End, Breadcrumb: strings.Join(p.breadcrumb(), " › "), Excerpt: x,
			Whole: r.q.inWhole(p.chunk.Text),
		}
		if p.first {
			h.Also = p.also
		}
		if q.Explain {
			for _, f := range p.factors {
				f.Value *= scale
				h.Explain = append(h.Explain, f)
			}
		}
		out.Hits = append(out.Hits, h)
	}
	behind := all[min(q.TopK, len(all)):]
	slices.SortStableFunc(behind, func(a, b place) int { return cmp.Compare(b.Lone, a.Lone) })
	for _, p := range behind[:min(maxBehind, len(behind))] {
		out.More = append(out.More, api.Told{Lines: api.Lines{Path: p.path, StartLine: p.Start, EndLine: p.End},
			Signature: p.Line(), Score: p.Lone * scale})
	}
}

const (
	// leastShare of the best place's score is what a file's best one needs: below it are files of which not a word was
	// asked, such as one with nothing in it but brackets, there because a small project has no others.
	leastShare = 0.02
	leastScore = 0.01 // the least that two decimals tell; a file's further places count less and less
)

// saying leaves out the files that say nothing.
func saying(all []place) []place {
	best := map[string]float64{}
	for _, p := range all {
		best[p.path] = max(best[p.path], p.Place.Score)
	}
	return slices.DeleteFunc(all, func(p place) bool { return best[p.path] < leastShare*all[0].Place.Score })
}

// breadcrumb is what a place stands in.
func (p *place) breadcrumb() []string {
	if p.Decl.Line == 0 {
		if len(p.chunk.Decls) > 0 { // of its chunk, but not of these lines
			return nil
		}
		return p.chunk.Breadcrumb
	}
	return append(p.Decl.Scope[:len(p.Decl.Scope):len(p.Decl.Scope)], p.Decl.Name)
}

// terms are the query's words for places.
func (q *parsedQuery) terms() []answer.Term {
	terms := make([]answer.Term, len(q.words))
	for i, w := range q.words {
		terms[i] = answer.Term{Whole: w.whole, Also: map[string][]string{}, Weight: w.weight}
		if len(w.parts) > 1 {
			terms[i].Parts = w.parts
		}
		for _, token := range append([]string{w.whole}, w.parts...) {
			terms[i].Also[token] = q.corrected[token]
		}
	}
	return terms
}

// leastAnswer is what the best results' coverage of the query and their likeness to it have to come to for an answer.
// 6 of 120 requests about something else, such as a recipe for bread, get one then; at 0.40 3 do, and a plain question
// in 80 finds nothing that has an answer. Better a weak answer than none.
const (
	leastAnswer   = 0.36
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
func (r *ranking) answered(all []place, semantic bool) bool {
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
	case covered < leastCovered && !r.q.mostlyKnownWords():
		// a static vector of what is no word is a sum of its letters', and near whatever has them
		return cosine >= leastMeaning && !(r.static && covered == 0 && len(r.q.words) == 1)
	}
	return coverageShare*covered+cosine >= least
}

const (
	maxNearest = 5 // places are told where nothing answers
	// leastNear is the likeness of a place that is told without a word of the query: what is about something else
	// altogether comes to 0.27.
	leastNear = 0.30
)

// nearest tells the places that come nearest to a query that nothing answers. What has neither a word of it nor, for
// the model, its meaning is not near: it stands where it does by its path.
func (r *ranking) nearest(all []place) []string {
	var places []string
	for _, p := range all {
		if len(places) < maxNearest && (p.matched != 0 || !r.static && p.cosine >= leastNear) {
			places = append(places, strings.TrimSuffix(fmt.Sprintf("%s:%d %s", p.path, p.Start, p.Decl.Name), " "))
		}
	}
	return places
}

// headerWords ask for what stands at the top of files.
var headerWords = strings.Fields(`license licence licensed copyright author import include require package header
	shebang dependency module namespace export generated`)

func wantsHeader(words []queryWord) bool {
	return slices.ContainsFunc(words, func(w queryWord) bool {
		return slices.ContainsFunc(append(w.parts[:len(w.parts):len(w.parts)], w.whole), func(p string) bool {
			return slices.Contains(headerWords, p)
		})
	})
}
