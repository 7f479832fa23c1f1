package highlight

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// Terms are the words to mark in text, usually the stems of a query's words. The zero Terms match nothing.
type Terms struct {
	stems  map[string]bool
	common map[string]bool // matched only in identifiers that also contain a stem
	name   string          // matched literally, instead of stems
	re     *regexp.Regexp  // matched instead of stems
}

func Pattern(re *regexp.Regexp) Terms { return Terms{re: re} }

// Name returns Terms for the last part of a qualified name, such as "close" for "Session::close". Longer names do not
// match.
func Name(name string) Terms { return Terms{name: name[strings.LastIndexAny(name, ".:/#")+1:]} }

// Question returns Terms that match the words of a question and the word forms in forms (api.Results.Forms).
func Question(question string, forms ...string) Terms {
	content, all := map[string]bool{}, map[string]bool{}
	eachWord(question, func(_, _ int, word string) {
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

func common(word string) bool { return english.IsStopWord(word) || questionWords[word] }

// questionWords are common in questions and are not highlighted.
var questionWords = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq("how what where when why which who does do is are find show explain get set " +
		"make done happen happens work works use used using code file function into " +
		"wie was wo wann warum welche wer wird werden der die das den dem ein eine einen einer und oder ist sind mit " +
		"von im zu nach bei nicht") {
		set[word] = true
	}
	return set
}()

func (t Terms) Share(text string) float64 {
	there := map[string]bool{}
	eachWord(text, func(_, _ int, word string) {
		if stem := english.Stem(word, false); t.stems[stem] {
			there[stem] = true
		}
	})
	return float64(len(there)) / float64(max(1, len(t.stems)))
}

// In returns the byte ranges of the matches in line, in order and without overlap.
func (t Terms) In(line string) [][2]int {
	var found [][2]int
	switch {
	case t.re != nil:
		for _, m := range t.re.FindAllStringIndex(line, -1) {
			if m[0] < m[1] {
				found = append(found, [2]int(m))
			}
		}
		return found
	case t.name != "":
		return spelt(line, t.name)
	case len(t.stems) == 0:
		return nil
	}
	var parts [][2]int
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
	eachWord(line, func(first, end int, word string) {
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

// eachWord passes each word of text in lower case to call. "getName" contains two words.
func eachWord(text string, call func(first, end int, word string)) {
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
			// In "HTTPServer", the "S" begins the next word.
			if start := at - len(string(before)); start > first {
				flush(start)
				first = start
			}
		}
		before = r
	}
	flush(len(text))
}
