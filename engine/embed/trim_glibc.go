//go:build linux

package embed

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
*/
import "C"

// trimHeap returns the C heap's free pages to the system; glibc keeps them for itself otherwise.
func trimHeap() { C.trim() }
