package highlight

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// Terms is what of a question is marked: the stems of its words, of the parts of identifiers too. The zero Terms mark
// nothing.
type Terms struct {
	stems  map[string]bool
	common map[string]bool // marked in an identifier that has one of stems
	name   string          // marked as it is, in place of stems
}

// Name marks a name as it is spelt, of a qualified one the last part, where it is no part of a longer one.
func Name(name string) Terms { return Terms{name: name[strings.LastIndexAny(name, ".:/#")+1:]} }

// Question reads a question. Words that stand in every English sentence are marked only if there are no others. forms
// are what an answer says was looked for as well (api.Results.Forms).
func Question(question string, forms ...string) Terms {
	content, all := map[string]bool{}, map[string]bool{}
	each(question, func(_, _ int, word string) {
		all[english.Stem(word, false)] = true
		if len(word) > 1 && !common(word) {
			content[english.Stem(word, false)] = true
		}
	})
	if len(content) == 0 {
		content = all
	}
	for _, f := range forms {
		if len(f) > 2 && !common(f) {
			content[english.Stem(f, false)] = true
		}
	}
	return Terms{stems: content, common: all}
}

// common reports a word that stands in every text.
func common(word string) bool { return english.IsStopWord(word) || asking[word] }

// asking is what questions have beside stop words.
var asking = map[string]bool{
	"how": true, "what": true, "where": true, "when": true, "why": true, "which": true, "who": true, "does": true,
	"do": true, "is": true, "are": true, "find": true, "show": true, "explain": true, "get": true,
	"set": true, "make": true, "done": true, "happen": true, "happens": true, "work": true, "works": true,
	"use": true, "used": true, "using": true, "code": true, "file": true, "function": true, "into": true,
	"wie": true, "was": true, "wo": true, "wann": true, "warum": true, "welche": true, "wer": true, "wird": true,
	"werden": true, "der": true, "die": true, "das": true, "den": true, "dem": true, "ein": true, "eine": true,
	"einen": true, "einer": true, "und": true, "oder": true, "ist": true, "sind": true, "mit": true, "von": true,
	"im": true, "zu": true, "nach": true, "bei": true, "nicht": true,
}

// Share is how many of the stems a text has, from 0 to 1.
func (t Terms) Share(text string) float64 {
	there := map[string]bool{}
	each(text, func(_, _ int, word string) {
		if stem := english.Stem(word, false); t.stems[stem] {
			there[stem] = true
		}
	})
	return float64(len(there)) / float64(max(1, len(t.stems)))
}

// In finds the terms in a text: pairs of first and end, in bytes, in order and not overlapping.
func (t Terms) In(line string) [][2]int {
	var found [][2]int
	switch {
	case t.name != "":
		return spelt(line, t.name)
	case len(t.stems) == 0:
		return nil
	}
	var parts [][2]int // of one identifier, that may be marked
	sure, last := false, 0
	identifier := func() {
		for _, p := range parts {
			switch n := len(found); {
			case !sure:
			case n > 0 && found[n-1][1] == p[0]:
				found[n-1][1] = p[1]
			default:
				found = append(found, p)
			}
		}
		parts, sure = nil, false
	}
	each(line, func(first, end int, word string) {
		if between := line[last:first]; between != "" && between != "_" {
			identifier()
		}
		last = end
		if stem := english.Stem(word, false); t.stems[stem] || t.common[stem] {
			parts, sure = append(parts, [2]int{first, end}), sure || t.stems[stem]
		}
	})
	identifier()
	return found
}

// spelt finds a name where neither a letter nor a digit is beside it.
func spelt(line, name string) [][2]int {
	var found [][2]int
	for at := 0; ; {
		i := strings.Index(line[at:], name)
		if i < 0 {
			return found
		}
		first, end := at+i, at+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(line[:first])
		after, _ := utf8.DecodeRuneInString(line[end:])
		if !inName(before) && !inName(after) {
			found = append(found, [2]int{first, end})
		}
		at = end
	}
}

func inName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// each calls for every word of a text, in lower case: letters and digits together, split where camelCase begins anet.
func each(text string, call func(first, end int, word string)) {
	first := -1
	var before rune
	flush := func(end int) {
		if first >= 0 && end > first {
			call(first, end, strings.ToLower(text[first:end]))
		}
		first = -1
	}
	for at, r := range text {
		inWord := unicode.IsLetter(r) || unicode.IsDigit(r)
		switch {
		case !inWord:
			flush(at)
		case first < 0:
			first = at
		case unicode.IsUpper(r) && unicode.IsLower(before):
			flush(at)
			first = at
		case unicode.IsLower(r) && unicode.IsUpper(before):
			// HTTPServer: the last capital begins the next word.
			if start := at - len(string(before)); start > first {
				flush(start)
				first = start
			}
		}
		before = r
	}
	flush(len(text))
}
