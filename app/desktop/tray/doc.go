// Package tray shows the app's icon with its tooltip and menu. Build computes the menu. Run keeps the icon up to date.
//
// It must not import Fyne.
//
// The goroutines are systray's loop, one for the engine's events, and one for each menu item. Run waits for them, at
// most a second for the loop. No other lock is acquired under tray.mu.
package tray
