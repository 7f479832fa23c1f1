package present

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

var now = time.Date(2026, 3, 12, 14, 30, 0, 0, time.UTC)

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		Number(0): "0", Number(999): "999", Number(4812): "4,812", Number(-1234567): "-1,234,567",
		Count(1, "file"): "1 file", Count(4812, "file"): "4,812 files", Count(0, "change"): "0 changes",
		Size(-1): "0 B", Size(1023): "1023 B", Size(1024): "1.0 KB", Size(14 << 10): "14 KB", Size(1<<30 + 200<<20): "1.2 GB",
		Size(1<<20 - 1): "1.0 MB", Size(5 << 50): "5.0 PB",
		Length(300 * time.Millisecond): "under a second", Length(40 * time.Second): "40 s", Length(3 * time.Minute): "3 min",
		Length(2 * time.Hour): "2 h", Length(5 * 24 * time.Hour): "5 days",
		Took(400 * time.Microsecond): "<1 ms", Took(42 * time.Millisecond): "42 ms",
		Took(2600 * time.Millisecond): "2.6 s", Took(26 * time.Second): "26 s",
		Ago(time.Time{}, now): "never", Ago(now.Add(time.Second), now): "just now",
		Ago(now.Add(-2*time.Minute), now):  "2 min ago",
		Ago(now.Add(-50*time.Second), now): "1 min ago", Ago(now.Add(-3*time.Hour), now): "3 h ago",
		Ago(now.Add(-30*time.Hour), now): "yesterday",
		Ago(now.Add(-72*time.Hour), now): "3 days ago", Ago(now.AddDate(0, -2, 0), now): "12 Jan 2026",
		Percent(1, 0): "", Percent(999, 1000): "99 %", Percent(5, 4): "100 %",
		Home("/home/ada/x", "/home/ada"): "~/x", Home("/home/ada", "/home/ada"): "~",
		Home("/home/adam/x", "/home/ada"): "/home/adam/x",
		Home("/x", "/"):                   "/x", Home("/x", ""): "/x",
		Middle("short", 10): "short", Middle("a/rather/long/path/name.go", 12): "a/r…/name.go",
	} {
		wantEqual(t, got, want, "result")
	}
}

// TestMarks checks that the marks agree with the terminal (app/cli, TestColours).
func TestMarks(t *testing.T) {
	for _, state := range []api.State{api.StateReady, api.StateEmbedding, api.StateIndexing, api.StatePaused,
		api.StateNotIndexed, api.StateOffline, api.StateError, api.StateDegraded, api.StateStalled} {
		for _, p := range []api.Project{{State: state}, {State: state, Warnings: []string{"x"}},
			{State: state, Problem: &api.Error{Code: api.ConfigInvalid, UserMessage: "x"}}} {
			r := RowOf(p, nil, "", now)
			ready := state == api.StateReady && !p.NeedsAttention()
			wantEqual(t, r.Mark == MarkNeeds, p.NeedsAttention(), "result")
			wantEqual(t, r.Mark == MarkReady, ready, "result")
		}
	}
}

func TestRow(t *testing.T) {
	base := api.Project{ID: "a", Name: "engine", Roots: []api.Root{{Path: "/home/ada/engine"}}, Files: 4812,
		SizeBytes: 96 << 20, LastUpdated: now.Add(-2 * time.Minute)}
	progress := func(phase api.Phase, filesDone, filesTotal, chunksDone, chunksTotal int) *api.Progress {
		return &api.Progress{JobID: "j", Action: api.ActionCreate, Phase: phase, FilesDone: filesDone,
			FilesTotal: filesTotal, ChunksDone: chunksDone,
			ChunksTotal: chunksTotal, FilesPerSec: 310.4, Left: 3 * time.Minute, Started: now.Add(-time.Minute)}
	}
	in := func(state api.State, progress *api.Progress) func(*api.Project) {
		return func(p *api.Project) { p.State, p.Progress = state, progress }
	}
	for _, test := range []struct {
		name   string
		change func(*api.Project)
		line   string
		mark   Mark
		do     Do
		bar    float64
	}{
		{"ready", in(api.StateReady, nil), "Ready · 4,812 files · 96 MB · updated 2 min ago", MarkReady, DoNone, -1},
		{"pending", func(p *api.Project) { p.State = api.StateReady; p.Pending = 3 },
			"Ready · 4,812 files · 3 changes to index", MarkReady, DoNone, -1},
		{"scanning", in(api.StateIndexing, progress(api.PhaseScanning, 0, 900, 0, 0)),
			"Indexing · finding files · 900 files so far", MarkBusy, DoCancel, 0.01},
		{"reading", in(api.StateIndexing, progress(api.PhaseIndexing, 250, 1000, 0, 0)),
			"Indexing · 250 of 1,000 files · 310 files/s · about 3 min for this step", MarkBusy, DoCancel, 0.25},
		{"files have come since they were counted", in(api.StateIndexing, progress(api.PhaseIndexing, 1012, 995, 0, 0)),
			"Indexing · 995 of 995 files · 310 files/s · about 3 min for this step", MarkBusy, DoCancel, 1},
		{"embedding", in(api.StateEmbedding, progress(api.PhaseEmbedding, 0, 0, 50, 100)),
			"Searchable · search by meaning 50 % · about 3 min left", MarkBusy, DoNone, 0.5},
		{"on battery", func(p *api.Project) {
			p.State, p.Chunks, p.Vectors = api.StateEmbedding, 200, 50
			p.Waiting = "Search by meaning will be prepared when the computer is plugged in again."
			p.Progress = progress(api.PhaseEmbedding, 0, 0, 43, 100)
		}, "Searchable (search by meaning paused on battery) · 25 % done", MarkPaused, DoNone, 0.25},
		{"under load", func(p *api.Project) {
			p.State, p.Chunks, p.Vectors = api.StateEmbedding, 200, 50
			p.Waiting = "Search by meaning will be prepared when the computer is less busy."
		}, "Searchable (search by meaning paused while busy) · 25 % done", MarkPaused, DoNone, 0.25},
		{"a job that has just begun", func(p *api.Project) {
			p.State, p.Progress = api.StateIndexing, progress(api.PhaseWaiting, 0, 0, 0, 0)
			p.Progress.Started = now
		}, "Indexing · waiting for another project", MarkBusy, DoCancel, 0},
		{"no figures yet", in(api.StateIndexing, nil), "Indexing", MarkBusy, DoNone, -1},
		{"paused", func(p *api.Project) { p.State = api.StatePaused; p.Pending = 1 },
			"Paused · 4,812 files · 1 change waiting", MarkPaused, DoResume, -1},
		{"gone", in(api.StateOffline, nil), "Folder not found · the index is kept", MarkNeeds, DoLocate, -1},
		{"unreadable", func(p *api.Project) {
			p.State, p.Problem = api.StateOffline, &api.Error{Code: api.FolderUnreadable}
		}, "Folder can't be read · the index is kept", MarkNeeds, DoOpen, -1},
		{"stalled", func(p *api.Project) {
			p.State = api.StateStalled
			p.Problem = &api.Error{UserMessage: "Not enough disk space."}
		}, "Searchable, changes not indexed · Not enough disk space.", MarkNeeds, DoOpen, -1},
		{"words only", func(p *api.Project) { p.State = api.StateDegraded; p.Problem = &api.Error{UserMessage: "No model."} },
			"Searchable by words only · No model.", MarkNeeds, DoOpen, -1},
		{"broken", func(p *api.Project) { p.State = api.StateError; p.Problem = &api.Error{UserMessage: "Damaged."} },
			"Not searchable · Damaged.", MarkNeeds, DoReindex, -1},
		{"not indexed", in(api.StateNotIndexed, nil), "Not indexed", MarkGone, DoIndex, -1},
		{"warned", func(p *api.Project) { p.State = api.StateReady; p.Warnings = []string{"x"} },
			"Ready · 4,812 files · 96 MB · updated 2 min ago · 1 warning", MarkNeeds, DoOpen, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := base
			test.change(&p)
			r := RowOf(p, nil, "/home/ada", now)
			if Join(r.Line, r.Rest) != test.line || r.Mark != test.mark || r.Action != test.do || r.Progress != test.bar ||
				r.Path != "~/engine" {
				t.Errorf("%+v", r)
			}
			wantEqual(t, r.Action != DoNone, r.Label != "", "action %q with label %q", r.Action, r.Label)
		})
	}
	base.State, base.Chunks, base.Vectors = api.StateEmbedding, 90, 90
	base.Progress = progress(api.PhaseEmbedding, 0, 0, 43, 100) // of the next generation
	if facts := fmt.Sprint(Facts(base, now)); !strings.Contains(facts, "{By meaning 43 of 100 passages}") {
		t.Errorf("while it is rebuilt: %s", facts)
	}
	base.State = api.StateReady
	r := RowOf(base, []api.Question{{Project: "/home/ada/engine", Action: api.ActionDelete}}, "", now)
	if r.Line != "Waiting for your answer · delete the index?" || r.Action != DoReview || !r.Urgent {
		t.Errorf("with a question: %+v", r)
	}
}

func TestSharedLocation(t *testing.T) {
	for _, test := range []struct{ location, endpoint, region, want string }{
		{" s3://team/x ", "", " ", "s3://team/x"},
		{"s3://team/x", "https://storage.example.com", "eu-1",
			"s3://team/x?endpoint=https%3A%2F%2Fstorage.example.com&region=eu-1"},
		{"s3://team/x?region=a", "https://h", "", "s3://team/x?region=a&endpoint=https%3A%2F%2Fh"},
	} {
		wantEqual(t, SharedLocation(test.location, test.endpoint, test.region), test.want, "SharedLocation")
	}
}

func TestLocation(t *testing.T) {
	for location, want := range map[string]string{
		"s3://team/x": "s3://team/x", "s3://team/x?region=eu-1": "s3://team/x",
		"s3://team/x?endpoint=https%3A%2F%2Fstorage.example.com%3A9000&region=eu-1": "s3://team/x on " +
			"storage.example.com:9000",
		"s3://team/x?endpoint=%zz": "s3://team/x?endpoint=%zz",
	} {
		wantEqual(t, Location(location), want, "Location")
	}
}

func TestSortKeepsStill(t *testing.T) {
	rows := []Row{{Name: "b", Mark: MarkReady}, {Name: "A", Mark: MarkReady}, {Name: "z", Mark: MarkBusy},
		{Name: "m", Mark: MarkNeeds}, {Name: "c", Mark: MarkPaused}}
	Sort(rows)
	var names string
	for _, r := range rows {
		names += r.Name
	}
	wantEqual(t, names, "mzAbc", "names")
}

// TestToolsHavePhrases checks that Activity has a phrase for each tool.
func TestToolsHavePhrases(t *testing.T) {
	tools, err := os.ReadFile("../../app/endpoint/testdata/tools.jsonl")
	names := regexp.MustCompile(`(?m)"name":"(\w+)"`).FindAllSubmatch(tools, -1)
	if err != nil || len(names) < len(verbs) {
		t.Fatalf("%d tools, %v", len(names), err)
	}
	for _, n := range names {
		if tool := string(n[1]); verbOf(api.Activity{Client: "x", Tool: tool}).alone == "" {
			t.Errorf("%s has no phrase", tool)
		}
	}
}

func TestSkippedPutsSafetyFirst(t *testing.T) {
	lines := Skipped(api.Skipped{api.SkipBinary: 96, api.SkipSecret: 2, api.SkipIgnored: 212, "new_reason": 1,
		api.SkipSize: 0}, map[api.Reason][]string{api.SkipSecret: {".npmrc"}})
	var got []string
	for _, l := range lines {
		got = append(got, fmt.Sprintf("%s %d %v", l.Reason, l.Count, l.Examples))
	}
	want := "Passwords and keys 2 [.npmrc]\nIgnored by .gitignore 212 []\nImages, archives and other binaries 96 []\n" +
		"new reason 1 []"
	wantEqual(t, strings.Join(got, "\n"), want, "result")
}

func TestLanguages(t *testing.T) {
	var got []string
	for _, l := range Languages(map[string]int{"go": 50, "tsx": 20, "cpp": 20, "c": 5, "lua": 2, "zig": 2, "": 1}) {
		got = append(got, fmt.Sprintf("%s %d %.2f", l.Name, l.Files, l.Share))
	}
	wantEqual(t, strings.Join(got, ", "),
		"Go 50 0.50, C++ 20 0.20, TSX 20 0.20, C 5 0.05, Lua 2 0.02, Other text 3 0.03", "result")
}

func TestQuestionKeepsTheSpecificationsSentence(t *testing.T) {
	q := api.Question{
		Action: api.ActionDelete, Project: "/home/ada/engine", Name: "engine",
		Title: "Claude Code wants to delete the index of engine",
		Text: "Delete the index for this project? This cannot be undone.\n\nProject: /home/ada/engine\n" +
			"Asked by: Claude Code", Client: "Claude Code",
	}
	v := QuestionOf(q, &api.Project{Files: 4812, SizeBytes: 96 << 20}, "/home/ada")
	if v.Sentence != "Delete the index for this project? This cannot be undone." || !v.Danger ||
		v.Yes != "Delete index" || v.No != "Keep index" ||
		v.Always || v.Path != "~/engine" || fmt.Sprint(v.Facts) != "[{Files 4,812} {On disk 96 MB}]" {
		t.Errorf("%+v", v)
	}
	create := QuestionOf(api.Question{Action: api.ActionCreate, CanAlways: true,
		Preview: &api.Preview{Files: 61000, Bytes: 1 << 30, DiskBytes: 3 << 30, Duration: 20 * time.Minute,
			Searchable: 3 * time.Minute, OverLimit: true}}, nil, "")
	if !create.Always || create.Danger || create.Caution == "" || create.Facts[1].Value != "about 20 min" ||
		create.Facts[2].Value != "after 3 min" {
		t.Errorf("%+v", create)
	}
	if own := Own(api.ActionReindex, api.Project{Name: "x"},
		&api.Preview{Broad: true}); own.Text != "This will rebuild the entire index. Continue?" || !own.Twice {
		t.Errorf("%+v", own)
	}
}

func TestCountdown(t *testing.T) {
	for left, want := range map[time.Duration]string{2 * time.Minute: "Will be declined automatically in 2:00",
		61 * time.Second: "Will be declined automatically in 1:01", -time.Second: "Will be declined automatically in 0:00"} {
		wantEqual(t, Countdown(now.Add(left), now), want, "%s", left)
	}
	wantEqual(t, Countdown(time.Time{}, now), "", "without an end")
}

func TestModel(t *testing.T) {
	var m Model
	m.Reset([]api.Project{{ID: "a", Name: "a", State: api.StateReady}}, nil)
	apply := func(e api.Event) {
		t.Helper()
		if m.Apply(e) {
			t.Errorf("%s asks for a new snapshot", e.Kind)
		}
	}
	apply(api.Event{Kind: api.EventProject, Project: &api.Project{ID: "b", Name: "b", State: api.StateIndexing}})
	apply(api.Event{Kind: api.EventProgress, ProjectID: "b",
		Progress: &api.Progress{Phase: api.PhaseIndexing, FilesDone: 1, FilesTotal: 2}})
	apply(api.Event{Kind: api.EventProgress, ProjectID: "unknown", Progress: &api.Progress{}})
	first := api.Question{ID: "1", Project: "/x", Asked: now.Add(time.Second), Expires: now.Add(time.Minute)}
	second := api.Question{ID: "2", Project: "/y", Asked: now, Expires: now.Add(2 * time.Minute)}
	apply(api.Event{Kind: api.EventQuestion, Question: &first})
	apply(api.Event{Kind: api.EventQuestion, Question: &second})
	apply(api.Event{Kind: api.EventQuestion, Question: &first}) // a repeated event
	if q := m.Questions(now); len(q) != 2 || q[0].ID != "2" {
		t.Errorf("questions %+v", q)
	}
	if q := m.Questions(now.Add(time.Minute)); len(q) != 1 || q[0].ID != "2" {
		t.Errorf("questions after a minute %+v", q)
	}
	m.Lost = &Problem{}
	if r := m.Rows("", now)[0]; r.Progress >= 0 || r.Rest != "" || r.Action != DoNone {
		t.Errorf("without a connection the row is %+v", r)
	}
	m.Lost = nil
	if rows := m.Rows("", now); len(rows) != 2 || rows[0].Name != "b" || rows[0].Progress != 0.5 {
		t.Errorf("rows %+v", rows)
	}
	apply(api.Event{Kind: api.EventProject, Project: &api.Project{ID: "b", State: api.StateEmbedding}})
	for _, done := range []int{60, 40} {
		apply(api.Event{Kind: api.EventProgress, ProjectID: "b",
			Progress: &api.Progress{JobID: "j", Phase: api.PhaseEmbedding, ChunksDone: done, ChunksTotal: 100}})
		wantEqual(t, m.Rows("", now)[0].Rest, "search by meaning 60 %", "with %d vectors", done)
	}
	apply(api.Event{Kind: api.EventAnswered, Question: &second})
	apply(api.Event{Kind: api.EventRemoved, ProjectID: "b"})
	wantEqual(t, len(m.Questions(now)), 1, "after all: questions")
	wantEqual(t, len(m.Projects()), 1, "after all: projects")
	missing := api.Error{Code: api.ModelDownloadFailed, UserMessage: "No model."}
	m.Reset([]api.Project{{ID: "a", State: api.StateDegraded, Problem: &missing}}, nil)
	m.Problems = []api.Error{missing} // a problem of the app is shown once
	wantEqual(t, m.Rows("", now)[0].Mark, MarkReady, "a row mentions a fault of the app: mark")
	wantEqual(t, m.Apply(api.Event{Kind: api.EventSettings}), true, "changed settings need a new snapshot")
}

func TestProblem(t *testing.T) {
	wantEqual(t, ProblemOf(fmt.Errorf("search: %w", context.Canceled)).Happened, "", "giving up is shown: happened")
	if p := ProblemOf(errors.New("boom")); p.Happened != "That failed: boom" || p.Label == "" {
		t.Errorf("%+v", p)
	}
	missing := Failed("The file manager can't be opened.", fmt.Errorf("start xdg-open: %w", exec.ErrNotFound))
	if p := ProblemOf(missing); p.Happened != "The file manager can't be opened." ||
		p.Means != "The program it needs isn't installed." ||
		!strings.HasPrefix(p.Detail, "start xdg-open: ") || p.Label == "" {
		t.Errorf("%+v", p)
	}
	if said := error(api.ErrProjectNotDetected()); !errors.Is(Failed("x", said), said) ||
		ProblemOf(Failed("x", said)).Happened == "x" || Failed("x", nil) != nil {
		t.Error("an error with a sentence gets another sentence")
	}
	p := ProblemOf(fmt.Errorf("call: %w", api.ErrIndexCorrupt(errors.New("bad magic"))))
	if p.Action != DoReindex || !strings.Contains(p.Detail, "bad magic") ||
		!strings.HasPrefix(p.Happened, "The search index seems corrupted") {
		t.Errorf("%+v", p)
	}
}

func TestReportHidesTheHomeFolder(t *testing.T) {
	r := Report("1.0", "linux/amd64", []api.Finding{{OK: false, Subject: "data", Text: "/home/ada/.mcp is full"}},
		[]string{"opened /home/ada/x"}, "/home/ada")
	if strings.Contains(r, "/home/ada") || !strings.Contains(r, "FAIL data: ~/.mcp is full") ||
		!strings.Contains(r, "opened ~/x") {
		t.Error(r)
	}
}

func TestSearchWords(t *testing.T) {
	r := api.Results{Semantic: true, Coverage: 0.431, Took: 12 * time.Millisecond, PendingFiles: 2}
	wantEqual(t, Completeness(r, nil), "12 ms · by meaning in 43 % of the project · 2 files not read yet", "in part")
	wantEqual(t, Completeness(api.Results{Semantic: true}, nil), "by words only", "without vectors")
	half := api.Project{State: api.StateEmbedding, Chunks: 9, Vectors: 4}
	for want, of := range map[string][]api.Project{"by meaning in 2 of 3 projects": {{}, half, {}},
		"with quick vectors until the model's are ready": {half}, "": {{}, {}}} {
		wantEqual(t, Completeness(api.Results{Semantic: true, Coverage: 1, Static: 1}, of), want, "Completeness")
	}
	p := api.Project{Roots: []api.Root{{Path: "/a"}, {Name: "lib", Path: "/b/lib"}}}
	for rel, want := range map[string]string{"x/y.go": "/a/x/y.go", "@lib/z.go": "/b/lib/z.go",
		"@other/z.go": "/a/@other/z.go"} {
		wantEqual(t, File(p, rel), want, "%s", rel)
	}
}

func TestChecks(t *testing.T) {
	got := Checks([]api.Finding{
		{OK: true, Subject: "disk", Text: "12.0 GB free"},
		{OK: true, Subject: "worker", Text: "/usr/lib/x, of the app's version"},
		{OK: true, Subject: "ONNX Runtime", Text: "/usr/lib/y"},
		{Subject: "project notes", Text: "away", Detail: "ENOENT: /x", Remedy: "plug it in"},
		{Subject: "project notes", Text: "away", Detail: "ENOENT: /x", Remedy: "plug it in"},
		{OK: true, Subject: "project notes", Text: "88 files, 500 chunks; fingerprints agree"},
	})
	want := "[{false notes [away] [ENOENT: /x] [plug it in]} {true Disk space [Fine] [] []} {true " +
		"Program files [Fine] [] []}]"
	wantEqual(t, fmt.Sprint(got), want, "%v", got)
}

func TestDocuments(t *testing.T) {
	p := func(s api.State) api.Project { return api.Project{ID: "p", State: s, DocFiles: 7, LastUpdated: now} }
	for _, test := range []struct {
		name    string
		source  api.DocumentSource
		project api.Project
		mark    Mark
		line    string
		urgent  bool
	}{
		{"read", api.DocumentSource{Documents: 5}, p(api.StateReady), MarkReady, "7 documents · updated just now", false},
		{"only HTML", api.DocumentSource{Documents: 5}, api.Project{ID: "p", State: api.StateReady}, MarkReady,
			"5 documents", false},
		{"only HTML, not read", api.DocumentSource{Reading: true}, api.Project{ID: "p", State: api.StateReady}, MarkBusy,
			"Reading…", false},
		{"not read", api.DocumentSource{Reading: true}, p(api.StateReady), MarkReady, "7 documents · updated just now",
			false},
		{"folder gone", api.DocumentSource{Reading: true}, p(api.StateOffline), MarkNeeds, "Folder not found", true},
		{"indexing", api.DocumentSource{Reading: true}, p(api.StateIndexing), MarkBusy, "Indexing · 7 documents", false},
		{"no model", api.DocumentSource{Reading: true}, p(api.StateDegraded), MarkNeeds, "7 documents", false},
		{"too many", api.DocumentSource{Documents: 5, Problem: "3 more are not served."}, p(api.StateReady), MarkNeeds,
			"3 more are not served.", true},
		{"added", api.DocumentSource{Reading: true}, api.Project{}, MarkBusy, "Reading…", false},
		{"added and read", api.DocumentSource{Documents: 1}, api.Project{}, MarkReady, "1 document", false},
	} {
		if v := DocumentsOf(test.source, test.project, now); v.Mark != test.mark || v.Line != test.line ||
			v.Urgent != test.urgent {
			t.Errorf("%s: %+v", test.name, v)
		}
	}
}

func TestLead(t *testing.T) {
	lines := func(texts ...string) (all []api.Line) {
		for i, text := range texts {
			all = append(all, api.Line{Number: i + 1, Text: text})
		}
		return all
	}
	for _, c := range []struct {
		lines []api.Line
		best  int
		want  []int
	}{
		{lines("func run() {", "\tfor {", "\t\tretry()"), 3, []int{1, 3}},
		{lines("def sleep(seconds):", `    """`, "    Waits so long."), 1, []int{1, 3}},
		{lines("/** parses what is given", "*/", "def parse()"), 1, []int{1, 3}},
		{lines("", "}", "retry()"), 3, []int{3}},
		{lines("}", "—"), 1, []int{1}},
	} {
		var got []int
		for _, l := range lead(api.Hit{Lines: c.lines, Best: c.best}) {
			got = append(got, l.Number)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, best %d: lines %v, want %v", c.lines, c.best, got, c.want)
		}
	}
}

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
		{[]api.Activity{given}, "q|Claude Code · Searched code in engine|" + failure(given)},
		{[]api.Activity{{Client: "codex-mcp-client 0.9", Tool: "create_index", Project: "/x/web", Took: 26 * time.Second}},
			"Asked to index web|Codex 0.9|26 s"},
		{[]api.Activity{{Client: "zed", Tool: "reindex_project", Project: "/x/web", Took: 42 * time.Second, Allowed: true,
			Outcome: api.OutcomeDone}}, "Asked to rebuild web|Zed|Allowed · rebuilt"},
		{[]api.Activity{{Client: "zed", Tool: "create_index", Project: "/x/web", Took: 25 * time.Second, Allowed: true,
			Outcome: api.OutcomeGoesOn}}, "Asked to index web|Zed|Allowed · continued in the background"},
		{[]api.Activity{{Client: "zed", Tool: "create_index", Project: "/x/web", Outcome: api.OutcomeStopped}},
			"Asked to index web|Zed|Stopped"},
		{[]api.Activity{{Client: "the terminal", Role: api.RoleTerminal, Tool: "delete_index", Project: "/x/web",
			Allowed: true, Outcome: api.OutcomeDone}}, "Asked to delete the index of web|A command in the terminal|Deleted"},
		{[]api.Activity{{Client: "zed", Tool: "create_index", Project: "/x/web", Error: "ALREADY_INDEXED"}},
			"Asked to index web|Zed|Indexed already"},
		{[]api.Activity{{Client: "x", Tool: "delete_index", Error: "CONFIRMATION_REQUIRED"}},
			"Asked to delete an index|X|Approval not possible"},
		{[]api.Activity{{Client: "x", Tool: "create_index", Project: "/x/web", Took: 32 * time.Second, Error: "DECLINED"}},
			"Asked to index web|X|Declined"},
		{[]api.Activity{{Client: "x", Tool: "create_index", Project: "/x/web", Took: 2 * time.Minute, Error: "UNANSWERED"}},
			"Asked to index web|X|No answer"},
		{[]api.Activity{{Client: "x", Tool: "search_handbook", Error: "SOME_NEW_CODE"}}, "Searched a site|X|Failed"},
		{[]api.Activity{status, list, status},
			"3 routine requests|Claude Code · Checked the state of engine · Listed projects|"},
		{[]api.Activity{{Tool: "create_index", Project: "/x/web", Results: 12}}, "Indexed web|~/web|12 files"},
	} {
		c := CallOf(test.calls, "/x", now)
		wantEqual(t, c.Lead+"|"+c.Detail+"|"+c.Result, test.want, "result")
	}
	wantEqual(t, Icon(api.Activity{Client: "zed", Tool: "create_index"}), "question", "icon")
	if CallOf([]api.Activity{{Client: "zed", Tool: "create_index", Error: "ALREADY_INDEXED"}}, "/x", now).Failed {
		t.Error("an existing index is a failure")
	}
	unknown := api.Activity{Client: "zed", Tool: "search_code", Error: "INVALID_ARGUMENT",
		Detail: `No project "nosuch". Registered projects: Dapper (/x/my code/Dapper), web (C:\code\web).`}
	if text, _, _ := Failure(unknown); text != `No project "nosuch". Registered projects: Dapper, web.` {
		t.Error(text)
	}
	missed := search
	if missed.Results = 0; !CallOf([]api.Activity{missed}, "/x", now).Nothing ||
		CallOf([]api.Activity{search}, "/x", now).Nothing || CallOf([]api.Activity{status}, "/x", now).Nothing {
		t.Error("a question without results looks like the others")
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
	for _, f := range Fold([]api.Activity{at(status, 0), at(status, 1), at(other, 2), at(failed, 3), at(update, 4),
		at(asked, 5), at(second, 6), at(asked, 7), at(update, 8), at(status, 25), at(status, 80)}) {
		got = append(got, fmt.Sprint(f[0].Client, " ", f[0].Tool, " ", len(f)))
	}
	want := "a get_index_status 3, b get_index_status 1, a get_index_status 1,  update 2, a search_code 1,  update 1, " +
		"a search_code 1, a get_index_status 1"
	wantEqual(t, strings.Join(got, ", "), want, "result")
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
		"Today: 0 searches": Used(api.Usage{Days: u.Days[:2]}, now),
		"":                  Used(api.Usage{Days: u.Days[:1]}, now),
		"in 14 days, 50 % of the searches in this window opened a result": Opened(u, now),
		"6 searches in 14 days · 4 today":                                 UsedProject(Searches(u, "/x/web", now)),
		"No searches in the last 14 days":                                 UsedProject(Searches(u, "/x/none", now)),
	} {
		wantEqual(t, got, want, "result")
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
		wantEqual(t, LogLineOf(in, now), want, "LogLineOf")
	}
}

func TestFilesOfARunningJob(t *testing.T) {
	p := api.Project{State: api.StateIndexing, Files: 118, Progress: &api.Progress{Action: api.ActionCreate,
		Phase: api.PhaseIndexing, FilesDone: 120, FilesTotal: 1204}}
	row, facts, total := RowOf(p, nil, "", now).Line, fmt.Sprint(Facts(p, now)), Total([]api.Project{p})
	if !strings.Contains(row, "120 of 1,204 files") || !strings.Contains(facts, "{Files 120}") ||
		!strings.Contains(total, "120 files") {
		t.Errorf("%s; %s; %s", row, facts, total)
	}
}

func TestCallFacts(t *testing.T) {
	for want, a := range map[string]api.Activity{
		"Asked by Claude Code, Action Searched code, Results 0": {Client: "claude-code", Tool: "search_code", Query: "q"},
		"Asked by X, Project ~/web":                             {Client: "x", Tool: "create_index", Project: "/x/web"},
		"Asked by Zed, Project ~/web, Outcome Allowed · rebuilt": {Client: "zed", Tool: "reindex_project",
			Project: "/x/web", Took: 42 * time.Second, Allowed: true, Outcome: api.OutcomeDone},
		"Project ~/web, Files 12": {Tool: "create_index", Project: "/x/web", Results: 12},
	} {
		var got []string
		for _, f := range CallFacts(a, "/x", now)[1:] {
			got = append(got, string(f.Label)+" "+f.Value)
		}
		wantEqual(t, strings.Join(got, ", "), want, "result")
	}
}

// TestFactorWords checks that each term of the ranking has a label.
func TestFactorWords(t *testing.T) {
	source, err := os.ReadFile("../../engine/search/features.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`\{"([a-z ]+)", func`).FindAllStringSubmatch(string(source), -1)
	if len(names) < 10 {
		t.Errorf("only %d terms found", len(names))
	}
	for _, n := range names {
		if factorWords[n[1]].means == "" {
			t.Errorf("%s has no label", n[1])
		}
	}
}

// wantEqual reports a got that isn't want. The format names got.
func wantEqual[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}
