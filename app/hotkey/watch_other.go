//go:build !linux && !windows

package hotkey

import "context"

func watch(context.Context, Options) error { return ErrNone }
