// Package wine is the lane in which the programs for Windows are tried on Linux (make test-windows). In Go it has nothing but a test
// of what Wine does otherwise than Windows.
package wine
