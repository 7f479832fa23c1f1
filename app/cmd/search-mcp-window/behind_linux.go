package main

/*
#cgo LDFLAGS: -lX11
#include <X11/Xlib.h>
#include <X11/Xatom.h>
#include <X11/Xutil.h>

// A window that the user did not request has the time 0 (Extended Window Manager Hints).
static void unfocused(Display *d, Window w) {
	unsigned long never = 0;
	XChangeProperty(d, w, XInternAtom(d, "_NET_WM_USER_TIME", False), XA_CARDINAL, 32, PropModeReplace,
		(unsigned char *)&never, 1);
}

static void hang(Display *d, Window w, int x, int y) {
	XMoveWindow(d, w, x, y);
	XFlush(d);
}

static void urge(Display *d, Window w) {
	XWMHints *h = XGetWMHints(d, w);
	if (h == NULL && (h = XAllocWMHints()) == NULL)
		return;
	h->flags |= XUrgencyHint;
	XSetWMHints(d, w, h);
	XFree(h);
	XFlush(d);
}
*/
import "C"

import (
	"unsafe"

	"fyne.io/fyne/v2/driver"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// unfocused asks the window manager not to focus the window when it opens.
func unfocused(at any) {
	if x, ok := at.(driver.X11WindowContext); ok && x.WindowHandle != 0 {
		C.unfocused((*C.Display)(unsafe.Pointer(glfw.GetX11Display())), C.Window(x.WindowHandle))
	}
}

func hang(at any, x, y int) {
	if a, ok := at.(driver.X11WindowContext); ok && a.WindowHandle != 0 {
		C.hang((*C.Display)(unsafe.Pointer(glfw.GetX11Display())), C.Window(a.WindowHandle), C.int(x), C.int(y))
	}
}

// urge marks a window in the task bar. It returns false if the window does not exist yet. The window manager removes
// the mark.
func urge(at any) bool {
	x, ok := at.(driver.X11WindowContext)
	if !ok || x.WindowHandle == 0 {
		return false
	}
	C.urge((*C.Display)(unsafe.Pointer(glfw.GetX11Display())), C.Window(x.WindowHandle))
	return true
}
