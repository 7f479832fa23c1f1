package quality

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// offTopic contains requests that are not about software, one per line.
//
//go:embed testdata/offtopic.txt
var offTopic string

// counts contains the numbers of questions, of those with an answer, and of those with a complete answer.
type counts struct{ asked, answered, whole int }

func (n *counts) add(o counts) {
	n.asked, n.answered, n.whole = n.asked+o.asked, n.answered+o.answered, n.whole+o.whole
}

// askOffTopic makes the off-topic requests in a project. It asks only in the pinned projects, which are enough for an
// accuracy of one per cent.
func askOffTopic(ctx context.Context, x *Index, s Stage) (n counts, err error) {
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
