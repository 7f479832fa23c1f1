package quality

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
)

// Together asks every question in all projects at once, like "search-mcp search --all". It prints, by kind of
// question, how often the question's project is first and among the first three. all contains one release of each
// project.
func Together(ctx context.Context, w io.Writer, all []*Index, e Embedder) error {
	type score struct{ asked, first, three int }
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, light := range []bool{true, false} {
		vectors := map[bool]string{true: "quick vectors", false: "model"}[light]
		fmt.Fprintf(t, "%s, %d projects\tquestions\tproject@1\t@3\n", vectors, len(all))
		scores := map[string]score{}
		for right, x := range all {
			for _, q := range x.Project.Questions {
				order, err := projects(ctx, all, q, e, light)
				if err != nil {
					return fmt.Errorf("%s, question %q: %w", x.Project.Name, q.Text, err)
				}
				for _, kind := range []string{q.Kind, "all"} {
					s := scores[kind]
					s.asked++
					if at := slices.Index(order, right); at >= 0 && at < 3 {
						s.three++
						if at == 0 {
							s.first++
						}
					}
					scores[kind] = s
				}
			}
		}
		for _, kind := range append(Kinds, "all") {
			if s := scores[kind]; s.asked > 0 {
				n := float64(s.asked)
				fmt.Fprintf(t, "%s\t%d\t%.3f\t%.3f\n", kind, s.asked, float64(s.first)/n, float64(s.three)/n)
			}
		}
	}
	return t.Flush()
}

// projects returns the indexes in all of the projects that answer q, in the order of their first results.
func projects(ctx context.Context, all []*Index, q Question, e Embedder, light bool) (order []int, err error) {
	ranked := make([]*search.Ranked, len(all))
	g, ctx := errgroup.WithContext(ctx)
	for i, x := range all {
		g.Go(func() (err error) {
			req := request(q, e)
			if light {
				req.Embedder, req.Static, req.StaticCoverage, req.Light = nil, x.table.Question, 1, true
			}
			if x.history != nil {
				req.History = x.history
			}
			ranked[i], err = search.Rank(ctx, x, req)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	first := make([]api.Hit, len(all))
	for i, relevant := range search.Compare(ranked) {
		if hits := ranked[i].Results(relevant).Hits; len(hits) > 0 {
			first[i] = hits[0]
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if first[i].Whole != first[j].Whole {
			return map[bool]int{true: -1, false: 1}[first[i].Whole]
		}
		return cmp.Compare(first[j].Score, first[i].Score)
	})
	return order, nil
}
