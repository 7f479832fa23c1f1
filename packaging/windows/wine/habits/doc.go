// Package habits is part of testing the Windows programs on Linux (make test-windows). It contains only a test of the
// differences between Wine and Windows.
package habits
