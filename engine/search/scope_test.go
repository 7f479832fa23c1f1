package search

import (
	"slices"
	"testing"

	"searchmcp/engine/api"
)

func TestScopeMatch(t *testing.T) {
	for _, c := range []struct {
		path, scope string
		want        float64
	}{
		{"app/router/table.go", "router", 1}, {"app/Router.ts", "router", 1}, {"src/request_logger.go", "requestlogger", 1},
		{"engine/store/text/index.go", "store/text", 1}, {"engine/store/text.go", "store/text", 1},
		{"packages/react-router/index.ts", "router", 0}, {"src/routers.go", "router", 0},
		{"src/text/store.go", "store/text", 0},
	} {
		if got := scopeMatch(c.path, []string{"elsewhere", c.scope}); got != c.want {
			t.Errorf("%s is %s by %v, want %v", c.path, c.scope, got, c.want)
		}
	}
}

// history is a History of one file that records the words of questions.
type history struct {
	file  string
	asked []string
}

func (h *history) Files(words []string) map[string]float64 {
	h.asked = words
	return map[string]float64{h.file: 0.9, "gone.go": 0.95}
}

func (h *history) Scope(names []string) (changed func(path string) float64, commits int) {
	return func(p string) float64 {
		if p == h.file {
			return 1
		}
		return 0
	}, 20 * len(names)
}

// Files changed by commits of a scope rank before a file of that name.
func TestScopeOfCommits(t *testing.T) {
	p := newProject(t, chunkOf("bin/queue.go", 1, "func drain() {\n\tlose(nothing) // queue\n}", "drain"),
		chunkOf("lib/spool.go", 1, "func empty() {\n\tlose(nothing) // queue, queue\n}", "empty"))
	const fix = "queue: lose nothing"
	if got := paths(ask(t, p, api.Query{Text: fix}))[0]; got != "bin/queue.go" {
		t.Fatalf("without a history %s comes first", got)
	}
	h := silent{history{file: "lib/spool.go"}}
	if got := paths(ask(t, p, api.Query{Text: fix}, func(r *Request) { r.History = &h }))[0]; got != "lib/spool.go" {
		t.Errorf("%s comes first", got)
	}
}

// silent is a history that matches no question.
type silent struct{ history }

func (*silent) Files([]string) map[string]float64 { return nil }

// A file with related commits ranks first. For a name or a path, the file of that name ranks first.
func TestHistory(t *testing.T) {
	p := newProject(t, chunkOf("a/queue.go", 1, "// keeps what waits\nfunc drain() {\n\tqueue = nil\n}", "drain"),
		chunkOf("b/spool.go", 1, "// keeps what waits for long\nfunc empty() {\n\tdrain()\n}", "empty"))
	for _, c := range []struct {
		ask, first string
		asked      []string
	}{
		{"where is kept what waits", "b/spool.go", []string{"kept", "wait"}},
		{"Fix keeping what waits", "b/spool.go", []string{"keeping", "wait"}},
		{"drain", "a/queue.go", nil},
		{"a/queue.go", "a/queue.go", nil},
	} {
		h := &history{file: "b/spool.go"}
		with := ask(t, p, api.Query{Text: c.ask}, func(r *Request) { r.History = h })
		without := ask(t, p, api.Query{Text: c.ask})
		if got := paths(with)[0]; got != c.first {
			t.Errorf("%q finds %s first, want %s", c.ask, got, c.first)
		}
		if got := paths(without)[0]; got != "a/queue.go" {
			t.Errorf("without a history %q finds %s first: nothing is tested", c.ask, got)
		}
		if !slices.Equal(h.asked, c.asked) {
			t.Errorf("%q asks the history for %q, want %q", c.ask, h.asked, c.asked)
		}
		if slices.Contains(paths(with), "gone.go") {
			t.Errorf("%q finds a file that is in no index", c.ask)
		}
	}
}
