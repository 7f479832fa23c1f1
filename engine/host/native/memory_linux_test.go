//go:build !race

package native

import (
	"errors"
	"strings"
	"testing"
)

func TestLimit(t *testing.T) {
	p := start(t, func(o *Options) { o.Memory = 300 << 20 })
	if _, err := opTake.Call(t.Context(), p.Retry, 100<<20); err != nil {
		t.Error(err)
	}
	var died *CrashError
	_, err := opTake.Call(t.Context(), p.Retry, 600<<20)
	if !errors.As(err, &died) || !died.CausedByCall() || !strings.Contains(died.Cause, "300 MB") {
		t.Errorf("%v", err)
	}
	echo(t, p)
}
