package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"searchmcp/app/hotkey"
	"searchmcp/app/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine"
	"searchmcp/engine/api"
)

// shortcut keeps the person's shortcut for the palette in force: it follows the setting and the session.
type shortcut struct {
	desk *desktop
	log  *slog.Logger
	show func(wire.Show) error

	mu    sync.Mutex // over state, a leaf
	state wire.Shortcut
}

// appID names the app to the desktop, as the window's does.
const appID = "io.searchmcp.app"

func (s *shortcut) known() wire.Shortcut {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// run follows the setting until ctx ends.
func (s *shortcut) run(ctx context.Context, eng *engine.Engine) {
	events := eng.Subscribe(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	stop := func() {}
	defer func() { stop() }()
	var in string // force
	follow := func() {
		keys, _ := eng.Settings()[wire.SettingShortcut].(string)
		if keys == in {
			return
		}
		stop()
		work.Wait()
		in = keys
		var watching context.Context
		watching, stop = context.WithCancel(ctx)
		s.set(eng, wire.Shortcut{Keys: keys})
		if keys != "" {
			work.Go(func() { s.watch(watching, eng, keys) })
		}
	}
	follow()
	for e := range events {
		if e.Kind == api.EventSettings {
			follow()
		}
	}
}

// watch keeps one shortcut in force, from the moment on at which there is a session, and again after a desktop that
// went.
func (s *shortcut) watch(ctx context.Context, eng *engine.Engine, keys string) {
	combination, err := hotkey.Parse(keys)
	if err != nil {
		s.log.Error("no shortcut", "err", err)
		return
	}
	for ctx.Err() == nil {
		if env, ok := session(); ok {
			err := hotkey.Watch(ctx, hotkey.Options{
				Shortcut: combination, App: appID, Title: s.desk.language().Text(shortcutTitle), Env: env,
				Ready: func(by string) { s.set(eng, wire.Shortcut{Keys: keys, By: by}) },
				Pressed: func() {
					if err := s.show(wire.Show{Page: wire.PagePalette}); err != nil {
						s.log.Warn("palette not shown", "err", err)
					}
				},
			})
			if ctx.Err() != nil {
				return
			}
			problem := wire.ShortcutFailed
			switch {
			case errors.Is(err, hotkey.ErrNone):
				problem = wire.ShortcutNone
			case errors.Is(err, hotkey.ErrTaken):
				problem = wire.ShortcutTaken
			}
			s.log.Info("no shortcut", "why", problem, "err", err)
			s.set(eng, wire.Shortcut{Keys: keys, Problem: problem})
		}
		select {
		case <-ctx.Done():
		case <-time.After(shortcutPause):
		}
	}
}

// shortcutPause is how often a shortcut that is not in force is asked for again: another program may have let go of it.
const shortcutPause = time.Minute

const shortcutTitle translations.Text = "Search all projects"

// set tells what is known of the shortcut, if it is something else.
func (s *shortcut) set(eng *engine.Engine, state wire.Shortcut) {
	s.mu.Lock()
	same := s.state == state
	s.state = state
	s.mu.Unlock()
	if !same {
		eng.Publish(api.Event{Kind: api.EventUpdate})
	}
}
