// Package tray is the app's icon with its tooltip and menu. Build computes the menu. Run keeps the icon up to date.
//
// It must not import Fyne.
//
// Goroutines: systray's loop, a listener to the engine, and one for each menu item. Run waits for the goroutines that
// end with systray. tray.mu is a leaf.
package tray
