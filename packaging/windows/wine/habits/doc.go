// Package habits belongs to the lane in which the programs for Windows are tried on Linux (make test-windows). It has
// nothing but a test of what Wine does otherwise than Windows.
package habits
