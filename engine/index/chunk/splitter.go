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

// Parameters of the splitter for code (RFC 5.3) and for documents (RFC 3.2.1).
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

// split cuts sp into overlapping windows with the RFC's recursive character splitter (5.3). A window has at most l.size
// characters. The next window begins up to l.overlap characters before its end. Blank windows are omitted.
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

func (s *source) cut(start, end int, l limits) int {
	limit := advance(s.text, start, end, l.size)
	if limit == end {
		return end
	}
	least := advance(s.text, start, limit, max(l.size/2, l.overlap+1))
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

func (s *source) overlap(start, end int, l limits) int {
	from := retreat(s.text, start, end, l.overlap)
	if s.starts[s.lineAt(from)] == from {
		return from
	}
	if next := s.starts[s.lineAt(from)+1]; next < end {
		return next
	}
	for _, sep := range l.separators {
		if i := strings.Index(s.text[from:end], sep); i >= 0 && from+i+len(sep) < end {
			return from + i + len(sep)
		}
	}
	return from
}

func advance(text string, start, end, n int) int {
	if end-start <= n {
		return end
	}
	for ; n > 0 && start < end; n-- {
		_, size := utf8.DecodeRuneInString(text[start:end])
		start += size
	}
	return start
}

func retreat(text string, start, end, n int) int {
	for ; n > 0 && end > start; n-- {
		_, size := utf8.DecodeLastRuneInString(text[start:end])
		end -= size
	}
	return end
}
