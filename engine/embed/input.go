package embed

import (
	"path"
	"strings"

	"searchmcp/engine/api"
)

// InputVersion names the way from a chunk to the model: Input, the splitting of identifiers and the tokenizer. It changes
// when any of them gives another result, and with it ModelHash, so that no vector of another version is reused.
const InputVersion = "1"

const (
	// inputBytes is about what textTokens hold: code has some four bytes a token once identifiers are split, and what
	// is beyond is cut by the token, not here.
	inputBytes = 900
	// folders of the path that are shown: further up they are the project's, not the file's.
	pathWords = 2
)

// Input returns what the model sees of a chunk, most telling first, because what does not fit into 128 tokens is cut: the
// words of the path, where the chunk stands, the names it defines, then its lines without those that say nothing.
func Input(c api.Chunk) string {
	var b strings.Builder
	b.Grow(inputBytes + 64)
	writePath(&b, c.Path)
	for _, s := range c.Breadcrumb {
		writeWord(&b, s)
	}
	for _, s := range c.Symbols {
		if !said(c.Breadcrumb, s) {
			writeWord(&b, s)
		}
	}
	b.WriteByte('\n')
	for line := range strings.Lines(c.Text) {
		if b.Len() >= inputBytes {
			break
		}
		if line = strings.TrimSpace(line); telling(line) {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// writePath writes the file's stem and the folders nearest to it: "engine/embed/input.go" gives "engine embed input".
func writePath(b *strings.Builder, p string) {
	p = strings.TrimSuffix(p, path.Ext(p))
	parts := strings.Split(p, "/")
	for _, part := range parts[max(0, len(parts)-1-pathWords):] {
		writeWord(b, part)
	}
}

func writeWord(b *strings.Builder, s string) {
	if s == "" || b.Len() >= inputBytes/2 { // however long the heading, half is the text's
		return
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(s)
}

func said(breadcrumb []string, s string) bool {
	for _, b := range breadcrumb {
		if strings.Contains(b, s) {
			return true
		}
	}
	return false
}

// telling reports whether a line has a word in it. Closing braces, rules and blank lines only cost tokens.
func telling(line string) bool {
	letters := 0
	for _, r := range line {
		if kindOf(r) != kindOther || r >= 0x80 {
			if letters++; letters == 2 {
				return true
			}
		}
	}
	return false
}
