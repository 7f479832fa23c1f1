package quality

import (
	"os"
	"path/filepath"
	"testing"
)

// worse is what a change of the ranking may cost the recorded questions.
const worse = 0.005

// TestReplay ranks what the indexes found for 200 questions once more. A change that lowers the mean has to be seen in
// the whole benchmark before a new recording is made (docs/ranking.md).
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
	mean, err := r.Replay(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if mean < r.NDCG-worse {
		t.Errorf("NDCG@10 is %.4f, was %.4f", mean, r.NDCG)
	}
	t.Logf("NDCG@10 %.4f, recorded %.4f", mean, r.NDCG)
}
