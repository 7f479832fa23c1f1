package activity

import (
	"fmt"
	"github.com/google/go-cmp/cmp"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func TestLogKeepsTheLastCalls(t *testing.T) {
	l := New(t.TempDir(), slog.New(slog.DiscardHandler))
	for i := range maxEntries + 30 {
		l.Add(api.Activity{Query: fmt.Sprint(i)})
	}
	newest := fmt.Sprint(maxEntries + 29)
	if list := l.List(); len(list) != maxEntries || list[0].Query != newest || list[maxEntries-1].Query != "30" {
		t.Errorf("%d, from %s to %s", len(list), list[0].Query, list[len(list)-1].Query)
	}
}

func TestIndexRecord(t *testing.T) {
	began := time.Date(2026, 3, 12, 14, 0, 0, 0, time.UTC)
	now := began.Add(time.Minute)
	idle := api.Project{ID: "p", Name: "a", Roots: []api.Root{{Path: "/p/a"}}, Files: 450, Updated: 3, LastFull: began}
	with := func(change func(*api.Project)) api.Event {
		p := idle
		change(&p)
		return api.Event{Kind: api.EventProject, Project: &p}
	}
	working := func(a api.Action) api.Event {
		return with(func(p *api.Project) { p.Progress = &api.Progress{Action: a, Started: began} })
	}
	for _, test := range []struct {
		name   string
		events []api.Event
		want   api.Activity // of the last event; zero if none
	}{
		{"a job that runs", []api.Event{working(api.ActionCreate)}, api.Activity{}},
		{"built", []api.Event{working(api.ActionCreate), with(func(*api.Project) {})},
			api.Activity{Time: now, Tool: "create_index", Project: "/p/a", Results: 450, Took: time.Minute}},
		{"cancelled", []api.Event{working(api.ActionCreate), with(func(p *api.Project) { p.LastFull = time.Time{} })},
			api.Activity{Time: now, Tool: "create_index", Project: "/p/a", Took: time.Minute, Error: "CANCELLED"}},
		{"what was cancelled goes", []api.Event{with(func(p *api.Project) { p.LastFull = time.Time{} }),
			{Kind: api.EventRemoved, ProjectID: idle.ID}}, api.Activity{}},
		{"rebuilt, not well", []api.Event{working(api.ActionReindex),
			with(func(p *api.Project) { p.Problem = &api.Error{Code: api.DiskFull} })},
			api.Activity{Time: now, Tool: "reindex_project", Project: "/p/a", Results: 450, Took: time.Minute,
				Error: "DISK_FULL"}},
		{"a file was saved", []api.Event{with(func(p *api.Project) { p.LastUpdated, p.Updated = now, 4 })},
			api.Activity{Time: now, Tool: "update", Project: "/p/a", Results: 1}},
		{"something else changed", []api.Event{with(func(p *api.Project) { p.WatcherActive = false })}, api.Activity{}},
		{"removed", []api.Event{{Kind: api.EventRemoved, ProjectID: idle.ID}},
			api.Activity{Time: now, Tool: "delete_index", Project: "/p/a", Results: 450}},
		{"one that was never known is removed", []api.Event{{Kind: api.EventRemoved, ProjectID: "x"}}, api.Activity{}},
		{"a call", []api.Event{{Kind: api.EventActivity}}, api.Activity{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newIndexRecord([]api.Project{idle})
			var got api.Activity
			happened := false
			for _, e := range test.events {
				got, happened = r.take(e, now)
			}
			if happened != (test.want.Tool != "") || happened && !reflect.DeepEqual(got, test.want) {
				t.Errorf("%v %+v, want %+v", happened, got, test.want)
			}
		})
	}
}

func TestUpdatesOfOneProjectAreOneEntry(t *testing.T) {
	a := New(t.TempDir(), slog.New(slog.DiscardHandler))
	update := func(project string, files int) {
		a.merge(api.Activity{Tool: string(api.ActionUpdate), Project: project, Results: files})
	}
	update("/p/a", 1)
	update("/p/a", 2)
	update("/p/b", 3)
	update("/p/a", 4)
	if l := a.List(); len(l) != 3 || l[0].Results != 4 || l[2].Results != 3 {
		t.Errorf("%+v", l)
	}
}

func TestTheEndOfAJobSettlesItsCalls(t *testing.T) {
	for _, x := range []struct {
		job  api.Activity
		want api.Activity
	}{
		{api.Activity{Tool: "create_index"}, api.Activity{Outcome: api.OutcomeDone}},
		{api.Activity{Tool: "create_index", Error: wire.ActivityCancelled}, api.Activity{Outcome: api.OutcomeStopped}},
		{api.Activity{Tool: "create_index", Error: "DISK_FULL"}, api.Activity{Error: "DISK_FULL"}},
		{api.Activity{Tool: "delete_index"}, api.Activity{Outcome: api.OutcomeStopped}},
	} {
		folder := t.TempDir()
		l := New(folder, slog.New(slog.DiscardHandler))
		l.Keep(true)
		for _, p := range []string{"/p/a", "/p/b"} {
			l.Add(api.Activity{Time: time.Now(), Client: "Zed", Tool: "create_index", Project: p, Outcome: api.OutcomeGoesOn})
		}
		x.job.Project, x.job.Time = "/p/a", time.Now()
		l.merge(x.job)
		again := New(folder, slog.New(slog.DiscardHandler))
		again.Keep(true)
		for _, list := range [][]api.Activity{l.List(), again.List()} {
			if a := list[2]; len(list) != 3 || a.Outcome != x.want.Outcome || a.Error != x.want.Error ||
				list[1].Outcome != api.OutcomeGoesOn {
				t.Errorf("%+v: %+v", x.job, list)
			}
		}
	}
}

// TestTerminalChecksAreNotRecorded checks that a command's searches are recorded, but not its preparatory calls.
func TestTerminalChecksAreNotRecorded(t *testing.T) {
	l := New(t.TempDir(), slog.New(slog.DiscardHandler))
	for _, a := range []api.Activity{{Tool: "get_index_status", Error: string(api.ProjectNotDetected)},
		{Tool: "list_projects"},
		{Tool: "search_code", Query: "q", Error: string(api.ProjectNotDetected)}, {Tool: "search_code", Query: "q"}} {
		for _, a.Role = range []api.Role{api.RoleTerminal, api.RoleAssistant} {
			l.Add(a)
		}
	}
	byTerminal := 0
	for _, a := range l.List() {
		if a.Role == api.RoleTerminal {
			byTerminal++
			wantEqual(t, a.Error, "", "error")
			wantEqual(t, a.Tool, "search_code", "tool")
		}
	}
	wantEqual(t, byTerminal, 1, "byTerminal")
	wantEqual(t, len(l.List()), 5, "list")
}

// wantEqual reports the differences of got from want. The format names got.
func wantEqual[T any](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: (-want +got)\n%s", fmt.Sprintf(format, args...), d)
	}
}
