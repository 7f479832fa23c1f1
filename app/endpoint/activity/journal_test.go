package activity

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func asked(client, query string, at time.Time) api.Activity {
	return api.Activity{Time: at, Client: client, Role: api.RoleAssistant, Tool: "search_code", Query: query}
}

// TestJournalKeepsAWeek checks that entries are on disk only if the user enables that, with mode 0600, for a week, and
// are restored at the next start.
func TestJournalKeepsAWeek(t *testing.T) {
	file := filepath.Join(t.TempDir(), "activity.jsonl")
	now := time.Now()
	l := New(filepath.Dir(file), nil)
	l.Add(asked("a", "before", now))
	if _, err := os.Stat(file); err == nil {
		t.Fatal("kept although it is off")
	}
	l.Keep(true)
	l.Add(asked("a", "after", now))
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Fatalf("%v, %v", info, err)
	}
	old, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	// An entry of nine days ago, and a partial line of a crash.
	if _, err := old.WriteString(`{"time":"` + now.Add(-9*24*time.Hour).Format(time.RFC3339) + `","query":"old"}` + "\n" +
		`{"time":"20`); err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.journal.file.Close(); err != nil { // the app ends
		t.Fatal(err)
	}
	again := New(filepath.Dir(file), nil)
	again.Keep(true)
	var queries []string
	for _, a := range again.List() {
		queries = append(queries, a.Query)
	}
	wantEqual(t, strings.Join(queries, " "), "after before", "queries")
	if u := again.Usage(); len(u.Days) != 1 || u.Days[0].Searches["a"] != 2 {
		t.Errorf("%+v", u)
	}
	if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), "old") {
		t.Errorf("entries older than a week were not removed: %v\n%s", err, text)
	}
	again.Keep(false)
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the file was not removed: %v", err)
	}
	wantEqual(t, len(again.List()), 2, "removing the file also removed the entries in memory: list")
	again.Clear()
	wantEqual(t, len(again.List()), 0, "Clear left entries: list")
	wantEqual(t, len(again.Usage().Days)+len(again.Usage().Last), 0, "something is left")
}

// TestUsageOutlivesTheApp checks that searches of all clients are counted by day, client and project; failed calls and
// calls without a query are not. The counts survive a restart, without the queries, until they are cleared.
func TestUsageOutlivesTheApp(t *testing.T) {
	file := filepath.Join(t.TempDir(), "activity.jsonl")
	now := time.Now().Round(0)
	l := New(filepath.Dir(file), nil)
	l.Add(asked("a", "a secret question", now.Add(-25*time.Hour)))
	today := asked("a", "q", now)
	today.Searched, today.Took = []string{"/p", "/q"}, 1234*time.Millisecond
	l.Add(today)
	own := asked("the terminal", "q", now)
	own.Role = api.RoleTerminal
	l.Add(own)
	failed := asked("a", "q", now)
	failed.Error = string(api.IndexNotFound)
	l.Add(failed)
	l.Add(api.Activity{Time: now, Client: "a", Role: api.RoleAssistant, Tool: "get_index_status"})
	l.AddUse("the window", wire.SearchUse{Projects: []string{"/p"}, Took: 40 * time.Millisecond})
	l.AddUse("the window", wire.SearchUse{Opened: true})
	want := api.Usage{Last: map[string]time.Time{"a": now}, Days: []api.UsageDay{
		{Day: now.Add(-25 * time.Hour).Format(time.DateOnly), Searches: map[string]int{"a": 1}, Took: map[int]int{0: 1}},
		{Day: now.Format(time.DateOnly), Searches: map[string]int{"a": 1, "the terminal": 1, "the window": 1},
			Projects: map[string]int{"/p": 2, "/q": 1}, Opened: 1, Took: map[int]int{0: 1, 40: 1, 1200: 1}},
	}}
	got := New(filepath.Dir(file), nil).Usage()
	wantEqual(t, got, want, "result")
	text, err := os.ReadFile(filepath.Join(filepath.Dir(file), "usage.json"))
	if err != nil || strings.Contains(string(text), "secret") {
		t.Errorf("%v: %s", err, text)
	}
	l.Clear()
	if got := New(filepath.Dir(file), nil).Usage(); len(got.Days)+len(got.Last) > 0 {
		t.Errorf("kept after it was cleared: %+v", got)
	}
}

func TestPersistent(t *testing.T) {
	for _, test := range []struct {
		settings map[string]any
		want     bool
	}{
		{nil, false}, {map[string]any{"activityKept": true}, true}, {map[string]any{"activityKept": true,
			"activity": false}, false},
	} {
		wantEqual(t, Persistent(test.settings), test.want, "Persistent")
	}
}
