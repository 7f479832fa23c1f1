//go:build !linux

package e2e

import "testing"

// doneWithoutNetwork is implemented on Linux only.
func doneWithoutNetwork(*testing.T) bool { return false }
