package endpoint

import (
	"context"
	"slices"
	"sync"

	"searchmcp/engine/api"
)

func (s *Server) follow(ctx context.Context) {
	select {
	case <-s.ready:
	case <-ctx.Done():
		return
	}
	e, _ := s.attached()
	var followers sync.WaitGroup
	followers.Go(func() { s.followSources(ctx, e) })
	followers.Go(func() { s.activity.Follow(ctx, e) })
	followers.Wait()
}

func (s *Server) followSources(ctx context.Context, e Engine) {
	events := e.Subscribe(ctx)
	s.tools.Sync(e) // applies changes made before Subscribe
	indexed, enhanced := indexedProjects(e), enhancedProjects(e)
	for event := range events {
		switch event.Kind {
		case api.EventSettings:
			s.tools.Sync(e)
			s.documentsChanged()
		case api.EventSources:
			switch event.Message {
			case api.SourceSites:
				s.tools.Sync(e)
			case api.SourceArchives:
				s.tools.Changed()
			case api.SourceDocuments:
				s.documentsChanged()
			}
		case api.EventProject, api.EventRemoved:
			if now := indexedProjects(e); !slices.Equal(now, indexed) {
				indexed = now
				s.documentsChanged()
			}
			if now := enhancedProjects(e); !slices.Equal(now, enhanced) {
				enhanced = now
				s.tools.Changed()
			}
		}
	}
}

func indexedProjects(e Engine) []string {
	return projectsWith(e, func(p api.Project) bool { return p.Files > 0 })
}

func enhancedProjects(e Engine) []string {
	return projectsWith(e, func(p api.Project) bool { return e.Config(p.Root()).EnhancedToolDescriptions })
}

func projectsWith(e Engine, has func(api.Project) bool) (ids []string) {
	for _, p := range e.Projects() {
		if has(p) {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// documentsChanged makes clients list the resources again, and updates the tools that search documents.
func (s *Server) documentsChanged() {
	s.resources.Changed()
	s.tools.Changed()
}
