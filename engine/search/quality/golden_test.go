package quality

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
)

var update = flag.Bool("update", false, "write testdata anew")

// TestGolden asks tens of questions of a small frozen project by words alone, which gives the same everywhere, and
// holds each answer: the rank of the right file, whether its telling lines are shown, the tokens of the answer, the
// lines shown of the first three results, and where further ones begin. Who changes ranking or excerpts sees here
// what it does.
func TestGolden(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "fixture.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := txtar.Write(archive, root); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join("testdata", "fixture-questions.txt"))
	if err != nil {
		t.Fatal(err)
	}
	p := Project{Name: "fixture", Language: "go"}
	if p.Questions, err = parseQuestions(string(raw)); err != nil {
		t.Fatal(err)
	}
	x, err := indexed(t.Context(), root, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	var got bytes.Buffer
	var sum Score
	for _, q := range p.Questions {
		found, lines := answer(t, x, q)
		s := q.score(found)
		sum.Add(s)
		c, err := q.cost(found)
		if err != nil {
			t.Fatal(err)
		}
		rank := slices.IndexFunc(results(found), func(r Result) bool {
			return slices.ContainsFunc(q.Answer, func(a Target) bool { return a.Path == r.Path })
		})
		fmt.Fprintf(&got, "%s: %s\n  file %d of %d, lines %.0f, %.0f tokens\n%s", q.Kind, q.Text, rank+1, len(results(found)),
			s.Lines, c.Answer, lines)
	}
	mean := sum.Over(len(p.Questions))
	fmt.Fprintf(&got, "NDCG@10 %.3f, hit@1 %.3f, lines %.3f\n", mean.NDCG, mean.Hit, mean.Lines)
	golden := filepath.Join("testdata", "fixture.golden")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf(
			"answers differ (-want +got); go test ./engine/search/quality -run Golden -update, and look at the difference:\n%s",
			d)
	}
}

// answer asks by words and tells which lines the first results show.
func answer(t *testing.T, x *Index, q Question) (found []Result, lines string) {
	t.Helper()
	r, err := search.Run(context.Background(), x, search.Request{
		Query:   api.Query{Text: q.Text, Corpus: q.Corpus(), TopK: depth, LexicalOnly: true},
		Allowed: func(string) bool { return true }, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, h := range r.Hits {
		if i < 3 {
			fmt.Fprintf(&b, "  %s:%d-%d", h.Path, h.StartLine, h.EndLine)
			for _, l := range h.Lines {
				fmt.Fprintf(&b, " %d", l.Number)
			}
			b.WriteByte('\n')
		}
	}
	if found, err = listed(r); err != nil {
		t.Fatal(err)
	}
	for _, h := range r.Hits {
		if h.More == "" {
			continue
		}
		fmt.Fprintf(&b, "  more of %s", h.Path)
		for line := range strings.Lines(h.More) {
			if from, ok := strings.CutPrefix(line, "…"); ok {
				b.WriteString(" " + strings.TrimSpace(from))
			}
		}
		b.WriteByte('\n')
	}
	return found, b.String()
}
