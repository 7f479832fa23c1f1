package admin

import (
	"context"
	"fmt"
	"slices"

	"searchmcp/app/endpoint/activity"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func status(c *call) wire.Status {
	e := c.engine
	return wire.Status{
		Version: c.o.Version, Data: c.o.Data, Started: c.o.Started, Paused: e.Paused(),
		Projects: append([]api.Project{}, e.Projects()...), Model: e.Model(), Problems: e.Problems(),
		Open: c.o.Questions.List(), Unread: e.Unread(),
	}
}

func subscribe(_ context.Context, c *call, _ wire.Empty) (wire.Empty, error) {
	if again := c.session.Watch(c.engine.Subscribe); !again && c.session.Role() == api.RoleWindow {
		c.o.Questions.Watched(+1)
	}
	return wire.Empty{}, nil
}

func setSettings(_ context.Context, c *call, changes map[string]any) (map[string]any, error) {
	all, err := c.engine.SetSettings(changes)
	if !activity.Enabled(c.engine.Settings()) {
		c.o.Activity.Clear()
	}
	return all, err
}

func asked(_ context.Context, c *call, p wire.SearchUse) (wire.Empty, error) {
	if activity.Enabled(c.engine.Settings()) {
		c.o.Activity.AddUse(c.session.Name(), p)
	}
	return wire.Empty{}, nil
}

func quit(c *call) wire.Empty {
	c.log.Info("the user quit the app")
	go func() {
		c.o.Quit()
		c.o.QuitRequested()
	}()
	return wire.Empty{}
}

func answer(_ context.Context, c *call, p wire.AnswerQuestion) (wire.Empty, error) {
	if c.session.Role() != api.RoleWindow {
		return wire.Empty{}, api.New(api.PermissionDenied, "Questions are answered in the Search MCP window.",
			"the session is not a window", nil)
	}
	if !slices.Contains([]api.Answer{api.Accept, api.Always, api.Decline}, p.Answer) {
		return wire.Empty{}, errParams{fmt.Errorf("unknown answer %q", p.Answer)}
	}
	return wire.Empty{}, c.o.Questions.Answer(p.ID, p.Answer, c.session.Role())
}
