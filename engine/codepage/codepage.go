// Package codepage reads text that is in none of Unicode's encodings.
//
// It owns the guess which of the older ones it is in. It must not know what is read, and has no goroutines and no
// locks.
package codepage

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// What a text has to show to be taken for one of an older encoding. A wrong guess gives letters that nobody searches
// for; no guess loses every word that is not ASCII.
const (
	leastKana = 0.1 // Japanese is never without kana
	// of the characters of a Chinese text are among the 3,755 of GB 2312's first level, or its punctuation
	leastCommon = 0.7
	mostForeign = 0.4 // of a text in a Latin alphabet are letters outside of ASCII
)

// Decode reads a text that is not UTF-8 as Shift-JIS, GBK or Windows-1252 (of which Latin-1 is a part), whichever it
// shows itself to be, and says which. Lines stay where they are: none of the three has a line's end within a character.
func Decode(text string) (decoded, name string, ok bool) {
	if strings.IndexByte(text, 0) >= 0 {
		return "", "", false
	}
	if s, ok := as(text, japanese.ShiftJIS); ok && kana(s) >= leastKana {
		return s, "Shift-JIS", true
	}
	if firstLevel(text) >= leastCommon {
		if s, ok := as(text, simplifiedchinese.GBK); ok {
			return s, "GBK", true
		}
	}
	foreign, letters := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 0xc0:
			foreign++
			letters++
		case c >= 0x80 && c < 0xa0 && strings.IndexByte("\x81\x8d\x8f\x90\x9d", c) >= 0:
			return "", "", false // nothing in Windows-1252
		case unicode.IsLetter(rune(c)):
			letters++
		}
	}
	if letters == 0 || float64(foreign) > mostForeign*float64(letters) {
		return "", "", false
	}
	decoded, ok = as(text, charmap.Windows1252)
	return decoded, "Windows-1252", ok
}

func as(text string, e encoding.Encoding) (string, bool) {
	s, err := e.NewDecoder().String(text)
	return s, err == nil && !strings.ContainsRune(s, utf8.RuneError)
}

// kana is the share of hiragana and full-width katakana among what is not ASCII.
func kana(s string) float64 {
	n, all := 0, 0
	for _, r := range s {
		if r < utf8.RuneSelf {
			continue
		}
		if all++; r < 0xff00 && unicode.In(r, unicode.Hiragana, unicode.Katakana) {
			n++
		}
	}
	return float64(n) / float64(max(1, all))
}

// firstLevel is the share of GB 2312's punctuation and first level among the pairs of bytes that begin outside of
// ASCII.
func firstLevel(s string) float64 {
	n, all := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] < utf8.RuneSelf {
			continue
		}
		all++
		if i+1 < len(s) {
			if s[i+1] >= 0xa1 && (s[i] >= 0xb0 && s[i] <= 0xd7 || s[i] >= 0xa1 && s[i] <= 0xa3) {
				n++
			}
			i++
		}
	}
	return float64(n) / float64(max(1, all))
}
