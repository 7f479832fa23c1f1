package project

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A query waits a second for git. If the list is late, the next query uses it.
func TestTrackedListOutlivesItsQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		life, end := context.WithCancel(t.Context())
		defer end()
		var list tracked
		asked := 0
		slow := func(ctx context.Context) []string {
			asked++
			select {
			case <-time.After(5 * time.Second):
				return []string{"build/a.go"}
			case <-ctx.Done():
				return nil
			}
		}
		now := trackedOf{seen: "1"}
		question, answered := context.WithCancel(t.Context())
		began := time.Now()
		if got := list.latest(question, life, now, slow); got != nil || time.Since(began) != trackedWait {
			t.Errorf("%q after %v", got, time.Since(began))
		}
		answered()
		if got := list.latest(t.Context(), life, now, slow); got != nil {
			t.Errorf("%q before git listed the file", got)
		}
		<-time.After(5 * time.Second)
		for range 2 {
			if got := list.latest(t.Context(), life, now, slow); !slices.Equal(got, []string{"build/a.go"}) {
				t.Errorf("%q", got)
			}
		}
		if asked != 1 {
			t.Errorf("git was asked %d times", asked)
		}
		list.latest(t.Context(), life, trackedOf{seen: "2"}, func(context.Context) []string { return nil })
		if got := list.latest(t.Context(), life, trackedOf{seen: "2"}, slow); got != nil || asked != 1 {
			t.Errorf("%q of an index that has changed; git was asked %d times", got, asked)
		}
	})
}
