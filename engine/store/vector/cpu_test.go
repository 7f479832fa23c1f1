package vector

import (
	"errors"
	"testing"
)

// On a processor that the library was not compiled for nothing of it is called.
func TestOldProcessor(t *testing.T) {
	was := modern
	modern = func() bool { return false }
	defer func() { modern = was }()
	dir := t.TempDir()
	_, opened := Open(t.Context(), dir, "project_docs")
	made := CreateRemote(t.Context(), Remote{URI: "s3://bucket/x"}, "project_docs", func(Table) error { return nil })
	_, remote := OpenRemote(t.Context(), Remote{URI: "s3://bucket/x"}, "project_docs", 0, dir)
	for what, err := range map[string]error{"Open": opened, "CreateRemote": made, "OpenRemote": remote} {
		if !errors.Is(err, ErrCPU) && !errors.Is(err, ErrNoNative) {
			t.Errorf("%s: %v, want ErrCPU", what, err)
		}
	}
}
