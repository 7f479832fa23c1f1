//go:build release

package embed

import "testing"

// TestReleaseLooksForNoCheckout: a go.mod above an unpacked release offers it no library.
func TestReleaseLooksForNoCheckout(t *testing.T) {
	if trees := sourceTrees(); len(trees) > 0 {
		t.Errorf("%q", trees)
	}
}
