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
	if name, exists := Name(r, q.Pattern); exists {
		match = below(name)
	} else {
		g, err := pathGlob(r, q.Pattern, false)
		if err != nil {
			return api.FileResults{}, err
		}
		match = g.Match
	}
	found, err := matching(ctx, r, q.Limit, func(p string) bool { return (match == nil || match(p)) && allowed(p) })
	if err == nil && found.Total == 0 {
		found.Similar, err = similar(ctx, r, relative(strings.TrimSpace(q.Pattern)), allowed)
	}
	return found, err
}

const maxSimilar = 20

func similar(ctx context.Context, r Lister, pattern string, allowed func(string) bool) ([]string, error) {
	lower := strings.ToLower(pattern)
	if strings.ContainsAny(pattern, glob.Meta+",") {
		list := "**/{" + strings.ReplaceAll(lower, " ", "") + "}{,/**}"
		for _, wider := range []string{anyDepth(pattern), "**/" + pattern, list} {
			g, err := glob.Compile(wider)
			if err != nil {
				continue
			}
			found, err := matching(ctx, r, maxSimilar,
				func(p string) bool { return (g.Match(p) || g.Match(strings.ToLower(p))) && allowed(p) })
			if err != nil || found.Total > 0 {
				return found.Matches, err
			}
		}
		lower = strings.Trim(strings.Map(func(c rune) rune { // remove wildcards
			if strings.ContainsRune(glob.Meta+",", c) {
				return ' '
			}
			return c
		}, lower), " /")
	}
	if lower == "" {
		return nil, nil
	}
	for _, match := range []func(p, typed string) float64{literalMatch, wordMatch, typoMatch} {
		found, err := rankPaths(ctx, r, allowed, func(p string) float64 { return match(strings.ToLower(p), lower) })
		if err != nil || len(found) > 0 {
			return found[:min(len(found), maxSimilar)], err
		}
	}
	return nil, nil
}

func matching(ctx context.Context, r Lister, limit int, match func(string) bool) (found api.FileResults, err error) {
	var matches []string
	err = eachPath(ctx, r, func(p string) bool {
		if match(p) {
			matches = append(matches, p)
		}
		return len(matches) < api.MaxGlob
	})
	if err != nil {
		return found, err
	}
	slices.Sort(matches)
	return api.FileResults{Matches: matches[:min(len(matches), limit)], Total: len(matches)}, nil
}

func eachPath(ctx context.Context, r Lister, visit func(string) bool) error {
	for _, corpus := range api.Corpora {
		for _, p := range r.Paths(corpus) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if !visit(p) {
				return nil
			}
		}
	}
	return nil
}

func rankPaths(ctx context.Context, r Lister, allowed func(string) bool,
	score func(string) float64) (found []string, err error) {
	scores := map[string]float64{}
	err = eachPath(ctx, r, func(p string) bool {
		if s := score(p); s > 0 && allowed(p) {
			found, scores[p] = append(found, p), s
		}
		return len(found) < api.MaxGlob
	})
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return found, err
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
