// Package gl contains the 41 functions of OpenGL 2.1, or of OpenGL ES 2, that the painter of fyne.io/fyne/v2 calls.
// In go.mod, it replaces the module of the same path, which has 3,000 functions that cgo compiles in four minutes.
//
// A context must be current on the calling thread before Init. If a newer Fyne calls another function, the build
// fails. Add that function to gl.h and calls.go.
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

// Init looks up the functions in the current context. It returns an error if a function is missing.
func Init() error {
	if missing := C.loadAll(); missing != nil {
		return fmt.Errorf("look up OpenGL function %s: not found", C.GoString(missing))
	}
	return nil
}

// Ptr returns the address of the first element of data, a []float32 or []uint8. It returns nil if data is empty.
func Ptr(data any) unsafe.Pointer {
	switch d := data.(type) {
	case []float32:
		return unsafe.Pointer(unsafe.SliceData(d))
	case []uint8:
		return unsafe.Pointer(unsafe.SliceData(d))
	}
	panic(fmt.Sprintf("gl.Ptr of a %T", data)) // add the type if a newer Fyne passes it
}

// Str returns the address of a string that ends with a NUL byte. The caller must keep the string alive.
func Str(s string) *uint8 {
	if s == "" || s[len(s)-1] != 0 {
		panic("gl.Str of a string without a NUL at its end")
	}
	return unsafe.StringData(s)
}

// Strs copies s to C's memory, as an array of one string. free releases the copy. s must end with a NUL byte.
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
