//go:build linux

package embed

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>

// glibc gives every thread a heap of its own, up to eight a core, and each but the first keeps the peak of whatever was
// allocated through it: after 40 reloads of the model 75 MB instead of 13. The limit is read when the second heap is
// made, hence before the first Go line runs. MALLOC_ARENA_MAX in the environment has the last word.
__attribute__((constructor)) static void limitHeaps(void) {
	if (!getenv("MALLOC_ARENA_MAX")) mallopt(M_ARENA_MAX, 1);
}

static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
*/
import "C"

// TrimHeap returns the C heap's free pages to the system; glibc keeps them for itself otherwise.
func TrimHeap() { C.trim() }
