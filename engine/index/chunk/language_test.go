package chunk

import "testing"

// Each type of node that a grammar's rules name exists in the grammar; a misspelt one would be ignored.
func TestRulesNameTypes(t *testing.T) {
	for lang := range grammars {
		for _, name := range grammarOf(t, lang).unknown {
			t.Errorf("%s has no node %q", lang, name)
		}
	}
}
