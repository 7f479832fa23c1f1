// Package ui is the window: six pages, the sheets beside them and the questions above them, made of Fyne. What it shows
// is worded by ui/present; what it knows it knows through the Backend it declares; what it asks of the machine goes
// through Desktop. It must not know the socket, the engine or how an index is made, and it needs no C: only the
// window's main links Fyne's driver.
//
// Everything in a Window is touched on Fyne's goroutine only, so there is no lock but Window.mu, a leaf over the events
// that arrive from elsewhere. Work that waits runs in goroutines of Window.background and comes back by Window.onUI;
// Close cancels them and waits.
package ui
