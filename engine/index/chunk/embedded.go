package chunk

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"searchmcp/engine/lang"
)

var (
	// dataScript matches the attributes of scripts that are no code; typedScript those of TypeScript.
	dataScript = regexp.MustCompile(`(?i)\btype\s*=\s*["']?(?:importmap|speculationrules|` +
		`text/(?:x-|template|html|plain)|application/(?:ld\+)?json|x-)`)
	typedScript = regexp.MustCompile(`(?i)\b(?:lang|type)\s*=\s*["']?(?:ts\b|typescript|text/typescript)`)
)

// Template reports whether files of a language are mostly a page, in which names stand in tags and brackets.
func Template(language string) bool { return lang.Of(language).Embedded != nil }

// code is the part of a file's text that a grammar reads, of the same length with all else blank, and its language. For
// most files that is all of it; ok is false where there is none.
func (f File) code() (language, text string, ok bool) {
	if lang.Of(f.Language).Rules != nil {
		return f.Language, f.Text, true
	}
	l := lang.Of(f.Language)
	marks := l.Embedded
	if marks == nil {
		return "", "", false
	}
	language = l.Inner
	b := []byte(f.Text)
	from := 0
	for _, m := range marks.FindAllStringSubmatchIndex(f.Text, -1) {
		if m[0] < from {
			continue
		}
		g := len(m) - 4 // the attributes and the code of the alternative that matched
		for g > 2 && m[g] < 0 {
			g -= 4
		}
		if m[g] < 0 {
			continue // a fence, which shows code
		}
		start, end := m[g+2], m[g+3]
		attributes := f.Text[m[g]:m[g+1]]
		if dataScript.MatchString(attributes) {
			continue
		}
		if l.Members {
			start, end = start+1, min(closingBrace(f.Text, start), len(f.Text)-1)
		}
		lang.Blank(b[from:start])
		if l.Members { // members, which the grammar reads in a class
			if at := strings.LastIndexAny(f.Text[:start-1], " \t\n"); at > len("class ") {
				copy(b[at-len("class "):], "class _")
				b[start-1] = '{'
				end++
			}
		}
		if strings.HasPrefix(f.Text[m[0]:], "<%") {
			b[start-1] = ';' // several stand on a line
		}
		if typedScript.MatchString(attributes) {
			language = "typescript"
		}
		from, ok = end, true
	}
	if !ok {
		return "", "", false
	}
	lang.Blank(b[from:])
	if language == "" {
		language = "tsx" // scripts may hold elements, and types that nothing announces
	}
	return language, string(b), true
}

// closingBrace is where the block ends that a brace opens.
func closingBrace(text string, open int) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// Read is the language and the text by which a file's names are read: of a notebook the code of its cells, each line on
// the line of the file that it stands on.
func Read(path string, data []byte) (language, text string) {
	if isNotebook(path) {
		if nb, ok := parseNotebook(data); ok {
			return nb.language(), nb.code(data)
		}
	}
	return Language(path, data[:min(len(data), headSize)]), Text(data)
}

func isNotebook(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".ipynb") }

// code lays out the code of a notebook. Where a cell is one string, its lines stand on those behind it, as far as they
// are free.
func (nb *notebook) code(data []byte) string {
	lines := make([]string, bytes.Count(data, []byte("\n"))+1)
	next := 1
	for _, c := range nb.cells(data) {
		if c.language == "markdown" {
			continue
		}
		for i, l := range c.lines {
			at := max(c.numbers[min(i, len(c.numbers)-1)], next)
			for at > len(lines) {
				lines = append(lines, "")
			}
			if strings.HasPrefix(l, "%") || strings.HasPrefix(l, "!") {
				l = "" // an order to the notebook
			}
			lines[at-1], next = l, at+1
		}
	}
	return strings.Join(lines, "\n")
}

// parseNotebook reads a notebook; ok is false for what is none.
func parseNotebook(data []byte) (nb notebook, ok bool) {
	return nb, json.Unmarshal(data, &nb) == nil && nb.Cells != nil
}
