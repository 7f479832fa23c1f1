//go:build !linux

package main

import (
	"context"

	"searchmcp/ui/present"
)

// Notify implements ui.Desktop. Fyne's notifications have no buttons here.
func (*machine) Notify(context.Context, present.Notice, func(string)) bool { return false }
