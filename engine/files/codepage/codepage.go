// Package codepage detects the encoding of text that is not UTF-8, and decodes such text. It must not depend on the
// source of the text. It has no goroutines and no locks.
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

// Confidences of the detector are percentages.
const (
	least       = 20       // minimum confidence of a guess; low, because the detector expects longer text than comments
	likely      = 50       // minimum confidence at which errors are rare
	enough      = 8        // minimum number of different letters for a sure guess of Japanese or Korean
	near        = 10       // a guess within this distance of the best confidence is also plausible
	sure        = 80       // minimum confidence at which the number of non-ASCII letters is ignored
	mostForeign = 0.4      // maximum fraction of non-ASCII letters in a Latin text
	fewLetters  = 2 << 10  // minimum bytes passed to the detector
	mostLooked  = 64 << 10 // maximum bytes passed to the detector
)

var names = map[string]string{"gb18030": "GBK", "iso-8859-1": "Windows-1252", "windows-1252": "Windows-1252",
	"shift_jis": "Shift-JIS", "windows-1250": "Windows-1250", "windows-1251": "Windows-1251",
	"windows-1253": "Windows-1253", "windows-1254": "Windows-1254", "windows-1255": "Windows-1255"}

var wide = map[string]bool{"gb18030": true, "big5": true, "euc-jp": true, "euc-kr": true, "shift_jis": true}

type Guess struct {
	Text, Name string
	Ambiguous  bool // another encoding is plausible
}

// Decode detects the encoding of text and decodes it, preserving line numbers. ok is false if text is UTF-8 or binary,
// or if its encoding is unknown.
func Decode(text string) (g Guess, ok bool) {
	if strings.IndexByte(text, 0) >= 0 || MostlyUTF8(text) {
		return Guess{}, false
	}
	lines, words := foreign(text)
	high, letters := count(words)
	few := float64(high) <= mostForeign*float64(letters)
	best, confidence := "", 0
	others, apart := map[string]int{}, isolated(lines)
	consider := func(sample string, isWide bool) {
		found, err := chardet.NewTextDetector().DetectAll([]byte(sample))
		if err != nil {
			return
		}
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
			case signed[label]: // Japanese or Korean is unlikely without kana or hangul
				r.Confidence = min(r.Confidence, least)
			case isWide && r.Confidence < least && common(s, label):
				r.Confidence = least
			case !isWide && capitals(s):
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
	// The detector needs eleven common letters of a language, so short comments are repeated.
	consider(strings.Repeat(lines, 1+fewLetters/max(1, len(lines))), true)
	if confidence < certain {
		consider(words, false)
	}
	if few && !latin[best] && confidence < sure {
		best, confidence = "windows-1252", 0
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
	case "euc-jp", "euc-kr": // a few Chinese letters may have the same bytes
		g.Ambiguous = len(slices.Compact(slices.Sorted(slices.Values([]rune(mine))))) < enough
	default:
		g.Ambiguous = latin[best] && (!few || confidence < least) || !latin[best] && confidence < likely
	}
	for label, c := range others {
		if s, _ := as(words, label); s != mine && (latin[best] && latin[label] || c > confidence-near) {
			g.Ambiguous = true
		}
	}
	return g, true
}

const certain = 100

var signed = map[string]bool{"euc-jp": true, "euc-kr": true, "shift_jis": true}

// isolated returns a function that reports whether most non-ASCII bytes of s have ASCII neighbors, as in "für".
func isolated(s string) func(label string) bool {
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

// isDistinctive reports whether s contains enough kana for Japanese or hangul for Korean.
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

// common reports whether s contains at least four common Chinese characters.
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
	seen := map[rune]bool{}
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

// capitals reports whether s has too many capital letters, as when KOI8-R is decoded as Windows-1251.
func capitals(s string) bool {
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

// MostlyUTF8 reports whether text has at least as many valid non-ASCII characters as invalid bytes.
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

// foreign returns the lines and the words with non-ASCII bytes.
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
