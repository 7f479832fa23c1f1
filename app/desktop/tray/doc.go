// Package tray shows the app's icon with its tooltip and menu. Build computes the menu. Run keeps the icon up to date.
//
// It must not import Fyne.
//
// The goroutines are systray's loop, a listener for the engine's events, and one for each menu item. Run waits for the
// goroutines that systray's loop ends. tray.mu is a leaf.
package tray
