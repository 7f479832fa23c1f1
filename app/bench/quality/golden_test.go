package quality

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"searchmcp/app/endpoint/tools"
	"searchmcp/engine/api"
)

var update = flag.Bool("update", false, "update golden files")

// TestGolden compares the answers to questions about a small project with a golden file, which shows the effects of a
// change of ranking or excerpts. It searches by words only, so that answers don't depend on the machine. Each answer
// is recorded with the rank of the right file, whether relevant lines are shown, and read with their context, the
// tokens, and the lines of the first three results.
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
	var ndcg, shown float64
	for _, q := range p.Questions {
		r, asked, err := x.run(t.Context(), q, nil, api.DetailExcerpt)
		if err != nil {
			t.Fatal(err)
		}
		r.Took = 0 // the length of the answer depends on it
		answer, err := tools.SearchAnswer(r, asked)
		if err != nil {
			t.Fatal(err)
		}
		pieces, err := x.pieces(answer)
		if err != nil {
			t.Fatal(err)
		}
		read, err := x.readBy(q, answer)
		if err != nil {
			t.Fatal(err)
		}
		var files []string
		for _, h := range r.Hits {
			files = append(files, h.Path)
		}
		n, _ := q.rank(files)
		rank := slices.IndexFunc(files, func(f string) bool {
			return slices.ContainsFunc(q.Answer, func(a Target) bool { return a.Path == f })
		})
		fmt.Fprintf(&got, "%s: %s\n  file %d of %d, %d tokens", q.Kind, q.Text, rank+1, len(files), read.answer)
		if q.located(x) {
			fmt.Fprintf(&got, ", shown %t, read %t, %d tokens until read", read.shown[0], read.readAtAll, read.tokens)
		}
		fmt.Fprintln(&got)
		for _, p := range pieces[:min(3, len(pieces))] {
			fmt.Fprintf(&got, "  %s:%d-%d %v\n", p.path, p.named.first, p.named.last, slices.Sorted(maps.Keys(p.printed)))
		}
		ndcg += n / float64(len(p.Questions))
		if read.shownAtAll {
			shown++
		}
	}
	fmt.Fprintf(&got, "NDCG@10 %.3f, shown %.0f\n", ndcg, shown)
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
			"answers differ (-want +got); update them with go -C app/bench test ./quality -run Golden -update:\n%s",
			d)
	}
}
