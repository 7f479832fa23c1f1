package search

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"searchmcp/engine/api"
	"searchmcp/engine/files/glob"
)

// Lister lists the indexed files.
type Lister interface {
	// Paths returns the sorted paths of a corpus. Callers must not change the slice.
	Paths(corpus api.Corpus) []string
}

// Files finds indexed files by a glob pattern, a path or the name of a folder (RFC 4.3). It returns at most q.Limit
// matches in path order, and their total number up to api.MaxGlob. "" and "." match all files.
//
// If no file matches, Similar lists a few paths that contain the pattern or have a similar spelling.
func Files(ctx context.Context, r Lister, q api.FileQuery, allowed func(path string) bool) (api.FileResults, error) {
	var match func(string) bool
	if q.Words && !strings.ContainsAny(q.Pattern, glob.Meta+",") {
		words := strings.Fields(strings.ToLower(q.Pattern))
		match = func(p string) bool {
			p = strings.ToLower(p)
			return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(p, w) })
		}
	} else if name, exists := ResolvePath(r, q.Pattern); exists {
		match = below(name)
	} else {
		g, err := pathGlob(r, q.Pattern, q.Words)
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
	lower := strings.Trim(strings.ToLower(pattern), "./")
	matches := []func(p string) float64{
		func(p string) float64 {
			p = strings.ToLower(p)
			return max(pathMatch(p, lower), scoreIf(strings.Contains(p, lower))/2)
		},
		func(p string) float64 { return typoMatch(strings.ToLower(p), lower) },
		func(p string) float64 { return abbreviationMatch(p, lower) },
	}
	if strings.ContainsAny(pattern, glob.Meta+",") {
		// The pattern, or each pattern of a list, in any case and folder.
		g, err := glob.Compile("**/{" + strings.ReplaceAll(lower, " ", "") + "}{,/**}")
		if err != nil {
			return nil, nil
		}
		matches = []func(p string) float64{func(p string) float64 { return scoreIf(g.Match(strings.ToLower(p))) }}
	}
	for _, match := range matches {
		found, err := rankPaths(ctx, r, allowed, match)
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

// abbreviationMatch scores the name of a file that contains the letters of typed in this order, the first and others at
// the beginning of a word: "bufsink" abbreviates BufferedSink.kt, and "pgrrs" abbreviates pager.rs.
func abbreviationMatch(p, typed string) float64 {
	name, rest := []rune(path.Base(p)), []rune(normalise(typed))
	begins, length := 0, len(rest)
	for i, r := range name {
		begin := i == 0 || unicode.IsUpper(r) || !unicode.IsLetter(name[i-1])
		if len(rest) == 0 || unicode.ToLower(r) != rest[0] || begins == 0 && !begin {
			continue
		}
		if rest = rest[1:]; begin {
			begins++
		}
	}
	if len(rest) > 0 || begins < 2 {
		return 0
	}
	return float64(length+begins) / float64(len(name)+1)
}
