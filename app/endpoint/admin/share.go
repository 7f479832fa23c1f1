package admin

import (
	"context"
	"fmt"

	"searchmcp/app/endpoint/session"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Sharing manages indexes that a team shares. The caller has asked the user first.
type Sharing interface {
	// AddShared uses the shared index at a location as the base of root's own, and registers root as a project if
	// necessary.
	AddShared(ctx context.Context, root, location string) (api.Project, error)
	// RemoveShared removes the shared index. Its files are then indexed locally.
	RemoveShared(ctx context.Context, root string) (api.Project, error)
	// PublishShared writes root's complete index to a location and reports progress.
	PublishShared(ctx context.Context, root, location string,
		progress func(stage api.PublishStage, done, of int)) (api.Publication, error)
}

func addShared(ctx context.Context, c *call, e Sharing, root string, p wire.Share) (api.Project, error) {
	c.log.Info("the user adds a shared index", "project", root)
	return e.AddShared(ctx, root, p.Location)
}

func removeShared(ctx context.Context, _ *call, e Sharing, root string, _ wire.ProjectRef) (api.Project, error) {
	return e.RemoveShared(ctx, root)
}

func publishShared(ctx context.Context, c *call, e Sharing, root string, p wire.Share) (api.Publication, error) {
	c.log.Info("the user publishes an index", "project", root)
	report := session.NewProgress(ctx, c.session)
	return e.PublishShared(ctx, root, p.Location, func(stage api.PublishStage, done, of int) {
		// Both parts use one scale of 100. Texts take a tenth. Vectors, which have ten times the data, take the other
		// part.
		const texts = 10
		part := float64(done) / float64(max(of, 1))
		if stage == api.PublishTexts {
			report.Report(texts*part, fmt.Sprintf("Publishing texts: %d of %d files", done, of))
		} else {
			report.Report(texts+(session.Percents-texts)*part, fmt.Sprintf("Publishing vectors: %d of %d", done, of))
		}
	})
}
