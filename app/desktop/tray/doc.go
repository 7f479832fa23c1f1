// Package tray is the icon of the resident program: its state, its tooltip and its menu, on fyne.io/systray alone. What
// the menu says is a pure function of what the engine shows (Build); Run keeps the icon in line with it.
//
// It must not know Fyne, the socket or how a window is opened: what a click does is handed to it (Actions).
//
// Goroutines: systray's loop, one that listens to the engine, one for each item of the menu; Run waits for all but
// those that systray itself leaves behind. Locks: none of its own.
package tray
