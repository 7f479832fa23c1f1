package treesitter

// #include "arena.h"
import "C"

import (
	"runtime"
	"sync"
)

// arena is the memory of one parse at a time. A tree has a hundred thousand small allocations that are freed together,
// which took a fifteenth of a first index with the C library. An arena allocates consecutively and frees by a reset.
type arena struct{ c *C.arena }

func init() { C.arena_install() }

// arenas contains the unused arenas, each with a block of 2 MB. The garbage collector frees them when no file is
// parsed.
var arenas = sync.Pool{New: func() any {
	a := &arena{C.arena_new()}
	runtime.AddCleanup(a, func(c *C.arena) { C.arena_free(c) }, a.c)
	return a
}}

func (a *arena) size() int { return int(C.arena_size(a.c)) }
