package chunk

import (
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// limits are the parameters of the RFC's splitter, with sizes in characters.
type limits struct {
	size, overlap int
	separators    []string // tried in order; "" cuts between any two characters
}

// The RFC's parameters for code (5.3) and docs (3.2.1).
var (
	codeLimits = limits{4000, 800, []string{"\n\n", "\n", " ", ""}}
	docsLimits = limits{8000, 2000, []string{"\n\n", "\n", ". ", " ", ""}}
)

func limitsOf(c api.Corpus) limits {
	if c == api.CorpusDocs {
		return docsLimits
	}
	return codeLimits
}

// split cuts sp with the RFC's recursive character splitter (5.3). It cuts a window of at most size characters after
// the last occurrence of the first separator that leaves it at least half full. The next window begins up to overlap
// characters earlier, at the start of a line if possible. Spans of only white space are omitted.
func (s *source) split(sp span, l limits) []span {
	var out []span
	for at := sp.start; at < sp.end; {
		cut := s.cut(at, sp.end, l)
		if !s.empty(span{at, cut}) {
			out = append(out, span{at, cut})
		}
		if s.empty(span{cut, sp.end}) {
			break
		}
		at = s.overlap(at, cut, l)
	}
	return out
}

// cut returns the end of the window that begins at an offset, at most end.
func (s *source) cut(at, end int, l limits) int {
	limit := advance(s.text, at, end, l.size)
	if limit == end {
		return end
	}
	least := advance(s.text, at, limit, max(l.size/2, l.overlap+1))
	window := s.text[least:limit]
	for _, sep := range l.separators {
		i := strings.LastIndex(window, sep)
		if crlf := strings.LastIndex(window, "\n\r\n"); sep == "\n\n" && crlf >= 0 {
			i = max(i, crlf+1)
		}
		if sep != "" && i >= 0 {
			return least + i + len(sep)
		}
	}
	if s.text[limit-1] == '\r' && s.text[limit] == '\n' {
		return limit - 1
	}
	return limit
}

// overlap returns the start of the window after the window from at to cut.
func (s *source) overlap(at, cut int, l limits) int {
	from := retreat(s.text, at, cut, l.overlap)
	if s.starts[s.lineAt(from)] == from {
		return from
	}
	if next := s.starts[s.lineAt(from)+1]; next < cut {
		return next
	}
	for _, sep := range l.separators {
		if i := strings.Index(s.text[from:cut], sep); i >= 0 && from+i+len(sep) < cut {
			return from + i + len(sep)
		}
	}
	return from
}

// advance returns the offset n characters after at, but at most end.
func advance(text string, at, end, n int) int {
	if end-at <= n {
		return end
	}
	for ; n > 0 && at < end; n-- {
		_, size := utf8.DecodeRuneInString(text[at:end])
		at += size
	}
	return at
}

// retreat returns the offset n characters before at, but at least floor.
func retreat(text string, floor, at, n int) int {
	for ; n > 0 && at > floor; n-- {
		_, size := utf8.DecodeLastRuneInString(text[floor:at])
		at -= size
	}
	return at
}
