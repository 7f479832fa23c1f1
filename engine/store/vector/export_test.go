//go:build cgo

package vector

// Handles returns the number of open native handles.
func Handles() int64 { return handles.Load() }
