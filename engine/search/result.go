package search

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/search/answer"
)

// maxLineLength is what is shown of a line of a whole chunk, in bytes; people don't write longer ones.
const maxLineLength = 500

// maxBehind is how many declarations are kept behind a page: as many as an answer may name.
const maxBehind = 30

// results fills out with the requested page, each hit with its excerpt. The best hit scores strength.
func (r *ranking) results(q api.Query, strength float64, out *api.Results) {
	all := r.candidates
	top := 1.0
	if len(all) > 0 {
		top = max(1e-9, all[0].score)
	}
	scale := strength / top
	for _, t := range r.q.terms() {
		for _, token := range append([]string{t.Whole}, t.Parts...) {
			out.Forms = append(out.Forms, t.Also[token]...)
		}
	}
	words := answer.NewQuery(r.q.terms(), r.q.kind == message)
	mentioned := r.mentioned(all)
	if !r.answered(all, out.Semantic) {
		if !mentioned && !(r.q.kind == report && anyMatched(all)) {
			if len(r.q.words) > 0 { // else nothing is nearer than anything: emoji, punctuation
				out.Nearest = r.nearest(all, words)
			}
			return
		}
		scale *= min(1, unsureStrength/max(strength, 1e-9))
	}
	if (r.q.kind == report || r.q.certainChange) && mentioned {
		scale = max(scale, reportStrength/top)
	}
	all = dropIrrelevant(all)
	out.Total = len(all)
	all = all[min(q.Offset, len(all)):]
	page := all[:min(q.TopK, len(all))]
	for _, c := range page {
		p := words.Place(c.part())
		if p == nil {
			out.Total--
			continue
		}
		x := p.Excerpt(0)
		x.First, x.Text = c.wholeChunk(r.chunks, x.Best, words)
		h := api.Hit{
			Path: c.path, Score: min(1, max(leastScore, c.score*scale)), Language: c.language, StartLine: p.Start,
			EndLine: p.End, Breadcrumb: strings.Join(c.breadcrumb(), " › "), Excerpt: x, Whole: r.q.inWhole(c.body()),
			Also: c.also,
		}
		if q.Explain {
			for _, f := range c.factors {
				f.Value *= scale
				h.Explain = append(h.Explain, f)
			}
		}
		out.Hits = append(out.Hits, h)
	}
	out.More = r.behind(page, all[len(page):], words, scale)
}

// behind returns the declarations behind a page: first those of the page's files, in their order, then the others.
// Lines outside of declarations and single values are no entries: a line of them does not show whether they answer.
func (r *ranking) behind(page, rest []*candidate, words *answer.Query, scale float64) (out []api.Told) {
	rank := map[string]int{}
	for i, c := range page {
		if _, ok := rank[c.path]; !ok && i < leadingFiles {
			rank[c.path] = i
		}
	}
	rest = slices.Clone(rest)
	slices.SortStableFunc(rest, func(a, b *candidate) int {
		i, inA := rank[a.path]
		j, inB := rank[b.path]
		switch {
		case inA && !inB:
			return -1
		case inB && !inA:
			return 1
		}
		return cmp.Compare(i, j)
	})
	for _, c := range rest {
		if len(out) == maxBehind {
			break
		}
		if c.Decl.Line == 0 || c.End-c.Start < 2 && !isTypeKind(c.Decl.Kind) {
			continue
		}
		if p := words.Place(c.part()); p != nil {
			out = append(out, api.Told{Lines: api.Lines{Path: c.path, StartLine: p.Start, EndLine: p.End},
				Signature: p.Line(), Score: c.score * scale})
		}
	}
	return out
}

// leadingFiles is how many results' files are listed with their further declarations first.
const leadingFiles = 3

// part returns the candidate as package answer takes it.
func (c *candidate) part() answer.Part {
	return answer.Part{Decl: c.Decl, Start: c.Start, End: c.End, Language: c.language, First: c.first, Lines: c.lines}
}

// wholeChunk returns the chunk with a line, and the number of its first line.
func (c *candidate) wholeChunk(chunks map[string]api.Chunk, line int, words *answer.Query) (first int, text string) {
	for _, id := range c.Chunks {
		if found, ok := chunks[id]; ok && (text == "" || found.StartLine <= line && line <= found.EndLine) {
			first, text = found.StartLine, found.Text
		}
	}
	return first, words.Window(text, maxLineLength)
}

const (
	// leastShare of the best place's score is what a file's best one needs: below it are files of which not a word was
	// asked, such as one with nothing in it but brackets, there because a small project has no others.
	leastShare = 0.02
	leastScore = 0.01 // the least that two decimals tell; a file's further places count less and less
)

// dropIrrelevant drops files below leastShare of the top score.
func dropIrrelevant(all []*candidate) []*candidate {
	best := map[string]float64{}
	for _, c := range all {
		best[c.path] = max(best[c.path], c.score)
	}
	least := leastShare * all[0].score
	return slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return best[c.path] < least })
}

// breadcrumb returns the names of the declarations around the candidate and its own.
func (c *candidate) breadcrumb() []string {
	if c.Decl.Line == 0 {
		return nil
	}
	return append(slices.Clone(c.Decl.Scope), c.Decl.Name)
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
func (r *ranking) answered(all []*candidate, semantic bool) bool {
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

// unsureStrength is the highest score of the first result where nothing answers well: below answer.Unsure.
const unsureStrength = 0.25

// reportStrength is the least score of the first result for a report or a message of a change that mentions something
// of the project. Most of such a text is about other things than the code, so that its coverage says little: where it is
// low, a right place is among the first ten as often as elsewhere (docs/ranking.md).
const reportStrength = 0.4

// leastMention is the share of the query's weight from which on the words of a candidate mention its subject: a rare
// word among five does. leastInReport is that of a report's subjectWords.
const (
	leastMention  = 0.25
	leastInReport = 0.15
)

// mentioned reports whether a candidate has a name of the query, or words that are rare enough to be its subject. Then
// the answer lists the closest places and marks them as unsure; otherwise nothing is found.
func (r *ranking) mentioned(all []*candidate) bool {
	least := leastMention
	if r.q.kind == report {
		least = leastInReport
	}
	return slices.ContainsFunc(all, func(c *candidate) bool {
		return r.q.coverage(c.matched) >= least || r.q.kind != report && r.q.inWhole(c.body())
	})
}

// anyMatched reports whether a candidate has a word of the query.
func anyMatched(all []*candidate) bool {
	return slices.ContainsFunc(all, func(c *candidate) bool { return c.matched.Any() })
}

const (
	maxNearest = 10 // places are named where nothing answers
	// leastNear is the cosine of a place that is named without a word of the query: texts about something else altogether
	// come to 0.27.
	leastNear = 0.30
)

// nearest returns the places that come nearest to a query that nothing answers: those with a word of the query or,
// for the model, similar to it.
func (r *ranking) nearest(all []*candidate, words *answer.Query) []string {
	var places []string
	for _, c := range all {
		if len(places) == maxNearest || !c.matched.Any() && (r.static || c.cosine < leastNear) {
			continue
		}
		name := c.Decl.Name
		if p := words.Place(c.part()); p != nil && name == "" {
			name = p.Line()
		}
		places = append(places, strings.TrimSuffix(fmt.Sprintf("%s:%d %s", c.path, c.Start, name), " "))
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
