package token

import (
	"encoding/json"
	"math"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"searchmcp/engine/api"
)

// TestRate: what window and terminal estimate of tokens from bytes is what the benchmark counts in the files of the
// frozen project, and in answers made of their lines, within a tenth.
func TestRate(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("..", "testdata", "fixture.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var files, answers, filesTokens, answersTokens float64
	count := func(text string) float64 {
		n, err := Count(text)
		if err != nil {
			t.Fatal(err)
		}
		return float64(n)
	}
	for _, f := range archive.Files {
		files += float64(len(f.Data))
		filesTokens += count(string(f.Data))
		answer, err := json.Marshal(map[string]any{"path": f.Name, "text": string(f.Data[:min(len(f.Data), 700)]),
			"score":     0.93,
			"startLine": 1, "endLine": 20, "breadcrumb": "package"})
		if err != nil {
			t.Fatal(err)
		}
		answers += float64(len(answer))
		answersTokens += count(string(answer))
	}
	for name, rate := range map[string][2]float64{
		"files":   {files / filesTokens, api.FileBytesPerToken},
		"answers": {answers / answersTokens, api.AnswerBytesPerToken},
	} {
		if math.Abs(rate[0]-rate[1])/rate[0] > 0.1 {
			t.Errorf("%s: %.2f bytes a token, %.2f estimated", name, rate[0], rate[1])
		}
		t.Logf("%s: %.2f bytes a token", name, rate[0])
	}
}
