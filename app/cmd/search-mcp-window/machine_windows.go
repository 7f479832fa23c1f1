package main

import (
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/theme"
	"golang.org/x/sys/windows"
)

// hideConsole hides the console of programs such as an editor's batch file.
func hideConsole(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true} }

// reveal selects path in Explorer, which accepts quotes only around the path itself. Paths can't contain quotes.
func reveal(path string, _ bool) error {
	cmd := exec.Command("explorer.exe")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `explorer.exe /select,"` + path + `"`}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("show in Explorer: %w", err)
	}
	if err := cmd.Process.Release(); err != nil {
		return fmt.Errorf("show in Explorer: %w", err)
	}
	return nil
}

func openByDesktop(path string) error {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	if err := windows.ShellExecute(0, nil, name, nil, nil, windows.SW_SHOWNORMAL); err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	return nil
}

var flashWindow = windows.NewLazySystemDLL("user32.dll").NewProc("FlashWindow")

// refuseFocus does nothing, because GLFW supports FocusOnShow here.
func refuseFocus(any) {}

// urge flashes a window in the task bar. It returns false if the window does not exist yet.
func urge(at any) bool {
	c, ok := at.(driver.WindowsWindowContext)
	if !ok || c.HWND == 0 {
		return false
	}
	_, _, _ = flashWindow.Call(c.HWND, 1) // the result reports whether the window had the focus
	return true
}

func hang(any, int, int) {}

// roundCorners rounds the corners of a window. Windows 10 ignores the call.
func roundCorners(at any, _, _, _ int) {
	if c, ok := at.(driver.WindowsWindowContext); ok && c.HWND != 0 {
		round := int32(2) // DWMWCP_ROUND
		_ = windows.DwmSetWindowAttribute(windows.HWND(c.HWND), windows.DWMWA_WINDOW_CORNER_PREFERENCE,
			unsafe.Pointer(&round), 4)
	}
}

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
