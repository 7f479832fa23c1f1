package search

import (
	"context"
	"fmt"
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

// Files finds indexed files by a glob (RFC 4.3) over both corpora, in path order. A pattern without a slash matches at any
// depth, as a person who types "*.go" expects; a leading "./" or "/" is taken off. It returns at most q.Limit matches and how many
// there are, which stops counting at api.MaxGlob.
func Files(ctx context.Context, r Lister, q api.FileQuery, allowed func(path string) bool) (matches []string, total int, err error) {
	pattern := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(q.Pattern), "./"), "/")
	if pattern == "" {
		return nil, 0, api.ErrInvalidPattern(q.Pattern, fmt.Errorf("the pattern is empty"))
	}
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	if !doublestar.ValidatePattern(pattern) {
		return nil, 0, api.ErrInvalidPattern(q.Pattern, doublestar.ErrBadPattern)
	}
	for _, corpus := range api.Corpora {
		for i, path := range r.Paths(corpus) {
			if i%1024 == 0 && ctx.Err() != nil {
				return nil, 0, context.Cause(ctx)
			}
			if total >= api.MaxGlob {
				break
			}
			if !doublestar.MatchUnvalidated(pattern, path) || !allowed(path) {
				continue
			}
			total++
			matches = append(matches, path)
		}
	}
	slices.Sort(matches)
	if len(matches) > q.Limit {
		matches = matches[:q.Limit]
	}
	return matches, total, nil
}
