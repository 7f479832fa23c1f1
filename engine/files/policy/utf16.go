package policy

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

const leastUTF16 = 4

var (
	littleEndian = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	bigEndian    = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
)

// utf16Of returns the encoding of a UTF-16 file that begins with head, or nil for other files. Without a byte order
// mark, at least half of the characters must be ASCII.
func utf16Of(head []byte) encoding.Encoding {
	head = head[:min(len(head), headSize)]
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return littleEndian
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return bigEndian
	}
	if bytes.IndexByte(head, 0) < 0 {
		return nil
	}
	var nul [2]int
	for i, c := range head {
		if c == 0 {
			nul[i%2]++
		}
	}
	switch pairs := len(head) / 2; {
	case pairs < leastUTF16:
		return nil
	case nul[0] == 0 && 2*nul[1] >= pairs:
		return littleEndian
	case nul[1] == 0 && 2*nul[0] >= pairs:
		return bigEndian
	}
	return nil
}

// decodeUTF16 converts data to UTF-8. It returns false if data is invalid or looks binary.
func decodeUTF16(data []byte, from encoding.Encoding) ([]byte, bool) {
	if len(data)%2 != 0 {
		return nil, false
	}
	out, err := from.NewDecoder().Bytes(data)
	if err != nil || bytes.ContainsFunc(out, func(r rune) bool { return !inText(r) }) {
		return nil, false
	}
	return bytes.TrimPrefix(out, []byte("\ufeff")), true
}

// inText reports whether r may occur in text. Most control characters may not.
func inText(r rune) bool {
	switch {
	case r < ' ':
		return r >= '\t' && r <= '\r' || r == '\x1b'
	case r >= 0x7f && r < 0xa0:
		return r == 0x85 // NEL
	}
	return r != utf8.RuneError && r&0xfffe != 0xfffe && (r < 0xfdd0 || r > 0xfdef)
}
