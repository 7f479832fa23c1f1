package main

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// behind shows a window without the keyboard, and has the task bar mark it. GLFW is told so the moment before; the
// window system has to know before the window is on the screen, which is when its content is first measured.
func behind(w fyne.Window) {
	native, ok := w.(driver.NativeWindow)
	if !ok {
		w.Show()
		return
	}
	there := false
	native.RunNative(func(at any) { there = urge(at) })
	if there {
		return
	}
	glfw.WindowHint(glfw.FocusOnShow, glfw.False)
	content := w.Content()
	w.SetContent(container.New(&unasked{native: native}, content))
	w.Show()
	w.SetContent(content)
	glfw.WindowHint(glfw.FocusOnShow, glfw.True)
	native.RunNative(func(at any) { urge(at) })
}

// unasked is the layout of a window that comes by itself.
type unasked struct{ native driver.NativeWindow }

// Layout implements fyne.Layout.
func (*unasked) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// MinSize implements fyne.Layout.
func (u *unasked) MinSize(objects []fyne.CanvasObject) fyne.Size {
	u.native.RunNative(func(at any) { unfocused(at) })
	return objects[0].MinSize()
}
