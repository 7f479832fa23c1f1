package endpoint

import (
	"context"
	"fmt"

	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

// Sharing is what a Backend offers for indexes that a team shares. The caller has asked a person before any of it.
type Sharing interface {
	// AddShared lays the shared index at a location under root's own, and makes a project of root if it is none.
	AddShared(ctx context.Context, root, location string) (api.Project, error)
	// RemoveShared takes it away; its files are then indexed here.
	RemoveShared(ctx context.Context, root string) (api.Project, error)
	// PublishShared writes root's complete index to a location. progress is told what has been done of what.
	PublishShared(ctx context.Context, root, location string, progress func(stage api.PublishStage, done, of int)) (api.Publication, error)
}

// withSharing returns the engine's part and the project that is meant.
func (c *caller) withSharing(ref string) (Sharing, string, error) {
	s, ok := c.Backend.(Sharing)
	if !ok {
		return nil, "", api.New(api.Internal, "This app cannot share indexes.", "the backend has no sharing", nil)
	}
	root, err := c.root(ref)
	return s, root, err
}

func (c *caller) addShared(ctx context.Context, p wire.Share) (any, error) {
	s, root, err := c.withSharing(p.Project)
	if err != nil {
		return nil, err
	}
	c.srv.log.Info("a person adds a shared index", "session", c.id, "project", root)
	return s.AddShared(ctx, root, p.Location)
}

func (c *caller) removeShared(ctx context.Context, p wire.ProjectRef) (any, error) {
	s, root, err := c.withSharing(p.Project)
	if err != nil {
		return nil, err
	}
	return s.RemoveShared(ctx, root)
}

func (c *caller) publishShared(ctx context.Context, p wire.Share) (any, error) {
	s, root, err := c.withSharing(p.Project)
	if err != nil {
		return nil, err
	}
	c.srv.log.Info("a person publishes an index", "session", c.id, "project", root)
	told := newProgress(ctx, c.session)
	return s.PublishShared(ctx, root, p.Location, func(stage api.PublishStage, done, of int) {
		// One scale of 100: texts take a tenth of it, vectors, ten times as much data, the rest.
		const texts = 10
		part := float64(done) / float64(max(of, 1))
		if stage == api.PublishTexts {
			told.report(texts*part, fmt.Sprintf("Publishing texts: %d of %d files", done, of))
		} else {
			told.report(texts+(progressTotal-texts)*part, fmt.Sprintf("Publishing vectors: %d of %d", done, of))
		}
	})
}
