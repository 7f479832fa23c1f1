package watch

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

func TestFiles(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "config.json"), filepath.Join(t.TempDir(), "config.json")
	f := NewFiles()
	told := make(chan string, 100)
	f.Add(first, func() { told <- "first" })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.Run(ctx, func(err error) { t.Errorf("notifications: %v", err) })
	}()
	expect := func(want string, change func() error) {
		t.Helper()
		for len(told) > 0 {
			<-told
		}
		must(t, change())
		retry := time.NewTicker(time.Second) // Run may not be ready at the first change
		defer retry.Stop()
		deadline := time.After(patience)
		for {
			select {
			case got := <-told:
				if got != want {
					t.Fatalf("told of the %s file, not the %s", got, want)
				}
				return
			case <-retry.C:
				if err := change(); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			case <-deadline:
				t.Fatal("not told of the ", want)
			}
		}
	}
	put := func(path string) func() error {
		return func() error { return os.WriteFile(path, []byte("{}"), 0o600) }
	}
	if got := <-told; got != "first" {
		t.Fatalf("at the start told of the %s file", got)
	}
	expect("first", put(first))
	forget := f.Add(second, func() { told <- "second" })
	expect("second", put(second))
	expect("second", func() error {
		if err := os.WriteFile(second+".tmp", []byte("{ }"), 0o600); err != nil {
			return err
		}
		return os.Rename(second+".tmp", second)
	})
	expect("second", func() error { return os.Remove(second) })
	f.Add(second, func() { told <- "again" })
	forget() // must not affect the new registration
	expect("again", put(second))
	cancel()
	<-ended
}

func TestFilesAfterAnError(t *testing.T) {
	for name, fail := range map[string]func(f *Files, src *fake){
		"EIO":          func(_ *Files, src *fake) { src.errs <- syscall.EIO },
		"ended":        func(_ *Files, src *fake) { src.Close() },
		"a new folder": func(f *Files, src *fake) { src.allow(1); f.Add("/b/config.json", func() {}) },
	} {
		synctest.Test(t, func(t *testing.T) {
			sources := []*fake{newFake(), newFake()}
			opened, changes := 0, 0
			var heard []error
			f := NewFiles()
			f.open = func() (source, error) { opened++; return sources[opened-1], nil }
			f.Add("/a/config.json", func() { changes++ })
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				f.Run(ctx, func(err error) { heard = append(heard, err) })
			}()
			synctest.Wait()
			if changes != 1 {
				t.Errorf("%s: what was written before the start is looked at %d times", name, changes)
			}
			fail(f, sources[0])
			<-time.After(restartMax)
			synctest.Wait()
			if opened != 2 || changes != 2 || len(heard) != 2 || heard[0] == nil || heard[1] != nil {
				t.Fatalf("%s: opened %d times, %d changes, told %v", name, opened, changes, heard)
			}
			sources[1].events <- fsnotify.Event{Name: filepath.FromSlash("/a/config.json"), Op: fsnotify.Write}
			<-time.After(2 * fileQuiet)
			synctest.Wait()
			if changes != 3 {
				t.Errorf("%s: a change after that is not noticed", name)
			}
			cancel()
			<-ended
		})
	}
}
