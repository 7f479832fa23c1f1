//go:build release

package embed

import "testing"

// TestReleaseLooksForNoCheckout: a release ignores a library below a go.mod in a parent folder.
func TestReleaseLooksForNoCheckout(t *testing.T) {
	if trees := sourceTrees(); len(trees) > 0 {
		t.Errorf("%q", trees)
	}
}
