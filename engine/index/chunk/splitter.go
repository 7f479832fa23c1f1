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

// spellings lists the forms of separators, which include line terminators other than LF.
var spellings = map[string][]string{
	"\n\n": {"\n\n", "\n\r\n", "\r\r"},
	"\n":   {"\n", "\r"},
}

// split cuts sp with the RFC's recursive character splitter (5.3). It cuts a window of at most size characters after
// the last occurrence of the first separator that leaves it at least half full. The next window begins up to overlap
// characters earlier, at the start of a line if possible. Spans of only white space are omitted.
func (s *source) split(sp span, l limits) []span {
	var out []span
	for at := sp.start; at < sp.end; {
		limit := advance(s.text, at, sp.end, l.size)
		if limit == sp.end {
			if !s.empty(span{at, limit}) {
				out = append(out, span{at, limit})
			}
			break
		}
		cut := s.cut(at, limit, l)
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

func (s *source) cut(at, limit int, l limits) int {
	least := advance(s.text, at, limit, max(l.size/2, l.overlap+1))
	window := s.text[least:limit]
	for _, sep := range l.separators {
		if sep == "" {
			break
		}
		forms := spellings[sep]
		if forms == nil {
			forms = []string{sep}
		}
		best := -1
		for _, f := range forms {
			if i := strings.LastIndex(window, f); i >= 0 && !s.insideCRLF(least+i+len(f)) {
				best = max(best, least+i+len(f))
			}
		}
		if best > 0 {
			return best
		}
	}
	if s.insideCRLF(limit) {
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
		if strings.TrimSpace(sep) == "" && sep != " " {
			continue
		}
		if i := strings.Index(s.text[from:cut], sep); i >= 0 && from+i+len(sep) < cut {
			return from + i + len(sep)
		}
	}
	return from
}

func (s *source) insideCRLF(at int) bool {
	return at > 0 && at < len(s.text) && s.text[at-1] == '\r' && s.text[at] == '\n'
}

// advance returns the offset n characters after at, but at most end.
func advance(text string, at, end, n int) int {
	if end-at <= n {
		return end
	}
	for ; n > 0 && at < end; n-- {
		if text[at] < utf8.RuneSelf {
			at++
			continue
		}
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
