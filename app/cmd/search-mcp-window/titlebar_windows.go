package main

import (
	"unsafe"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/theme"
	"golang.org/x/sys/windows"
)

func titleBars(a fyne.App) {
	s := a.Settings()
	r, g, b, _ := s.Theme().Color(theme.ColorNameBackground, s.ThemeVariant()).RGBA()
	var dark int32 // a BOOL
	if r+g+b < 3*0x8000 {
		dark = 1
	}
	for _, w := range a.Driver().AllWindows() {
		n, ok := w.(driver.NativeWindow)
		if !ok {
			continue
		}
		n.RunNative(func(context any) {
			if c, ok := context.(driver.WindowsWindowContext); ok && c.HWND != 0 {
				// Windows 10 before version 2004 has no dark title bars.
				_ = windows.DwmSetWindowAttribute(windows.HWND(c.HWND), windows.DWMWA_USE_IMMERSIVE_DARK_MODE,
					unsafe.Pointer(&dark), 4)
			}
		})
	}
}
