//go:build !windows

package main

import "fyne.io/fyne/v2"

// titleBars does nothing, because the desktop decides how title bars look.
func titleBars(fyne.App) {}
