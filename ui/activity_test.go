package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/page"
	"searchmcp/ui/present"
	"searchmcp/ui/widget"
)

func TestActivity(t *testing.T) {
	f, w := newBusy(t)
	f.activity = append(f.activity, api.Activity{Client: "the terminal", Role: api.RoleTerminal, Tool: "delete_index"})
	a := opened[*page.Activity](w, page.PageActivity, "")
	wantEqual(t, len(entries(a)), 5, "requests by assistants") // two routine entries are combined
	a.By[0].Choose("*")
	wantEqual(t, len(entries(a)), 6, "all requests")
	a.By[0].Choose("Cursor")
	if all := entries(a); len(all) != 1 || all[0][0].Query != "how do I run the migrations" {
		t.Errorf("%+v", all)
	}
	a.By[0].Choose("")
	a.By[1].Choose("/home/ada/code/engine")
	wantEqual(t, len(entries(a)), 3, "entries")
	a.By[1].Choose("")
	wantPart(t, a.Where.Text, "In memory", "text")
	w.Pages[page.PageSettings].(*page.Settings).Set(page.KeySaveActivity, true)
	a.Shown()
	wantDid(t, f, "set map[activityKept:true]")
	wantPart(t, a.Where.Text, "file that only you can read", "text")
	a.Tabs.Choose(page.ViewIndexing)
	wantEqual(t, len(entries(a)), 2, "entries")
	f.activity, f.settings[page.KeyActivity] = nil, false // the app has discarded its record
	a.Shown()
	wantPart(t, strings.Join(words(w), "\n"), "Recording is off.", "%q", words(w))
}

func entries(a *page.Activity) (all [][]api.Activity) {
	for _, r := range a.Rows {
		if r.Calls != nil {
			all = append(all, r.Calls)
		}
	}
	return all
}

func TestActivityByDays(t *testing.T) {
	f := busy()
	old := f.activity[0]
	old.Time, old.Error = now.AddDate(0, 0, -1), string(api.Internal)
	older := f.activity[0]
	older.Time, older.Error = now.AddDate(0, 0, -3), wire.ActivityCancelled
	f.activity = append(f.activity, old, older)
	w, _ := newTest(t, f, widget.VariantLight)
	size(w, 1280, 780)
	a := opened[*page.Activity](w, page.PageActivity, "")
	var days []string
	for _, r := range a.Rows {
		if r.Calls == nil {
			days = append(days, r.Day)
		}
	}
	wantList(t, days, []string{"Today", "Yesterday", "9 Mar 2026"}, "days")
	wantSheet(t, w, "") // details open only by choice
	said := func(i int) string {
		a.CallList.Choose(i)
		return strings.Join(words(w), "\n")
	}
	wantPart(t, said(len(a.Rows)-1), "This is not an error.", "said")
	wantPart(t, said(len(a.Rows)-3), "This is a bug in Search MCP.", "said")
	failed := 0
	for i, r := range a.Rows {
		if r.Calls != nil && r.Calls[0].Error == string(api.IndexNotFound) {
			failed = i
		}
	}
	wantPart(t, said(failed), "Not indexed at that time. The cause is gone.", "details")
	p, _ := w.Model.Project(a.Rows[failed].Calls[0].Project)
	p.State = api.StateNotIndexed
	w.Event(api.Event{Kind: api.EventProject, Project: &p})
	press(t, w, "Index…")
}

func TestNoRequests(t *testing.T) {
	const none, earlier = "No requests yet. Requests from your editors appear here.",
		"Earlier requests were not kept. New requests from your editors appear here."
	for _, test := range []struct {
		usage api.Usage
		fail  error
		want  string
	}{
		{want: none},
		{usage: api.Usage{Days: []api.UsageDay{{Day: now.Format(time.DateOnly), Searches: map[string]int{"Cursor": 1}}}},
			want: earlier},
		{fail: errors.New("no answer yet")},
	} {
		f := busy()
		f.activity, f.usage = nil, test.usage
		w, _ := newTest(t, f, widget.VariantLight)
		f.fail = test.fail
		opened[*page.Activity](w, page.PageActivity, "")
		for _, text := range []string{none, earlier} {
			wantEqual(t, slices.Contains(words(w), text), text == test.want, "%+v: %q shown", test, text)
		}
	}
}

func TestPlacesShowTheirLines(t *testing.T) {
	f := searching()
	f.activity[0].Places = []api.Lines{{Path: "internal/auth/session.go", StartLine: 118, EndLine: 130},
		{Path: "a.go", StartLine: 7, EndLine: 7}, {Path: "gone.go", StartLine: 5000, EndLine: 5001}, {Path: "listed.go"}}
	w, _ := newTest(t, f, widget.VariantLight)
	size(w, 1280, 780)
	opened[*page.Activity](w, page.PageActivity, "").CallList.Choose(1)
	var numbers []int
	for _, o := range test.LaidOutObjects(w.Cover) {
		if l, ok := o.(*widget.Listing); ok {
			for _, x := range l.Lines {
				numbers = append(numbers, x.Number)
			}
		}
	}
	wantList(t, numbers, []int{118, 119, 7}, "numbers")
	wantDid(t, f, "text /home/ada/code/engine internal/auth/session.go:118")
	wantEqual(t, f.has("text /home/ada/code/engine listed.go:0"), false, "listed.go is read")
}

func TestFailuresAndPlaces(t *testing.T) {
	f := busy()
	f.activity[0].Places = []api.Lines{{Path: "internal/auth/session.go", StartLine: 118}}
	w, d := newTest(t, f, widget.VariantLight)
	a := opened[*page.Activity](w, page.PageActivity, "")
	a.CallList.Choose(1)
	press(t, w, "session.go:118")
	if len(d.opened) != 1 || !strings.HasSuffix(d.opened[0], "/home/ada/code/engine/internal/auth/session.go:118") {
		t.Errorf("opened %q", d.opened)
	}
	a.By[2].Choose("Failed")
	if all := entries(a); len(all) != 1 || all[0][0].Error != "INDEX_NOT_FOUND" {
		t.Errorf("%+v", all)
	}
}

func TestActivityBesideItsTab(t *testing.T) {
	w, _ := newTest(t, busy(), widget.VariantLight)
	size(w, 1280, 780)
	a := opened[*page.Activity](w, page.PageActivity, "")
	for _, tab := range []present.Text{page.ViewIndexing, page.ViewLog} {
		a.CallList.Choose(1)
		a.Tabs.Choose(tab)
		wantSheet(t, w, "")
	}
}
