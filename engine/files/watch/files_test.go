package watch

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

func TestFiles(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "config.json"), filepath.Join(t.TempDir(), "config.json")
	f := NewFiles()
	events := make(chan string, 100)
	f.Add(first, func() { events <- "first" })
	running(t, f.Run)
	expect := func(want string, change func() error) {
		t.Helper()
		for len(events) > 0 {
			<-events
		}
		must(t, change())
		retry := time.NewTicker(time.Second) // Run may not be ready at the first change
		defer retry.Stop()
		deadline := time.After(patience)
		for {
			select {
			case got := <-events:
				if got != want {
					t.Fatalf("got an event for the %s file, want the %s file", got, want)
				}
				return
			case <-retry.C:
				if err := change(); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			case <-deadline:
				t.Fatal("no event for file ", want)
			}
		}
	}
	put := func(path string) func() error {
		return func() error { return os.WriteFile(path, []byte("{}"), 0o600) }
	}
	if got := <-events; got != "first" {
		t.Fatalf("first event is for the %s file", got)
	}
	expect("first", put(first))
	forget := f.Add(second, func() { events <- "second" })
	expect("second", put(second))
	expect("second", func() error {
		if err := os.WriteFile(second+".tmp", []byte("{ }"), 0o600); err != nil {
			return err
		}
		return os.Rename(second+".tmp", second)
	})
	expect("second", func() error { return os.Remove(second) })
	f.Add(second, func() { events <- "again" })
	forget() // must not affect the new registration
	expect("again", put(second))
}

func TestFilesWithoutNotifications(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src, f := newFake(), NewFiles()
		f.src = src
		first, second := 0, 0
		f.Add("/a/config.json", func() { first++ })
		running(t, f.Run)
		after := func(d time.Duration, wantFirst, wantSecond int) {
			t.Helper()
			<-time.After(d)
			if synctest.Wait(); first != wantFirst || second != wantSecond {
				t.Errorf("%d and %d changes, want %d and %d", first, second, wantFirst, wantSecond)
			}
			first, second = 0, 0
		}
		after(time.Hour, 1, 0) // the file may have been written before the start
		f.queue.fail(errDead)
		after(time.Hour, 1, 0)
		src.allow(1)
		f.Add("/b/config.json", func() { second++ })
		after(5*pollInterval/2, 0, 2)
		src.allow(0)
		after(time.Hour, 0, 1)
		f.queue.event(fsnotify.Event{Name: filepath.FromSlash("/b/config.json"), Op: fsnotify.Write})
		after(time.Hour, 0, 1)
	})
}
