//go:build !windows

package main

import "fyne.io/fyne/v2"

func titleBars(fyne.App) {}
