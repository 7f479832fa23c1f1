package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFiles follows two files, one from before Run and one added later, through every way of writing them.
func TestFiles(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "config.json"), filepath.Join(t.TempDir(), "config.json")
	f := NewFiles(nil)
	told := make(chan string, 100)
	f.Add(first, func() { told <- "first" })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- f.Run(ctx) }()
	expect := func(want string, change func() error) {
		t.Helper()
		for len(told) > 0 {
			<-told
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		retry := time.NewTicker(time.Second) // Run may not stand yet at the first change
		defer retry.Stop()
		deadline := time.After(20 * time.Second)
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
	forget() // is of the one before
	expect("again", put(second))
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
