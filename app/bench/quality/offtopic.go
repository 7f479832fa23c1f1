package quality

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// offTopic are requests about something else than software, one a line.
//
//go:embed testdata/offtopic.txt
var offTopic string

// Elsewhere counts requests that no project answers, and those of them that get an answer all the same.
type Elsewhere struct {
	Asked, Answered int
}

// Add adds another project's counts.
func (n *Elsewhere) Add(o Elsewhere) { n.Asked, n.Answered = n.Asked+o.Asked, n.Answered+o.Answered }

// AskElsewhere asks a package's index for recipes, flights and the like. Only the pinned packages are asked: they are
// enough to tell one per cent from another.
func AskElsewhere(ctx context.Context, x *Index, s Stage) (n Elsewhere, err error) {
	if !slices.ContainsFunc(pinned, func(p Project) bool { return p.Name == x.Project.Name }) {
		return n, nil
	}
	for text := range strings.Lines(offTopic) {
		text = strings.TrimSpace(text)
		found, err := s.Find(ctx, x, Question{Kind: "plain", Text: text})
		if err != nil {
			return n, fmt.Errorf("%s, request %q: %w", x.Project.Name, text, err)
		}
		n.Asked++
		if len(found.Files) > 0 {
			n.Answered++
		}
	}
	return n, nil
}
