// Package ui is the window, made with Fyne: six pages, the sheets next to them and the confirmations on top. Package
// present provides its texts, Backend is its connection to the app, and Desktop its interface to the operating system.
// It does not import the socket or the engine's implementation, and needs no cgo: only the window's main links Fyne's
// driver.
//
// A Window is used on Fyne's goroutine only. Its one lock, Window.mu, guards events from other goroutines and is held
// for nothing else. Blocking work runs in goroutines of Window.background and returns through Window.onUI. Close
// cancels these goroutines and waits for them.
package ui
