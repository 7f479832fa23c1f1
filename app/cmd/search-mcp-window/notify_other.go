//go:build !linux

package main

import (
	"context"

	"searchmcp/ui/present"
)

func noTray() bool { return false }

// Notify returns false, because Fyne's notifications have no buttons.
func (*machine) Notify(context.Context, present.Notice, func(string)) bool { return false }
