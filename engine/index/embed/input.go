package embed

import (
	"path"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
)

const InputVersion = "2"

const (
	inputBytes = 6000 // in bytes; the text of any chunk is shorter
	headBytes  = 200  // bytes of the path, scopes and symbols before the text
	pathParts  = 2    // number of names at the end of the path, such as "api/user.go"
)

// Input returns the model's input for a chunk: the path, scopes and symbols that are not in the text, and then the
// lines of the text. Lines without words are omitted.
//
// The path is omitted if the text contains a symbol of the chunk. For 600 functions of Go's library, with their
// comments as queries, MRR@10 was 0.757 without the path and 0.741 with the path.
func Input(c api.Chunk) string {
	w := writer{limit: headBytes, separator: ' '}
	w.b.Grow(min(headBytes+len(c.Text), inputBytes))
	if !showsSymbol(c) {
		w.path(c.Path)
	}
	for _, s := range c.Breadcrumb {
		w.addMissing(s, c.Text)
	}
	for _, s := range c.Symbols {
		w.addMissing(s, c.Text)
	}
	w.limit, w.separator = inputBytes, '\n'
	for line := range strings.Lines(c.Text) {
		if w.b.Len() >= inputBytes {
			break
		}
		if line = strings.TrimSpace(line); hasWord(line) {
			w.write(line)
		}
	}
	return w.b.String()
}

func showsSymbol(c api.Chunk) bool {
	for _, s := range c.Symbols {
		if s != "" && strings.Contains(c.Text, s) {
			return true
		}
	}
	return false
}

type writer struct {
	b         strings.Builder
	separator byte
	limit     int
}

func (w *writer) write(s string) {
	space := w.limit - w.b.Len()
	if w.b.Len() > 0 {
		if space--; space <= 0 {
			return
		}
		w.b.WriteByte(w.separator)
	}
	if len(s) > space {
		for space > 0 && !utf8.RuneStart(s[space]) {
			space--
		}
		s = s[:space]
	}
	w.b.WriteString(s)
}

func (w *writer) addMissing(s, text string) {
	if s != "" && w.b.Len() < w.limit && !strings.Contains(text, s) {
		w.write(s)
	}
}

func (w *writer) path(p string) {
	parts := strings.Split(strings.TrimSuffix(p, path.Ext(p)), "/")
	for _, part := range parts[max(0, len(parts)-pathParts):] {
		if part != "" {
			w.write(part)
		}
	}
}

// hasWord reports whether a line contains a word, that is, at least two letters or digits.
func hasWord(line string) bool {
	letters := 0
	for _, r := range line {
		if kindOf(r) != kindOther || r >= utf8.RuneSelf {
			if letters++; letters == 2 {
				return true
			}
		}
	}
	return false
}
