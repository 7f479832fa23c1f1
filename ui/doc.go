// Package ui implements the window with Fyne: the sidebar, shortcut keys, confirmations and the palette around the
// pages of package page. It imports neither the socket nor the engine's implementation. It uses no cgo, because only
// the window's main links Fyne's driver.
//
// A Window is used only on Fyne's goroutine. Its only lock, Window.mu, guards the events that other goroutines add.
// Close cancels all goroutines and waits for them.
package ui
