package static

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"searchmcp/engine/api"
)

// addRow adds scale times the first n bytes of row to v. n is a multiple of eight.
//
//go:noescape
func addRow(v *float32, row *int8, scale float32, n int)

// addFast adds scale times row to v with AVX2 instructions. It returns false if the processor lacks them.
func addFast(v *api.Vector, row string, scale float32) bool {
	if cpu.X86.HasAVX2 {
		addRow(&v[0], (*int8)(unsafe.Pointer(unsafe.StringData(row))), scale, len(v))
	}
	return cpu.X86.HasAVX2
}
