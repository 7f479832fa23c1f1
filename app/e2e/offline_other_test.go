//go:build !linux

package e2e

import "testing"

// doneWithoutNetwork is Linux's.
func doneWithoutNetwork(*testing.T) bool { return false }
