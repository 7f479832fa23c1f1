package quality

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// unseen is how far a change of the ranking may move the recorded questions of a kind, by any of the three measures,
// without anybody saying so. What is better is written down as well: else a later loss hides in it.
const unseen = 0.005

// judged is what the recorded questions of each kind came to when this was written.
var judged = map[string]Judged{
	"bare":   {1.0000, 0.7397, 0.8333},
	"change": {0.8802, 0.2403, 0.5333},
	"commit": {0.6632, 0.0230, 0.4545},
	"error":  {0.8734, 0.2200, 0.7500},
	"how":    {0.7349, 0.0770, 0.4000},
	"mixed":  {0.9796, 0.5681, 0.6667},
	"path":   {1.0000, 0.8636, 0.0000},
	"plain":  {0.6551, -0.0924, 0.3810},
	"symbol": {1.0000, 0.7472, 1.0000},
}

// TestReplay ranks what the indexes found for 200 questions once more. A change that moves a kind of question has to be
// seen in the whole benchmark before it is written down here (docs/ranking.md).
func TestReplay(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "replay.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r Recording
	if err := r.Read(f); err != nil {
		t.Fatal(err)
	}
	if len(r.Questions) < maxQuestions {
		t.Errorf("%d questions are recorded", len(r.Questions))
	}
	got, err := r.Replay(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(judged) {
		t.Errorf("%d kinds of question, want %d", len(got), len(judged))
	}
	for kind, g := range got {
		was := judged[kind]
		if max(math.Abs(g.NDCG-was.NDCG), math.Abs(g.Lead-was.Lead), math.Abs(g.Told-was.Told)) > unseen {
			t.Errorf("%s: %.4f, was %.4f", kind, g, was)
		}
		t.Logf("%q: {%.4f, %.4f, %.4f},", kind, g.NDCG, g.Lead, g.Told)
	}
}
