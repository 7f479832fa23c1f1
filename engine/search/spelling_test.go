package search

import "testing"

func TestIsWord(t *testing.T) {
	for word, want := range map[string]bool{"below": true, "setting": true, "terminal": true, "clash": true,
		"curser": false, "seting": false, "paranthesi": false, "levenstein": false} {
		if got := isWord(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}
