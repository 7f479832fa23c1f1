package quality

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// TestProjects checks that the questions can be parsed, that there are enough of them, and that their projects are
// pinned.
func TestProjects(t *testing.T) {
	all, err := Projects()
	if err != nil {
		t.Fatal(err)
	}
	languages, sets, changed := map[string]bool{}, map[Set]int{}, map[string]bool{}
	for _, p := range all {
		if len(p.SHA256) != 64 || p.Version == "" || p.Package == "" {
			t.Errorf("%s is not pinned: %+v", p.Name, p)
		}
		languages[p.Language] = true
		var seen []string
		for _, q := range p.Questions {
			sets[q.Set()]++
			if q.Set() == Changes {
				changed[p.Family()] = true
			}
			if slices.Contains(seen, q.Text) {
				t.Errorf("%s asks %q twice", p.Name, q.Text)
			}
			seen = append(seen, q.Text)
		}
	}
	if len(all) < 12 || len(languages) < 10 {
		t.Errorf("%d projects, %d languages", len(all), len(languages))
	}
	if sets[Written] < 1650 || sets[Symbols] < 100 || sets[Changes] < 200 || sets[Commits] < 190 || len(changed) < 12 {
		t.Errorf("%v questions, changes of %d projects", sets, len(changed))
	}
}

func TestParseQuestionsRefuses(t *testing.T) {
	for _, bad := range []string{"plain | no answer", "plain question | x", "odd | question | a.go", "plain | a | b | c"} {
		if _, err := parseQuestions(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestRank(t *testing.T) {
	q := Question{Answer: []Target{{Path: "a.go", Anchor: "func  a("}, {Path: "b.go"}}}
	log2 := func(n float64) float64 { return 1 / math.Log2(n) }
	ideal := log2(2) + log2(3)
	for _, tc := range []struct {
		found        string
		ndcg, recall float64
	}{
		{"a.go b.go", 1, 1},
		{"b.go c.go a.go", (log2(2) + log2(4)) / ideal, 1},
		{"c.go c.go c.go b.go", log2(3) / ideal, 0.5}, // a file counts once
		{"c c c c c c c c c c a.go", 0, 0},            // beyond the tenth result
		{"", 0, 0},
	} {
		ndcg, recall := q.rank(strings.Fields(tc.found))
		if math.Abs(ndcg-tc.ndcg) > 1e-9 || recall != tc.recall {
			t.Errorf("%q: %.3f, %.3f, want %.3f, %.3f", tc.found, ndcg, recall, tc.ndcg, tc.recall)
		}
	}
}

// TestReader tests the simulated assistant with lines that are printed, lines in a named range, and lines that the
// answer does not show.
func TestReader(t *testing.T) {
	var file strings.Builder
	for n := range 200 {
		fmt.Fprintf(&file, "line %d\n", n+1)
	}
	x := &Index{files: map[string]string{"a.go": file.String(), "b.go": "one\n"}}
	q := Question{Answer: []Target{{Path: "a.go", Changed: []int{50}}}}
	for _, tc := range []struct {
		name, answer string
		shown, read  bool
		calls        int
	}{
		{"printed with its context",
			`{"path":"a.go","text":"line 48\nline 49\nline 50\nline 51","startLine":48,"endLine":60}`, true, true, 1},
		{"printed without context, so the range is opened",
			`{"path":"a.go","text":"line 40\n…50\nline 50\n…","startLine":40,"endLine":60}`, true, false, 2},
		{"the printed line differs from the file", `{"path":"a.go","text":"line 7","startLine":50,"endLine":50}`,
			true, false, 3 + 1},
		{"named by a location after the results", `{"furtherFiles":["a.go:45-60 name"]}`, true, false, 2},
		{"in a range that is too long", `{"path":"a.go","text":"","startLine":1,"endLine":200}`, false, false, 2},
		{"another file", `{"path":"b.go","text":"one","startLine":1,"endLine":1}`, false, false, 3},
		{"a shortened line", `{"path":"a.go","text":"line 47\nline 48\nli…49\nline 50","startLine":47,"endLine":60}`,
			true, true, 1},
	} {
		r, err := x.readBy(q, []byte(tc.answer))
		if err != nil {
			t.Fatal(err)
		}
		if r.shownAtAll != tc.shown || r.readAtAll != tc.read || r.calls != tc.calls {
			t.Errorf("%s: shown %t, read %t, %d calls", tc.name, r.shownAtAll, r.readAtAll, r.calls)
		}
	}
}

// TestWithin checks that the tokens of a piece are counted up to its end, not to the end of the answer.
func TestWithin(t *testing.T) {
	x := &Index{files: map[string]string{"a.go": "one\ntwo\n", "b.go": strings.Repeat("a word\n", 1000)}}
	answer, err := baselineAnswer([]api.Hit{{Path: "a.go", Text: "one", StartLine: 1, EndLine: 2},
		{Path: "b.go", Text: strings.TrimSpace(x.files["b.go"]), StartLine: 1, EndLine: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	for path, within := range map[string]bool{"a.go": true, "b.go": false} {
		r, err := x.readBy(Question{Answer: []Target{{Path: path, Changed: []int{2}}}}, answer.Answer)
		if err != nil || r.shown[0] != within || !r.shownAtAll {
			t.Errorf("%s: shown within %d tokens %t, at all %t, %v", path, Limits[0], r.shown[0], r.shownAtAll, err)
		}
	}
}

func TestParseLines(t *testing.T) {
	q, err := parseQuestions("change | say it | a.go@@3,7-9 ; b.go")
	if err != nil || !slices.Equal(q[0].Answer[0].Changed, []int{3, 7, 8, 9}) || q[0].Answer[1].Path != "b.go" {
		t.Errorf("%+v, %v", q, err)
	}
	if _, err := parseQuestions("change | say it | a.go@@x"); err == nil {
		t.Error("invalid line numbers were accepted")
	}
}
