package chunk

// #include "region_linux.h"
import "C"

import (
	"runtime"
	"sync"
)

// region is the memory of one parse. A tree is made of a hundred thousand small pieces which are all given up at once; for the C
// library, whose one heap several parsers share here (engine/embed says why there is one), that was a tenth of a first index. A region
// hands pieces out one behind the other and takes them back by forgetting them. It belongs to one parse at a time, from enter to reset.
type region struct{ c *C.region }

func init() { C.region_install() }

// regions are those that no parse needs now, each with a block of 2 MB. The collector takes them when nothing is parsed any more.
var regions = sync.Pool{New: func() any {
	r := &region{C.region_new()}
	if r.c == nil {
		panic("no memory for a parser")
	}
	runtime.AddCleanup(r, func(c *C.region) { C.region_free(c) }, r.c)
	return r
}}

func newRegion() *region { return regions.Get().(*region) }

// enter has what the parser asks for come from the region until the returned function is called, on this goroutine.
func (r *region) enter() (leave func()) {
	runtime.LockOSThread() // the region in use is known by thread
	C.region_enter(r.c)
	return func() {
		C.region_leave()
		runtime.UnlockOSThread()
	}
}

// reset gives up all that came from the region. Nothing of the parse may be used any more.
func (r *region) reset() {
	C.region_reset(r.c)
	regions.Put(r)
}

// size is what the region holds of the system's memory, in bytes.
func (r *region) size() int { return int(C.region_size(r.c)) }
