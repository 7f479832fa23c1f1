package main

/*
#cgo LDFLAGS: -lX11 -lXext -lm
#include <math.h>
#include <X11/Xlib.h>
#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <X11/extensions/shape.h>

// The time 0 means that the window does not want the focus (Extended Window Manager Hints, _NET_WM_USER_TIME).
static void refuseFocus(Display *d, Window w) {
	unsigned long never = 0;
	XChangeProperty(d, w, XInternAtom(d, "_NET_WM_USER_TIME", False), XA_CARDINAL, 32, PropModeReplace,
		(unsigned char *)&never, 1);
}

static void hang(Display *d, Window w, int x, int y) {
	XMoveWindow(d, w, x, y);
	XFlush(d);
}

// The window's shape has a rectangle for each row of pixels at the rounded corners, and one for the rows between them.
static void roundCorners(Display *d, Window w, int width, int height, int radius) {
	XRectangle rows[2 * radius + 1];
	for (int i = 0; i < radius; i++) {
		double up = radius - i - 0.5;
		int cut = (int)round(radius - sqrt(radius * radius - up * up));
		rows[2 * i] = (XRectangle){cut, i, width - 2 * cut, 1};
		rows[2 * i + 1] = (XRectangle){cut, height - 1 - i, width - 2 * cut, 1};
	}
	rows[2 * radius] = (XRectangle){0, radius, width, height - 2 * radius};
	XShapeCombineRectangles(d, w, ShapeBounding, 0, 0, rows, 2 * radius + 1, ShapeSet, Unsorted);
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

// refuseFocus asks the window manager not to focus the window when it opens.
func refuseFocus(at any) {
	if x, ok := at.(driver.X11WindowContext); ok && x.WindowHandle != 0 {
		C.refuseFocus((*C.Display)(unsafe.Pointer(glfw.GetX11Display())), C.Window(x.WindowHandle))
	}
}

func hang(at any, x, y int) {
	if a, ok := at.(driver.X11WindowContext); ok && a.WindowHandle != 0 {
		C.hang((*C.Display)(unsafe.Pointer(glfw.GetX11Display())), C.Window(a.WindowHandle), C.int(x), C.int(y))
	}
}

// roundCorners cuts off the corners of a window. The sizes are in pixels.
func roundCorners(at any, width, height, radius int) {
	if a, ok := at.(driver.X11WindowContext); ok && a.WindowHandle != 0 {
		C.roundCorners((*C.Display)(unsafe.Pointer(glfw.GetX11Display())), C.Window(a.WindowHandle), C.int(width),
			C.int(height), C.int(radius))
	}
}

// urge highlights a window in the task bar until the user focuses it. It returns false if the window does not exist
// yet.
func urge(at any) bool {
	x, ok := at.(driver.X11WindowContext)
	if !ok || x.WindowHandle == 0 {
		return false
	}
	C.urge((*C.Display)(unsafe.Pointer(glfw.GetX11Display())), C.Window(x.WindowHandle))
	return true
}
