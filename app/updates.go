package app

import (
	"context"
	"log/slog"

	"searchmcp/app/update"
	"searchmcp/app/version"
	"searchmcp/app/wire"
	"searchmcp/engine"
	"searchmcp/engine/api"
)

// openUpdates makes what tells of newer versions, as far as the setting allows.
func openUpdates(eng *engine.Engine, data string, log *slog.Logger) (*update.Checker, error) {
	return update.New(update.Options{
		Dir: data, Current: version.Version, Log: log,
		Allowed: func() bool { return allowed(eng.Settings()) },
		Changed: func() { eng.Publish(api.Event{Kind: api.EventUpdate}) },
	})
}

func allowed(settings map[string]any) bool {
	on, _ := settings[wire.SettingUpdateCheck].(bool)
	return on
}

// followSettings has newer versions looked for as soon as a person allows it. It ends with ctx.
func followSettings(ctx context.Context, eng *engine.Engine, c *update.Checker) {
	for e := range eng.Subscribe(ctx) {
		if e.Kind == api.EventSettings {
			c.Poke()
		}
	}
}

// known is what window and terminal are told of newer versions; c is nil before the engine is open.
func known(ctx context.Context, c *update.Checker, now bool) wire.Update {
	if c == nil {
		return wire.Update{}
	}
	state := c.Known()
	if now {
		state = c.Check(ctx)
	}
	return wire.Update{
		Possible: state.Possible, Enabled: c.Allowed(), Version: state.Newer.Version, Page: state.Newer.Page,
		Summary: state.Newer.Summary, Checked: state.Checked, Problem: state.Problem,
	}
}
