package treesitter

// #include "arena.h"
import "C"

import (
	"runtime"
	"sync"
)

// arena is a block of memory for the allocations of one parse. A reset frees them all, which is faster than malloc and
// free.
type arena struct{ c *C.arena }

func init() { C.arena_install() }

// arenas contains unused arenas of 2 MB. The garbage collector frees them.
var arenas = sync.Pool{New: func() any {
	a := &arena{C.arena_new()}
	runtime.AddCleanup(a, func(c *C.arena) { C.arena_free(c) }, a.c)
	return a
}}

func (a *arena) size() int { return int(C.arena_size(a.c)) }
