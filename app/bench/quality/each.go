package quality

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Each calls do with the index in projects of every project, concurrently on all cores, until a call fails. It
// processes the releases of a project one at a time, because they share a cache of vectors.
func Each(ctx context.Context, projects []Project, do func(ctx context.Context, i int) error) error {
	families := map[string][]int{}
	for i, p := range projects {
		families[p.Family()] = append(families[p.Family()], i)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, family := range families {
		g.Go(func() error {
			for _, i := range family {
				if err := do(ctx, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}
