// Package hotkey has the desktop tell of a shortcut that a person chose, whatever program has the keyboard: by the
// portal for global shortcuts on Linux, by a grabbed key where the session is X11, by RegisterHotKey on Windows. It
// must not know what the shortcut is for.
//
// Watch runs on its caller's goroutine and starts none but the library's that reads the connection to the desktop; no
// locks.
package hotkey
