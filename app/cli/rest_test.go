package cli

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestRestAfterQuiet: memory is given back once after each time that something was said, in either direction.
func TestRestAfterQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		released := 0
		r := newRest(func() { released++ })
		in, out := restReader{strings.NewReader("ab"), r}, restWriter{io.Discard, r}
		after := func(d time.Duration, want int, when string) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if released != want {
				t.Fatalf("%s: given back %d times, want %d", when, released, want)
			}
		}
		after(restAfter/2, 0, "just started")
		if _, err := in.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		after(restAfter-time.Second, 0, "the editor said something")
		after(time.Second, 1, "quiet")
		after(time.Hour, 1, "still quiet")
		if _, err := out.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		after(restAfter, 2, "the app said something")
		_, _ = io.ReadAll(in)
		after(restAfter, 3, "the editor said something again")
		r.stop()
	})
}
