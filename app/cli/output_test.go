package cli

import (
	"bytes"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// TestEmptyListsAreNotNull checks that an empty list is [] at any depth.
func TestEmptyListsAreNotNull(t *testing.T) {
	var out bytes.Buffer
	v := &invocation{Env: Env{Out: &out}}
	for _, value := range []any{api.Results{}, &api.SymbolResults{}, struct{ Inner struct{ Names []string } }{},
		[]struct{ Lines []int }{{}}, map[string]any{"n": 1}} {
		out.Reset()
		check(t, v.printJSON(value))
		if strings.Contains(out.String(), "null") {
			t.Errorf("%T: %s", value, out.String())
		}
	}
}
