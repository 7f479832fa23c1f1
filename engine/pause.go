package engine

import "searchmcp/engine/api"

// Pause stops indexing of one project, of all for "".
func (e *Engine) Pause(root string) error { return e.setPaused(root, true) }

// Resume undoes Pause.
func (e *Engine) Resume(root string) error { return e.setPaused(root, false) }

func (e *Engine) setPaused(root string, on bool) error {
	if root != "" {
		return e.Registry.SetPaused(root, on)
	}
	if err := e.settings.set(map[string]any{settingPaused: on}); err != nil {
		return err
	}
	e.Registry.ApplyPause()
	e.hub.Publish(api.Event{Kind: api.EventSettings})
	return nil
}

// Paused reports whether everything is paused.
func (e *Engine) Paused() bool { return e.settings.paused() }
