// Package gl is OpenGL as far as the painter of fyne.io/fyne/v2 calls it: 41 functions of OpenGL 2.1, or of OpenGL ES 2
// where that is built for. go.mod puts it in the place of the module whose path it has: that one declares all 3,000
// functions, which cgo hands to the C compiler one by one, two of the three minutes that a first build took.
//
// It must not know windows; a context is current on the calling thread before Init. A function that a newer Fyne needs
// is missing at compile time and is added to gl.h and calls.go. Goroutines and locks: none.
package gl

/*
#cgo windows LDFLAGS: -lopengl32
#cgo darwin LDFLAGS: -framework OpenGL
#cgo linux,!gles,!arm,!arm64 LDFLAGS: -lGL
#cgo linux,gles linux,arm linux,arm64 CFLAGS: -DUSE_EGL
#cgo linux,gles linux,arm linux,arm64 LDFLAGS: -lEGL

#include "proc.h"
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// Init looks up the functions in the current context. It is an error if one is missing.
func Init() error {
	if missing := C.loadAll(); missing != nil {
		return fmt.Errorf("look up OpenGL function %s: not found", C.GoString(missing))
	}
	return nil
}

// Ptr returns the address of the first element of data, a []float32 or []uint8, and nil for an empty one.
func Ptr(data any) unsafe.Pointer {
	switch d := data.(type) {
	case []float32:
		return unsafe.Pointer(unsafe.SliceData(d))
	case []uint8:
		return unsafe.Pointer(unsafe.SliceData(d))
	}
	panic(fmt.Sprintf("gl.Ptr of a %T", data)) // a newer Fyne hands over something else: add it
}

// Str returns the bytes of a string that ends in a NUL. The caller keeps the string alive.
func Str(s string) *uint8 {
	if s == "" || s[len(s)-1] != 0 {
		panic("gl.Str of a string without a NUL at its end")
	}
	return unsafe.StringData(s)
}

// Strs returns an array with one string of C, which free gives back. The string ends in a NUL.
func Strs(s string) (array **uint8, free func()) {
	text := C.CString(s)
	array = new(*uint8)
	*array = (*uint8)(unsafe.Pointer(text))
	return array, func() { C.free(unsafe.Pointer(text)) }
}

func boolean(b bool) C.uint8_t {
	if b {
		return 1
	}
	return 0
}
