package search

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/files/glob"
	"searchmcp/engine/store/text"
)

// Lister lists the indexed files.
type Lister interface {
	// Paths returns the sorted paths of a corpus. Callers must not change the slice.
	Paths(corpus api.Corpus) []string
}

// Files finds indexed files by a glob pattern, a path or the name of a folder (RFC 4.3). It returns at most q.Limit
// matches in path order, and their total number up to api.MaxGlob. "" and "." match all files.
//
// If no file matches, Similar lists a few paths with the same ending, the same words or a similar spelling.
func Files(ctx context.Context, r Lister, q api.FileQuery, allowed func(path string) bool) (api.FileResults, error) {
	var match func(string) bool
	if name, exists := ResolvePath(r, q.Pattern); exists {
		match = below(name)
	} else {
		g, err := pathGlob(r, q.Pattern, false)
		if err != nil {
			return api.FileResults{}, err
		}
		match = g.Match
	}
	found, err := rankPaths(ctx, r, allowed, func(p string) float64 { return scoreIf(match == nil || match(p)) })
	if err != nil || len(found) > 0 {
		return api.FileResults{Matches: found[:min(len(found), q.Limit)], Total: len(found)}, err
	}
	similar, err := similar(ctx, r, relative(strings.TrimSpace(q.Pattern)), allowed)
	return api.FileResults{Similar: similar[:min(len(similar), maxSimilar)]}, err
}

func scoreIf(matches bool) float64 {
	if matches {
		return 1
	}
	return 0
}

const maxSimilar = 20

func similar(ctx context.Context, r Lister, pattern string, allowed func(string) bool) ([]string, error) {
	lower := strings.ToLower(pattern)
	if strings.ContainsAny(pattern, glob.Meta+",") {
		// The pattern, or each pattern of a list, in any case and folder.
		if g, err := glob.Compile("**/{" + strings.ReplaceAll(lower, " ", "") + "}{,/**}"); err == nil {
			found, err := rankPaths(ctx, r, allowed, func(p string) float64 { return scoreIf(g.Match(strings.ToLower(p))) })
			if err != nil || len(found) > 0 {
				return found, err
			}
		}
		isMeta := func(c rune) bool { return strings.ContainsRune(glob.Meta+", ", c) }
		lower = strings.Trim(strings.Join(strings.FieldsFunc(lower, isMeta), " "), " /")
	}
	if lower == "" {
		return nil, nil
	}
	for _, match := range []func(p, typed string) float64{literalMatch, wordMatch, typoMatch} {
		found, err := rankPaths(ctx, r, allowed, func(p string) float64 { return match(strings.ToLower(p), lower) })
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	return nil, nil
}

// rankPaths returns up to api.MaxGlob allowed paths with a positive score, best first.
func rankPaths(ctx context.Context, r Lister, allowed func(string) bool,
	score func(string) float64) (found []string, err error) {
	scores := map[string]float64{}
	for _, corpus := range api.Corpora {
		for _, p := range r.Paths(corpus) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if s := score(p); s > 0 && len(found) < api.MaxGlob && allowed(p) {
				found, scores[p] = append(found, p), s
			}
		}
	}
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return found, nil
}

func literalMatch(p, typed string) float64 {
	switch base := path.Base(p); {
	case pathMatch(p, typed) > 0:
		return pathMatch(p, typed)
	case strings.HasPrefix(base, typed):
		return 0.5
	case strings.Contains(base, typed):
		return 0.4
	case strings.Contains(p, typed):
		return 0.3
	}
	return 0
}

// wordMatch scores a path by the typed words in its file name. It returns 0 if the path lacks a word.
func wordMatch(p, typed string) float64 {
	words := partsOf(typed)
	if len(words) == 0 {
		return 0
	}
	own, base := partsOf(p), partsOf(path.Base(p))
	inName := 0
	for _, w := range words {
		switch {
		case slices.ContainsFunc(base, func(o string) bool { return strings.HasPrefix(o, w) }):
			inName++
		case !slices.ContainsFunc(own, func(o string) bool { return strings.HasPrefix(o, w) }):
			return 0
		}
	}
	return float64(1+inName) / float64(1+len(words))
}

const lettersPerEdit = 4

// typoMatch scores the end of a path by its edit distance to typed.
func typoMatch(p, typed string) float64 {
	edits := len(typed) / lettersPerEdit
	if edits == 0 {
		return 0
	}
	parts := strings.Split(p, "/")
	tail := strings.Join(parts[max(0, len(parts)-strings.Count(typed, "/")-1):], "/")
	best := 0.0
	for _, name := range []string{tail, strings.TrimSuffix(tail, path.Ext(tail))} {
		if d, near := glob.Distance(normalise(name), normalise(typed), edits); near {
			best = max(best, 1-float64(d)/float64(len(typed)+1))
		}
	}
	return best
}

func partsOf(name string) (parts []string) {
	for _, w := range text.Analyse(name) {
		parts = append(parts, w.Tokens()...)
	}
	return parts
}
