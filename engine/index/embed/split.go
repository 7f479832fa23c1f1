package embed

import (
	"unicode"
	"unicode/utf8"
)

const (
	kindOther = iota
	kindLower
	kindUpper
	kindDigit
)

var asciiKind = func() (kind [utf8.RuneSelf]uint8) {
	for c := range kind {
		switch {
		case c >= 'a' && c <= 'z':
			kind[c] = kindLower
		case c >= 'A' && c <= 'Z':
			kind[c] = kindUpper
		case c >= '0' && c <= '9':
			kind[c] = kindDigit
		}
	}
	return kind
}()

func kindOf(r rune) int {
	switch {
	case r >= 0 && r < utf8.RuneSelf:
		return int(asciiKind[r])
	case unicode.IsUpper(r):
		return kindUpper
	case unicode.IsLower(r):
		return kindLower
	}
	return kindOther
}

// AppendSplit appends s to dst, and splits identifiers into words: "parseHTTPHeader" → "parse HTTP Header".
func AppendSplit(dst []byte, s string) []byte {
	before := kindOther
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
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
		if n == 1 {
			dst = append(dst, s[i])
		} else {
			dst = append(dst, s[i:i+n]...)
		}
		before = kind
		i += n
	}
	return dst
}

// startsWord reports whether the capital letter before rest starts a word. In HTTPServer, the S does. In URLs, the L
// does not.
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
