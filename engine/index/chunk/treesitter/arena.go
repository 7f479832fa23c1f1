package treesitter

// #include "arena.h"
import "C"

import (
	"runtime"
	"sync"
)

// arena is the memory of one parse at a time. A tree consists of a hundred thousand small allocations that are freed
// together. With the C library, they took a fifteenth of the time of a first index. An arena allocates memory
// consecutively and frees it all by a reset.
type arena struct{ c *C.arena }

func init() { C.arena_install() }

// arenas contains the unused arenas, each with a block of 2 MB. The garbage collector frees arenas that remain unused.
var arenas = sync.Pool{New: func() any {
	a := &arena{C.arena_new()}
	runtime.AddCleanup(a, func(c *C.arena) { C.arena_free(c) }, a.c)
	return a
}}

func (a *arena) size() int { return int(C.arena_size(a.c)) }
