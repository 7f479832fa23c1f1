package quality

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// The questions are readable, of known kinds, and as many as a figure needs; their projects are pinned and halved.
func TestProjects(t *testing.T) {
	all, err := Projects()
	if err != nil {
		t.Fatal(err)
	}
	questions, languages, sets, changed := map[Half]int{}, map[string]bool{}, map[Set]int{}, map[string]bool{}
	for _, p := range all {
		if len(p.SHA256) != 64 || p.Version == "" || p.Package == "" || !slices.Contains(Halves, p.Half) {
			t.Errorf("%s is not pinned: %+v", p.Name, p)
		}
		languages[p.Language] = true
		var seen []string
		for _, q := range p.Questions {
			sets[q.Set()]++
			switch q.Set() {
			case Written:
				questions[p.Half]++
			case Changes:
				changed[p.Family()] = true
			}
			if slices.Contains(seen, q.Text) {
				t.Errorf("%s asks %q twice", p.Name, q.Text)
			}
			seen = append(seen, q.Text)
		}
	}
	if len(all) < 12 || len(languages) < 10 || questions[Dev] < 125 || questions[Test] < 125 || questions[Fresh] < 100 ||
		questions[Later] < 200 || questions[Trees] < 200 || questions[Broad] < 500 || questions[Unseen] < 400 {
		t.Errorf("%d projects, %d languages, questions %v", len(all), len(languages), questions)
	}
	if sets[Symbols] < 100 || sets[Changes] < 200 || sets[Commits] < 190 || len(changed) < 12 {
		t.Errorf("%v questions, changes of %d projects", sets, len(changed))
	}
}

func TestParseQuestionsRefuses(t *testing.T) {
	for _, bad := range []string{"plain | no answer", "plain question | x", "odd | question | a.go", "plain | a | b | c"} {
		if _, err := parseQuestions(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestScore(t *testing.T) {
	q := Question{Answer: []Target{{Path: "a.go", Anchor: "func  a("}, {Path: "b.go"}}}
	found := func(paths string) []Result {
		var out []Result
		for _, p := range strings.Fields(paths) {
			out = append(out, Result{Path: p, Text: "x\nfunc a(b)"})
		}
		return out
	}
	log2 := func(n float64) float64 { return 1 / math.Log2(n) }
	ideal := log2(2) + log2(3)
	for _, tc := range []struct {
		found string
		want  Score
	}{
		{"a.go b.go", Score{NDCG: 1, Recall: 1, RR: 1, Hit: 1, Lines: 1}},
		{"b.go c.go a.go", Score{NDCG: (log2(2) + log2(4)) / ideal, Recall: 1, RR: 1, Hit: 1, Lines: 1}},
		{"c.go c.go c.go b.go", Score{NDCG: log2(3) / ideal, Recall: 0.5, RR: 0.5}}, // a file counts once
		{"c c c c c c c c c c a.go", Score{}},                                       // beyond the tenth result
		{"", Score{}},
	} {
		got := q.score(found(tc.found))
		for _, d := range []float64{got.NDCG - tc.want.NDCG, got.Recall - tc.want.Recall, got.RR - tc.want.RR,
			got.Hit - tc.want.Hit, got.Lines - tc.want.Lines} {
			if math.Abs(d) > 1e-9 {
				t.Errorf("%q: %+v, want %+v", tc.found, got, tc.want)
				break
			}
		}
	}
}

// What the trees learn from must not be what judges them.
func TestTrainingIsApart(t *testing.T) {
	training, err := TrainingProjects()
	if err != nil {
		t.Fatal(err)
	}
	projects, err := Projects()
	if err != nil {
		t.Fatal(err)
	}
	judges := map[string]bool{}
	for _, p := range projects {
		judges[p.Family()], judges[p.Package] = true, true
	}
	questions := 0
	for _, p := range training {
		questions += len(p.Questions)
		if judges[p.Family()] || judges[p.Package] {
			t.Errorf("%s is a project of the benchmark too", p.Name)
		}
	}
	if questions < 1000 {
		t.Errorf("%d questions to learn from", questions)
	}
}
