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

// counts are questions of a kind, and those of them that were answered, in part or wholly.
type counts struct{ asked, answered, whole int }

func (n *counts) add(o counts) {
	n.asked, n.answered, n.whole = n.asked+o.asked, n.answered+o.answered, n.whole+o.whole
}

// askElsewhere asks a package's index for recipes, flights and the like. Only the pinned packages are asked: they are
// enough to tell one per cent from another.
func askElsewhere(ctx context.Context, x *Index, s Stage) (n counts, err error) {
	if !slices.ContainsFunc(pinned, func(p Project) bool { return p.Name == x.Project.Name }) {
		return n, nil
	}
	for text := range strings.Lines(offTopic) {
		text = strings.TrimSpace(text)
		found, err := s.Find(ctx, x, Question{Kind: "plain", Text: text})
		if err != nil {
			return n, fmt.Errorf("%s, request %q: %w", x.Project.Name, text, err)
		}
		n.asked++
		if len(found.Files) > 0 {
			n.answered++
		}
	}
	return n, nil
}
