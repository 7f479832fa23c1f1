//go:build release

package embed

import "testing"

func TestReleaseLooksForNoCheckout(t *testing.T) {
	if trees := sourceTrees(); len(trees) > 0 {
		t.Errorf("%q", trees)
	}
}
