package problem

import (
	"slices"
	"testing"
	"testing/synctest"

	"searchmcp/engine/api"
	"searchmcp/engine/host/jobs"
)

func TestList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := jobs.NewHub()
		events := hub.Subscribe(t.Context())
		l := NewList(hub)
		check := func(kind api.EventKind, want ...string) {
			t.Helper()
			var got []string
			for _, p := range l.All() {
				got = append(got, p.UserMessage)
			}
			if !slices.Equal(got, want) {
				t.Errorf("problems %q, want %q", got, want)
			}
			synctest.Wait()
			select {
			case e := <-events:
				if e.Kind != kind {
					t.Errorf("event %q, want %q", e.Kind, kind)
				}
			default:
				if kind != "" {
					t.Errorf("no event, want %q", kind)
				}
			}
		}
		problem := func(text string) *api.Error { return api.New(api.Internal, text, text, nil) }
		l.Set("model", problem("missing"))
		check(api.EventProblem, "missing")
		l.Add(problem("disk"))
		check(api.EventProblem, "missing", "disk")
		l.Set("model", problem("damaged")) // replaces the problem of the same part
		check(api.EventProblem, "disk", "damaged")
		l.Set("model", nil)
		check(api.EventSettings, "disk")
		l.Set("model", nil)
		check("", "disk")
	})
}
