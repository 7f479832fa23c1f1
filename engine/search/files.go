package search

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"searchmcp/engine/api"
)

// Lister is what Files reads.
type Lister interface {
	// Paths returns the committed paths of a corpus, sorted. The slice is shared; it must not be changed.
	Paths(corpus api.Corpus) []string
}

// Files finds indexed files by a pattern over both corpora. It returns at most q.Limit matches and how many there are, which
// stops counting at api.MaxGlob.
//
// A pattern with glob signs is RFC 4.3's glob, in path order; without a slash it matches at any depth, as a person who types
// "*.go" expects. A pattern without glob signs is a path, the end of one, a folder or words of a path, nearest first; if nothing
// has all of it, paths that are spelt nearly so. A leading "./" or "/" is taken off.
func Files(ctx context.Context, r Lister, q api.FileQuery, allowed func(path string) bool) (matches []string, total int, err error) {
	pattern := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(q.Pattern), "./"), "/")
	if pattern == "" {
		return nil, 0, api.ErrInvalidPattern(q.Pattern, fmt.Errorf("the pattern is empty"))
	}
	if strings.ContainsAny(pattern, globSigns) {
		return globbed(ctx, r, q, pattern, allowed)
	}
	lower := strings.ToLower(strings.TrimSuffix(pattern, "/"))
	var found []scoredPath
	for _, fits := range []func(p, typed string) float64{literally, byWords, misspelt} {
		if found, err = ranked(ctx, r, allowed, func(p string) float64 { return fits(strings.ToLower(p), lower) }); err != nil {
			return nil, 0, err
		}
		if len(found) > 0 {
			break
		}
	}
	for _, f := range found[:min(len(found), q.Limit)] {
		matches = append(matches, f.path)
	}
	return matches, min(len(found), api.MaxGlob), nil
}

// globSigns tell a glob from a path.
const globSigns = "*?[]{}\\"

// globbed matches a glob.
func globbed(ctx context.Context, r Lister, q api.FileQuery, pattern string, allowed func(string) bool) (matches []string, total int, err error) {
	if pattern, err = globOf(pattern); err != nil {
		return nil, 0, err
	}
	err = each(ctx, r, func(p string) bool {
		if doublestar.MatchUnvalidated(pattern, p) && allowed(p) {
			matches = append(matches, p)
		}
		return len(matches) < api.MaxGlob
	})
	if err != nil {
		return nil, 0, err
	}
	slices.Sort(matches)
	return matches[:min(len(matches), q.Limit)], len(matches), nil
}

// globOf is a glob as paths are matched with it: one without a slash matches at any depth, a leading "./" or "/" says nothing.
func globOf(pattern string) (string, error) {
	glob := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(pattern), "./"), "/")
	if !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	if !doublestar.ValidatePattern(glob) {
		return "", api.ErrInvalidPattern(pattern, doublestar.ErrBadPattern)
	}
	return glob, nil
}

// each visits the paths of both corpora until visit returns false.
func each(ctx context.Context, r Lister, visit func(string) bool) error {
	for _, corpus := range api.Corpora {
		for i, p := range r.Paths(corpus) {
			if i%1024 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if !visit(p) {
				return nil
			}
		}
	}
	return nil
}

type scoredPath struct {
	path  string
	score float64
}

// ranked returns the paths that score above 0, best first, then the shorter and the earlier.
func ranked(ctx context.Context, r Lister, allowed func(string) bool, score func(string) float64) ([]scoredPath, error) {
	var found []scoredPath
	err := each(ctx, r, func(p string) bool {
		if s := score(p); s > 0 && allowed(p) {
			found = append(found, scoredPath{p, s})
		}
		return len(found) < api.MaxGlob
	})
	slices.SortFunc(found, func(a, b scoredPath) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.path, b.path))
	})
	return found, err
}

// literally is how well a path fits what was typed, both in lower case; 0: not at all.
func literally(p, typed string) float64 {
	switch base := path.Base(p); {
	case agrees(p, typed) > 0:
		return agrees(p, typed)
	case strings.HasPrefix(base, typed):
		return 0.5
	case strings.Contains(base, typed):
		return 0.4
	case strings.Contains(p, typed):
		return 0.3
	}
	return 0
}

// byWords is above 0 if every word that was typed begins a word of the path; the more of them stand in the name, the higher.
func byWords(p, typed string) float64 {
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

// Misspelling: a name of this many letters may differ by one edit, one of twice as many by two, and so on.
const lettersPerEdit = 4

// misspelt is how near a file's name, with or without extension, is to what was typed; 0: too far. With folders typed, as many
// of the path's last parts are compared.
func misspelt(p, typed string) float64 {
	edits := len(typed) / lettersPerEdit
	if edits == 0 {
		return 0
	}
	parts := strings.Split(p, "/")
	tail := strings.Join(parts[max(0, len(parts)-strings.Count(typed, "/")-1):], "/")
	best := 0.0
	for _, name := range []string{tail, strings.TrimSuffix(tail, path.Ext(tail))} {
		if d := distance(plain(name), plain(typed), edits); d <= edits {
			best = max(best, 1-float64(d)/float64(len(typed)+1))
		}
	}
	return best
}

// distance is the number of edits between two words, neighbours that changed places counting once (Damerau, 1964, restricted to
// non-overlapping transpositions). Beyond limit it returns limit+1.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
