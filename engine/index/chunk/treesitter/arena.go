package treesitter

// #include "arena.h"
import "C"

import (
	"runtime"
	"sync"
)

// arena is the memory of one parse. A tree is made of a hundred thousand small pieces which are all given up at once;
// for the C library that was a fifteenth of a first index. An arena hands pieces out one behind the other and takes
// them back by forgetting them. It belongs to one parse at a time.
type arena struct{ c *C.arena }

func init() { C.arena_install() }

// arenas are those that no parse needs now, each with a block of 2 MB. The collector takes them when nothing is
// parsed any more.
var arenas = sync.Pool{New: func() any {
	a := &arena{C.arena_new()}
	runtime.AddCleanup(a, func(c *C.arena) { C.arena_free(c) }, a.c)
	return a
}}

// size is what the arena holds, in bytes.
func (a *arena) size() int { return int(C.arena_size(a.c)) }
