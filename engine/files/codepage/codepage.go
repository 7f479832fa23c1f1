// Package codepage reads text that is in none of Unicode's encodings.
//
// It owns the guess which of the older ones it is in. It must not know what is read, and has no goroutines and no
// locks.
package codepage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// A wrong guess gives letters that nobody searches for; no guess loses every word that is not ASCII, and is said.
const (
	least       = 20       // confidence of the detector, of 100; its statistics want more text than a comment has
	likely      = 50       // of which few texts are in another encoding, but for Latin alphabets
	enough      = 8        // different letters, in which no Chinese has the bytes of Korean alone
	near        = 10       // to the second best, which may as well be meant
	sure        = 80       // of which no count of letters makes it unlikely
	mostForeign = 0.4      // of a text in a Latin alphabet are letters outside of ASCII
	fewLetters  = 2 << 10  // bytes of a sample in which the detector finds letters enough
	mostLooked  = 64 << 10 // bytes that the detector is shown; more changes no answer
)

// names are those encodings that have a name of more use than the detector's.
var names = map[string]string{"gb18030": "GBK", "iso-8859-1": "Windows-1252", "windows-1252": "Windows-1252",
	"shift_jis": "Shift-JIS", "windows-1250": "Windows-1250", "windows-1251": "Windows-1251",
	"windows-1253": "Windows-1253", "windows-1254": "Windows-1254", "windows-1255": "Windows-1255"}

// wide are the encodings of several bytes a letter.
var wide = map[string]bool{"gb18030": true, "big5": true, "euc-jp": true, "euc-kr": true, "shift_jis": true}

// Guess is a text in the encoding that it was taken for.
type Guess struct {
	Text, Name string
	Unsure     bool // another encoding may be meant
}

// Decode reads a text that is not UTF-8 in the older encoding that it shows itself to be in, and says which. A text
// whose letters beyond ASCII are mostly valid UTF-8 is UTF-8 with errors, and is not decoded. Lines stay where they
// are: no encoding has a line's end within a character.
func Decode(text string) (g Guess, ok bool) {
	if strings.IndexByte(text, 0) >= 0 || MostlyUTF8(text) {
		return Guess{}, false
	}
	lines, words := foreign(text)
	high, letters := count(words)
	few := float64(high) <= mostForeign*float64(letters)
	best, confidence := "", 0
	others, apart := map[string]int{}, lone(lines)
	consider := func(sample string, isWide bool) {
		found, err := chardet.NewTextDetector().DetectAll([]byte(sample))
		if err != nil {
			return
		}
		// It answers from goroutines, in any order.
		slices.SortFunc(found, func(a, b chardet.Result) int { return strings.Compare(a.Charset, b.Charset) })
		for _, r := range found {
			label := strings.ToLower(r.Charset)
			s, fits := as(sample, label)
			if wide[label] != isWide || !fits || isWide && label != "shift_jis" && (few || apart(label)) {
				continue
			}
			switch {
			case isWide && isDistinctive(s, label):
				r.Confidence = certain
			case signed[label]: // without its signs a text is hardly of that language
				r.Confidence = min(r.Confidence, least)
			case isWide && r.Confidence < least && common(s, label):
				r.Confidence = least
			case !isWide && shouting(s):
				r.Confidence /= 2
			}
			if r.Confidence < least {
				continue
			}
			others[label] = r.Confidence
			if r.Confidence > confidence ||
				r.Confidence == confidence && (label == "windows-1251" || common(s, label)) {
				best, confidence = label, r.Confidence
			}
		}
	}
	// The detector counts letters that are common in a language from eleven on; repeated, a comment has as many.
	consider(strings.Repeat(lines, 1+fewLetters/max(1, len(lines))), true)
	if confidence < certain {
		consider(words, false)
	}
	if few && !latin[best] && confidence < sure {
		best, confidence = "windows-1252", 0 // few letters among those of ASCII
	}
	if best == "" {
		return Guess{}, false
	}
	if g.Text, ok = as(text, best); !ok {
		return Guess{}, false
	}
	if g.Name = names[best]; g.Name == "" {
		g.Name = strings.ToUpper(best)
	}
	mine, _ := as(words, best)
	switch best {
	case "euc-jp", "euc-kr": // a few letters of Chinese may have the same bytes
		g.Unsure = len(slices.Compact(slices.Sorted(slices.Values([]rune(mine))))) < enough
	default:
		g.Unsure = latin[best] && (!few || confidence < least) || !latin[best] && confidence < likely
	}
	for label, c := range others {
		if s, _ := as(words, label); s != mine && (latin[best] && latin[label] || c > confidence-near) {
			g.Unsure = true
		}
	}
	return g, true
}

// certain is the confidence in a text whose letters no other encoding would give.
const certain = 100

// signed are the encodings of languages that are never without signs of their own, as isDistinctive knows them.
var signed = map[string]bool{"euc-jp": true, "euc-kr": true, "shift_jis": true}

// lone reports of an encoding whether more than half of the bytes beyond ASCII stand alone, as letters of a Latin
// alphabet do. Those of two bytes stand side by side; Big5 has four in ten of its second ones in ASCII.
func lone(s string) func(label string) bool {
	all, pairs := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] < utf8.RuneSelf {
			continue
		}
		all++
		if i+1 < len(s) && s[i+1] >= utf8.RuneSelf {
			pairs++
			i++
		}
	}
	return func(label string) bool {
		return label == "big5" && pairs == 0 && all > 2 || label != "big5" && all > 2*pairs
	}
}

// isDistinctive reports whether what is not ASCII has the signs of Japanese (it is never without kana) or is all but
// Korean: a short text tells the detector nothing.
func isDistinctive(s, label string) bool {
	kana, hangul, all := 0, 0, 0
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			continue
		case r < 0xff00 && unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		}
		all++
	}
	if label == "euc-kr" {
		return 10*hangul >= 9*all && hangul > 1
	}
	return (label == "shift_jis" || label == "euc-jp") && 10*kana >= all && kana > 0
}

// common reports whether all letters of a Chinese text, four at least, are of the level of its standard that has those
// in use: the rows from which they are coded. Fewer letters may as well be a Russian word.
func common(s, label string) bool {
	first, last := byte(0xb0), byte(0xd7)
	switch label {
	case "big5":
		first, last = 0xa4, 0xc6
	case "gb18030":
	default:
		return false
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		return false
	}
	encoder := e.NewEncoder()
	seen := map[rune]bool{} // the text may be repeated
	for _, r := range s {
		if !unicode.Is(unicode.Han, r) || seen[r] {
			continue
		}
		seen[r] = true
		if b, err := encoder.String(string(r)); err != nil || b[0] < first || b[0] > last {
			return false
		}
	}
	return len(seen) >= 4
}

// shouting reports whether a text has capital letters and signs, one for two small letters and more: KOI8-R has
// capitals where Windows-1251 has small ones, and signs where others have letters.
func shouting(s string) bool {
	upper, lower := 0, 0
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
		case unicode.IsLower(r), unicode.Is(unicode.Lo, r):
			lower++
		default:
			upper++
		}
	}
	return 2*upper > lower
}

// latin are the encodings of Latin alphabets.
var latin = map[string]bool{"iso-8859-1": true, "windows-1252": true, "iso-8859-2": true, "windows-1250": true,
	"iso-8859-9": true, "windows-1254": true}

func as(text, label string) (string, bool) {
	var e encoding.Encoding = charmap.Windows1252
	if found, err := htmlindex.Get(label); err == nil {
		e = found
	}
	s, err := e.NewDecoder().String(text)
	return s, err == nil && !strings.ContainsFunc(s, func(r rune) bool {
		return r == utf8.RuneError || r >= 0x80 &&
			r < 0xa0
	})
}

// MostlyUTF8 reports whether at least as many letters beyond ASCII are valid UTF-8 as there are bytes that are not.
func MostlyUTF8(text string) bool {
	valid, invalid := 0, 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			invalid++
		case size > 1:
			valid++
		}
		i += size
	}
	return valid > 0 && valid >= invalid
}

// foreign are the lines and the words of a text that have bytes beyond ASCII: the code around them says nothing of the
// encoding, and is taken for English.
func foreign(text string) (lines, words string) {
	var l, w strings.Builder
	for line := range strings.Lines(text) {
		if l.Len() > mostLooked {
			break
		}
		if !beyond(line) {
			continue
		}
		l.WriteString(line)
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r < utf8.RuneSelf && !letter(byte(r)) }) {
			if beyond(word) {
				w.WriteString(word + " ")
			}
		}
	}
	return l.String(), w.String()
}

func beyond(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// count counts letters, and those beyond ASCII.
func count(words string) (high, letters int) {
	for i := range len(words) {
		switch c := words[i]; {
		case c >= utf8.RuneSelf:
			high++
			letters++
		case letter(c):
			letters++
		}
	}
	return high, letters
}
