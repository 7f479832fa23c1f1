package search

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/search/answer"
)

// results adds the requested page of hits to out. The best hit has the score strength.
func (r *ranking) results(q api.Query, strength float64, out *api.Results) {
	all := r.candidates
	top := 1.0
	if len(all) > 0 {
		top = max(1e-9, all[0].score)
	}
	scale := strength / top
	for _, word := range slices.Sorted(maps.Keys(r.q.corrected)) {
		out.Forms = append(out.Forms, r.q.corrected[word]...)
	}
	mentioned := r.mentioned(all)
	if !r.answered(all, out.Semantic) {
		if !mentioned && !(r.q.kind == report && anyMatched(all)) {
			if len(r.q.words) > 0 { // emoji and punctuation have no words
				out.Nearest = r.nearest(all)
			}
			return
		}
		scale *= min(1, unreliableStrength/max(strength, 1e-9))
	}
	if (r.q.kind == report || r.q.certainChange) && mentioned {
		scale = max(scale, reportStrength/top)
	}
	all = dropIrrelevant(all)
	out.Total = len(all)
	all = all[min(q.Offset, len(all)):]
	page := all[:min(q.TopK, len(all))]
	for _, c := range page {
		p := r.words.Snippet(c.Passage)
		if p == nil {
			out.Total--
			continue
		}
		h := api.Hit{
			Path: c.path, Score: min(1, max(leastScore, c.score*scale)), Language: c.Language, StartLine: p.Start,
			EndLine: p.End, Breadcrumb: strings.Join(c.breadcrumb(), " › "), Excerpt: p.Excerpt(q.Detail == api.DetailFull),
			Whole: r.q.containsName(c.body()), Also: c.also,
		}
		if q.Explain {
			for _, f := range c.factors {
				f.Value *= scale
				h.Explain = append(h.Explain, f)
			}
		}
		out.Hits = append(out.Hits, h)
	}
	out.More = r.following(page, all[len(page):], scale)
	if len(page) == len(all) && r.isCut {
		out.Notes = append(out.Notes,
			fmt.Sprintf("Only the best %d results are ranked. A narrower query or path finds others.", maxRescored))
	}
}

// following returns declarations to list after a page. Those in the files of the first results come first. Declarations
// of one line are omitted, because one line doesn't show their relevance.
func (r *ranking) following(page, rest []*candidate, scale float64) (out []api.Summary) {
	leading := page[:min(len(page), leadingFiles)]
	rank := func(c *candidate) int {
		i := slices.IndexFunc(leading, func(l *candidate) bool { return l.path == c.path })
		return (i + len(leading) + 1) % (len(leading) + 1) // other files rank last
	}
	rest = slices.Clone(rest)
	slices.SortStableFunc(rest, func(a, b *candidate) int { return cmp.Compare(rank(a), rank(b)) })
	for _, c := range rest {
		if len(out) == answer.MaxMore {
			break
		}
		if c.Decl.Line == 0 || c.End-c.Start < 2 && !isTypeKind(c.Decl.Kind) {
			continue
		}
		if p := r.words.Snippet(c.Passage); p != nil {
			out = append(out, api.Summary{Lines: api.Lines{Path: c.path, StartLine: p.Start, EndLine: p.End},
				Signature: p.Line(), Score: c.score * scale})
		}
	}
	return out
}

const leadingFiles = 3

const (
	// minFraction is the minimum score of a file's best result, as a fraction of the best score.
	minFraction = 0.02
	leastScore  = 0.01 // minimum score that two decimals can show
)

func dropIrrelevant(all []*candidate) []*candidate {
	best := map[string]float64{}
	for _, c := range all {
		best[c.path] = max(best[c.path], c.score)
	}
	least := minFraction * all[0].score
	return slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return best[c.path] < least })
}

func (c *candidate) breadcrumb() []string {
	if c.Decl.Line == 0 {
		return nil
	}
	return append(slices.Clone(c.Decl.Scope), c.Decl.Name)
}

// A result answers a query if coverageShare × coverage + cosine is at least leastAnswer. Six of 120 unrelated queries
// reach 0.36. Three reach 0.40, but then one in 80 plain questions has no answer.
const (
	leastAnswer   = 0.36
	coverageShare = 0.7
	leastWords    = 0.2 // minimum coverage without vectors
	// leastForChange replaces leastAnswer for commit messages, which may describe future code.
	leastForChange = 0.2
	// leastMeaning is the minimum cosine for a query of unknown words, because random words also resemble some chunks.
	leastMeaning = 0.42
	leastCovered = 0.10
)

// answered reports whether one of the first results answers the query.
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
		return false // emoji and punctuation have no meaning
	case covered < leastCovered && 2*r.q.knownWords() < len(r.q.words):
		// Without the model, an unknown word has the sum of its letters' vectors, which resembles many passages.
		return cosine >= leastMeaning && !(r.static && covered == 0 && r.q.knownWords() == 0)
	}
	return coverageShare*covered+cosine >= least
}

const unreliableStrength = 0.25 // maximum score of an answer that is probably wrong

// reportStrength is the minimum score of the best result if it mentions the subject of a bug report or commit message.
const reportStrength = 0.4

// Minimum coverage of a candidate that mentions the subject of the query. One rare word of five is enough.
const (
	leastMention  = 0.25
	leastInReport = 0.15
)

func (r *ranking) mentioned(all []*candidate) bool {
	least := leastMention
	if r.q.kind == report {
		least = leastInReport
	}
	return slices.ContainsFunc(all, func(c *candidate) bool {
		return r.q.coverage(c.matched) >= least || r.q.kind != report && r.q.containsName(c.body())
	})
}

func anyMatched(all []*candidate) bool {
	return slices.ContainsFunc(all, func(c *candidate) bool { return c.matched.Any() })
}

const (
	maxNearest = 10 // number of results listed if there is no answer
	// leastNear is the minimum cosine of a listed result that contains no word of the query. Unrelated texts reach
	// 0.27.
	leastNear = 0.30
)

// nearest lists the path, line and name of the best results of a query without an answer.
func (r *ranking) nearest(all []*candidate) []string {
	var places []string
	for _, c := range all {
		if len(places) == maxNearest || !c.matched.Any() && (r.static || c.cosine < leastNear) {
			continue
		}
		name := c.Decl.Name
		if p := r.words.Snippet(c.Passage); p != nil && name == "" {
			name = p.Line()
		}
		places = append(places, strings.TrimSuffix(fmt.Sprintf("%s:%d %s", c.path, c.Start, name), " "))
	}
	return places
}
