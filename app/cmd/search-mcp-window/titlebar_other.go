//go:build !windows

package main

import "fyne.io/fyne/v2"

// titleBars does nothing: the desktop draws title bars.
func titleBars(fyne.App) {}
