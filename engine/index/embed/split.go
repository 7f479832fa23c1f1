package embed

import (
	"unicode"
	"unicode/utf8"
)

// The kinds of character that identifier boundaries depend on.
const (
	kindOther = iota
	kindLower
	kindUpper
	kindDigit
)

func kindOf(r rune) int {
	switch {
	case r >= 'a' && r <= 'z':
		return kindLower
	case r >= 'A' && r <= 'Z':
		return kindUpper
	case r >= '0' && r <= '9':
		return kindDigit
	case r < utf8.RuneSelf:
		return kindOther
	case unicode.IsUpper(r):
		return kindUpper
	case unicode.IsLower(r):
		return kindLower
	}
	return kindOther
}

// AppendSplit appends s with its identifiers taken apart into words: parseHTTPHeader → parse HTTP Header, max_retry →
// max retry. The model has read prose; it knows the words, not their compounds.
func AppendSplit(dst []byte, s string) []byte {
	before := kindOther // of the character just written
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '_' {
			dst = append(dst, ' ')
			before = kindOther
			i += n
			continue
		}
		kind := kindOf(r)
		if kind == kindUpper && (before == kindLower || before == kindUpper && startsWord(s[i+n:])) {
			dst = append(dst, ' ')
		}
		dst = append(dst, s[i:i+n]...)
		before = kind
		i += n
	}
	return dst
}

// startsWord reports whether an upper-case letter followed by rest begins a word after an acronym: HTTPServer, but not
// the plural URLs.
func startsWord(rest string) bool {
	r, n := utf8.DecodeRuneInString(rest)
	if kindOf(r) != kindLower {
		return false
	}
	if r != 's' {
		return true
	}
	next, _ := utf8.DecodeRuneInString(rest[n:])
	return kindOf(next) == kindLower
}
