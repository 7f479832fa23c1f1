package present

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func TestCalls(t *testing.T) {
	search := api.Activity{Client: "claude-code", Tool: "search_code", Project: "/x/engine", Query: "q", Results: 10,
		Took: 42 * time.Millisecond}
	status := api.Activity{Client: "claude-code", Tool: "get_index_status", Project: "/x/engine", Took: time.Millisecond}
	list := api.Activity{Client: "claude-code", Tool: "list_projects", Took: time.Millisecond}
	given := search // calls of other clients don't count
	given.Error = wire.ActivityCancelled
	for _, test := range []struct {
		calls []api.Activity
		want  string
	}{
		{[]api.Activity{search}, "q|Claude Code · Searched code in engine|10 results · 42 ms"},
		{[]api.Activity{given}, "q|Claude Code · Searched code in engine|" + failure(given.Error)},
		{[]api.Activity{{Client: "codex-mcp-client 0.9", Tool: "create_index", Project: "/x/web", Took: 26 * time.Second}},
			"Asked to index web|Codex 0.9|26 s"},
		{[]api.Activity{{Client: "x", Tool: "delete_index", Error: "CONFIRMATION_REQUIRED"}},
			"Asked to delete an index|X|Approval not possible"},
		{[]api.Activity{{Client: "x", Tool: "create_index", Project: "/x/web", Took: 32 * time.Second, Error: "DECLINED"}},
			"Asked to index web|X|Declined"},
		{[]api.Activity{{Client: "x", Tool: "create_index", Project: "/x/web", Took: 2 * time.Minute, Error: "UNANSWERED"}},
			"Asked to index web|X|No answer"},
		{[]api.Activity{{Client: "x", Tool: "search_handbook", Error: "SOME_NEW_CODE"}}, "search handbook|X|Failed"},
		{[]api.Activity{status, list, status},
			"3 routine requests|Claude Code · Checked the state of engine · Listed projects|"},
		{[]api.Activity{{Tool: "create_index", Project: "/x/web", Results: 12}}, "Indexed web|~/web|12 files"},
	} {
		c := CallOf(test.calls, "/x", now)
		if got := c.Lead + "|" + c.Detail + "|" + c.Result; got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	missed := search
	if missed.Results = 0; !CallOf([]api.Activity{missed}, "/x", now).Nothing ||
		CallOf([]api.Activity{search}, "/x", now).Nothing || CallOf([]api.Activity{status}, "/x", now).Nothing {
		t.Error("a question that found nothing is not told from others")
	}
}

func TestFold(t *testing.T) {
	at := func(a api.Activity, minutes int) api.Activity {
		a.Time = now.Add(-time.Duration(minutes) * time.Minute)
		return a
	}
	status := api.Activity{Client: "a", Tool: "get_index_status"}
	other := status
	other.Client = "b"
	failed := status
	failed.Error = "BUSY"
	asked := api.Activity{Client: "a", Tool: "search_code", Query: "q"}
	update := api.Activity{Tool: string(api.ActionUpdate), Project: "/x/web", Results: 2}
	second := update
	second.Project = "/x/api"
	var got []string
	for _, f := range Fold([]api.Activity{at(status, 0), at(status, 1), at(other, 2), at(failed, 3),
		at(update, 4), at(asked, 5),
		at(second, 6), at(asked, 7), at(update, 8), at(status, 25), at(status, 80)}) {
		got = append(got, fmt.Sprint(f[0].Client, " ", f[0].Tool, " ", len(f)))
	}
	want := "a get_index_status 3, b get_index_status 1, a get_index_status 1,  update 2, a search_code 1,  update 1, " +
		"a search_code 1, a get_index_status 1"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
	c := CallOf([]api.Activity{at(update, 4), at(update, 8)}, "/x", now)
	if want := "Updated web|~/web · 2 updates · since " + Clock(now.Add(-8*time.Minute), now) + "|4 file changes"; c.Lead+
		"|"+c.Detail+"|"+c.Result != want || c.Routine {
		t.Errorf("%+v, want %s", c, want)
	}
}

func TestUsed(t *testing.T) {
	u := api.Usage{Days: []api.UsageDay{
		{Day: now.AddDate(0, 0, -ChartDays).Format(time.DateOnly), Searches: map[string]int{"Cursor": 50}},
		{Day: now.AddDate(0, 0, -2).Format(time.DateOnly), Searches: map[string]int{windowClient: 3}, Opened: 2,
			Projects: map[string]int{"/x/web": 2}},
		{Day: now.Format(time.DateOnly), Searches: map[string]int{"Cursor": 3, "claude-code": 9, windowClient: 1},
			Projects: map[string]int{"/x/web": 4, "/x/api": 5}, Took: map[int]int{40: 6, 42: 1, 1200: 6}},
	}}
	for want, got := range map[string]string{
		"Today: 13 searches · Claude Code 9, Cursor 3, This window 1 · median 42 ms": Used(u, now),
		"Today: 0 searches":                   Used(api.Usage{Days: u.Days[:2]}, now),
		"":                                    Used(api.Usage{Days: u.Days[:1]}, now),
		"4 searches in this window, 2 opened": Opened(u, now),
		"6 searches in 14 days · 4 today":     UsedProject(Searches(u, "/x/web", now)),
		"No searches in the last 14 days":     UsedProject(Searches(u, "/x/none", now)),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestLogLine(t *testing.T) {
	for in, want := range map[string]LogLine{
		`time=2026-03-12T14:22:10.001Z level=WARN msg="no window came" action=create_index err="a \"b\""`: {
			Time: Clock(time.Date(2026, 3, 12, 14, 22, 10, 0, time.UTC), now), Level: "WARN", Message: "No window came",
			Detail: `action create_index · err a "b"`},
		`time=2026-03-12T14:22:10.001Z level=INFO msg="worker says" worker=embed line="time=2026-03-12T14:22:10.001Z level=WARN msg=\"model loaded\" model=mini"`: {
			Time: Clock(time.Date(2026, 3, 12, 14, 22, 10, 0, time.UTC), now), Level: "WARN", Message: "Model loaded",
			Detail: "worker embed · model mini"},
		`level=INFO msg="worker says" worker=embed line="plain words"`: {Level: "INFO", Message: "Worker says",
			Detail: "worker embed · line plain words"},
		"panic: something else": {Message: "panic: something else"},
		"a = b":                 {Message: "a = b"},
	} {
		if got := LogLineOf(in, now); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

func TestCallFacts(t *testing.T) {
	for want, a := range map[string]api.Activity{
		"Asked by Claude Code, Action Searched code, Results 0": {Client: "claude-code", Tool: "search_code", Query: "q"},
		"Asked by X, Project ~/web":                             {Client: "x", Tool: "create_index", Project: "/x/web"},
		"Project ~/web, Files 12":                               {Tool: "create_index", Project: "/x/web", Results: 12},
	} {
		var got []string
		for _, f := range CallFacts(a, "/x", now)[1:] {
			got = append(got, string(f.Label)+" "+f.Value)
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%q, want %q", s, want)
		}
	}
}
