package wordpiece

import (
	"unicode"
	"unicode/utf8"
)

const (
	classDrop  = iota
	classSpace // space, tab, line feed and carriage return
	classPunct // printable characters except letters and digits
	classWord
)

var asciiClass = func() (class [utf8.RuneSelf]byte) {
	for c := range class {
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			class[c] = classSpace
		case c < ' ' || c == 0x7f:
			class[c] = classDrop
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			class[c] = classWord
		default:
			class[c] = classPunct
		}
	}
	return class
}()

// isControl reports whether r is in the category Cc, Cf or Co. Since Go 1.25, unicode.Other also includes unassigned
// code points.
func isControl(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) }

// isPunct reports whether r is ASCII punctuation or in the category P, as in BERT.
func isPunct(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiClass[r] == classPunct
	}
	return unicode.Is(unicode.P, r)
}

// isChinese reports whether r is in a block of Chinese characters, as in BERT.
func isChinese(r rune) bool {
	switch {
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3400 && r <= 0x4DBF, r >= 0xF900 && r <= 0xFAFF:
		return true
	case r >= 0x20000 && r <= 0x2A6DF, r >= 0x2A700 && r <= 0x2B73F, r >= 0x2B740 && r <= 0x2B81F:
		return true
	case r >= 0x2B920 && r <= 0x2CEAF, r >= 0x2F800 && r <= 0x2FA1F: // as in the reference tokenizer; BERT has 0x2B820
		return true
	}
	return false
}
