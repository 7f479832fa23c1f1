package hotkey

import (
	"context"
	"errors"
)

// watch asks the portal first: it is what Wayland has, and leaves the choice with the person. A grabbed key is seen
// under X11 only; under Wayland it would be while an X11 program has the keyboard, which is worse than not at all.
func watch(ctx context.Context, o Options) error {
	err := byPortal(ctx, o)
	if !errors.Is(err, ErrNone) {
		return err
	}
	if value(o.Env, "DISPLAY") == "" || value(o.Env, "WAYLAND_DISPLAY") != "" ||
		value(o.Env, "XDG_SESSION_TYPE") == "wayland" {
		return ErrNone
	}
	return byX11(ctx, o)
}
