//go:build unix

package archive

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/markup"
)

func TestPipesAreNotWaitedFor(t *testing.T) {
	dir, research := t.TempDir(), folder(t, example)
	for name, put := range map[string]func(path string) error{
		"pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"socket": func(path string) error {
			l, err := net.Listen("unix", path)
			if err == nil {
				t.Cleanup(func() { l.Close() })
			}
			return err
		},
		"device":          func(path string) error { return os.Symlink("/dev/zero", path) },
		"pipe as journal": func(path string) error { load(t, path, research); return syscall.Mkfifo(path+"-journal", 0o600) },
	} {
		path := filepath.Join(dir, name)
		must(t, put(path))
		for what, do := range map[string]func() error{
			"search": func() error {
				_, err := new(Searcher).Search(t.Context(), path, api.ArchiveQuery{Text: "machine"})
				return err
			},
			"describe": func() error { _, err := Describe(t.Context(), path); return err },
			"import":   func() error { _, err := Import(t.Context(), path, research, markup.InProcess{}, nil); return err },
			"remove":   func() error { _, err := Remove(t.Context(), path, research); return err },
		} {
			done := make(chan error, 1)
			go func() { done <- do() }()
			select {
			case err := <-done:
				if !errors.Is(err, ErrForeign) {
					t.Errorf("%s, %s: %v", name, what, err)
				}
			case <-time.After(time.Minute):
				t.Fatalf("%s, %s: waits", name, what)
			}
		}
	}
}
