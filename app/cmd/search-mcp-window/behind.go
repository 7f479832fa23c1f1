package main

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// behind shows w without focusing it. unfocused must be called before w is mapped. Fyne measures the content just
// before that, so the layout unasked calls unfocused.
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

type unasked struct{ native driver.NativeWindow }

func (*unasked) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

func (u *unasked) MinSize(objects []fyne.CanvasObject) fyne.Size {
	u.native.RunNative(func(at any) { unfocused(at) })
	return objects[0].MinSize()
}
