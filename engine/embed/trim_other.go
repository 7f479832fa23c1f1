//go:build !linux

package embed

// TrimHeap has nothing to do: only glibc holds on to what was freed.
func TrimHeap() {}
