package activity

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
)

func asked(client, query string, at time.Time) api.Activity {
	return api.Activity{Time: at, Client: client, Role: api.RoleAssistant, Tool: "search_code", Query: query,
		AnswerBytes: 10, FileBytes: 100}
}

// TestKeptForAWeek: what is noted is on disk only while a person wants it, readable by them alone, for a week, and
// comes back with the next start.
func TestKeptForAWeek(t *testing.T) {
	file := filepath.Join(t.TempDir(), "activity.jsonl")
	now := time.Now()
	l := New(file, nil)
	l.Add(asked("a", "before", now))
	if _, err := os.Stat(file); err == nil {
		t.Fatal("kept although nobody wanted it")
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
	// An entry of nine days ago, and what a crash leaves of one.
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
	again := New(file, nil)
	again.Keep(true)
	var queries []string
	for _, a := range again.List() {
		queries = append(queries, a.Query)
	}
	if got := strings.Join(queries, " "); got != "after before" {
		t.Errorf("kept: %q", got)
	}
	if today := again.Today(); today.Searches["a"] != 2 || today.FileBytes != 200 {
		t.Errorf("%+v", today)
	}
	if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), "old") {
		t.Errorf("what is older than a week stays: %v\n%s", err, text)
	}
	again.Keep(false)
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("off is not off: %v", err)
	}
	if len(again.List()) != 2 {
		t.Error("what is in memory goes with the file")
	}
	again.Clear()
	if len(again.List()) != 0 || len(again.Today().Last) != 0 {
		t.Error("something is left")
	}
}

// TestTodayIsOfAssistants: what a person searches by hand, and what was asked yesterday, is not counted.
func TestTodayIsOfAssistants(t *testing.T) {
	now := time.Now()
	l := New("", nil)
	l.Add(asked("a", "yesterday", now.Add(-25*time.Hour)))
	l.Add(asked("a", "q", now))
	own := asked("the terminal", "q", now)
	own.Role = api.RoleTerminal
	l.Add(own)
	l.Add(api.Activity{Time: now, Client: "a", Role: api.RoleAssistant, Tool: "get_index_status"})
	if today := l.Today(); len(today.Searches) != 1 || today.Searches["a"] != 1 || today.AnswerBytes != 10 ||
		len(today.Last) != 1 {
		t.Errorf("%+v", today)
	}
}

func TestKept(t *testing.T) {
	for _, test := range []struct {
		settings map[string]any
		want     bool
	}{
		{nil, false}, {map[string]any{"activityKept": true}, true}, {map[string]any{"activityKept": true,
			"activity": false}, false},
	} {
		if Kept(test.settings) != test.want {
			t.Errorf("%v", test.settings)
		}
	}
}
