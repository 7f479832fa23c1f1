package policy

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

const leastUTF16 = 4

// utf16Order returns the byte order of a UTF-16 file that begins with head, or nil for other files. If head has no byte
// order mark, at least half of the characters in its first 8 KB must be ASCII, because their NULs show the order.
func utf16Order(head []byte) binary.ByteOrder {
	head = head[:min(len(head), headSize)]
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return binary.LittleEndian
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return binary.BigEndian
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
		return binary.LittleEndian
	case nul[1] == 0 && 2*nul[0] >= pairs:
		return binary.BigEndian
	}
	return nil
}

// decodeUTF16 converts data from UTF-16 to UTF-8. It returns false if data is invalid or contains characters that don't
// occur in text.
func decodeUTF16(data []byte, order binary.ByteOrder) ([]byte, bool) {
	if len(data)%2 != 0 {
		return nil, false
	}
	out := make([]byte, 0, len(data)/2+len(data)/8)
	for i := 0; i < len(data); i += 2 {
		r := rune(order.Uint16(data[i:]))
		if utf16.IsSurrogate(r) {
			if i += 2; i == len(data) {
				return nil, false
			}
			r = utf16.DecodeRune(r, rune(order.Uint16(data[i:])))
		}
		if !inText(r) {
			return nil, false
		}
		if i > 0 || r != '\ufeff' {
			out = utf8.AppendRune(out, r)
		}
	}
	return out, true
}

// inText reports whether r may occur in text. Control characters except white space and escape, noncharacters and
// unpaired surrogates may not.
func inText(r rune) bool {
	switch {
	case r < ' ':
		return r >= '\t' && r <= '\r' || r == '\x1b'
	case r >= 0x7f && r < 0xa0:
		return r == 0x85 // NEL
	}
	return r != utf8.RuneError && r&0xfffe != 0xfffe && (r < 0xfdd0 || r > 0xfdef)
}
