package lance

import (
	"errors"
	"testing"

	"searchmcp/engine/store/vector"
)

func TestOldProcessor(t *testing.T) {
	was := modern
	modern = func() bool { return false }
	defer func() { modern = was }()
	if _, err := New(); !errors.Is(err, vector.ErrCPU) && !errors.Is(err, vector.ErrNoNative) {
		t.Errorf("%v, want ErrCPU", err)
	}
}
