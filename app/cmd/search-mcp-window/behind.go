package main

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// showUnfocused shows w without the keyboard focus. Fyne measures the content after w is created and before it is
// shown, so unfocusedLayout calls refuseFocus.
func showUnfocused(w fyne.Window) {
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
	w.SetContent(container.New(&unfocusedLayout{native: native}, content))
	w.Show()
	w.SetContent(content)
	glfw.WindowHint(glfw.FocusOnShow, glfw.True)
	native.RunNative(func(at any) { urge(at) })
}

type unfocusedLayout struct{ native driver.NativeWindow }

func (*unfocusedLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

func (u *unfocusedLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	u.native.RunNative(func(at any) { refuseFocus(at) })
	return objects[0].MinSize()
}
