package main

import (
	"fyne.io/fyne/v2/driver"
	"golang.org/x/sys/windows"
)

var flashWindow = windows.NewLazySystemDLL("user32.dll").NewProc("FlashWindow")

// unfocused does nothing: GLFW has been told.
func unfocused(any) {}

// urge has the task bar flash a window; false: there is none yet.
func urge(at any) bool {
	c, ok := at.(driver.WindowsWindowContext)
	if !ok || c.HWND == 0 {
		return false
	}
	_, _, _ = flashWindow.Call(c.HWND, 1) // it says whether the window had the keyboard, and nothing else
	return true
}

// hang does nothing here: the window is in the middle.
func hang(any, int, int) {}
