package main

import (
	"unsafe"

	"fyne.io/fyne/v2/driver"
	"golang.org/x/sys/windows"
)

var flashWindow = windows.NewLazySystemDLL("user32.dll").NewProc("FlashWindow")

// unfocused does nothing, because GLFW supports FocusOnShow here.
func unfocused(any) {}

// urge flashes a window in the task bar, or returns false if the window does not exist yet.
func urge(at any) bool {
	c, ok := at.(driver.WindowsWindowContext)
	if !ok || c.HWND == 0 {
		return false
	}
	_, _, _ = flashWindow.Call(c.HWND, 1) // returns whether the window had focus
	return true
}

func hang(any, int, int) {}

// roundCorners rounds the corners of a window. Windows 10 ignores it.
func roundCorners(at any, _, _, _ int) {
	if c, ok := at.(driver.WindowsWindowContext); ok && c.HWND != 0 {
		round := int32(2) // DWMWCP_ROUND
		_ = windows.DwmSetWindowAttribute(windows.HWND(c.HWND), windows.DWMWA_WINDOW_CORNER_PREFERENCE,
			unsafe.Pointer(&round), 4)
	}
}
