package quality

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Each calls do with the index of every project, of as many at once as there are cores, until one fails. Releases of
// one project share a cache of vectors, so they come one after the other.
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
