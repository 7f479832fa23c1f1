package policy

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// ignorePattern is one line of an ignore file (gitignore(5)).
type ignorePattern struct {
	negated bool
	dirOnly bool
	base    bool // no slash: compared with the last component
	literal string
	// rest is what follows the literal part from the first special character on; git starts it afresh there, so "a**/b"
	// crosses folders although no slash stands before its asterisks.
	rest   wildmatch
	wild   bool   // rest counts
	suffix string // of a name pattern "*suffix" without further special characters
	ends   bool   // suffix counts
}

// ignoreList is one ignore file's patterns.
type ignoreList struct {
	// up is the way from the file's folder down to the root ("sub/dir/") for files above or at another place than the
	// root.
	up string
	// down is the length of the file's folder's key with its slash, for files below the root.
	down     int
	patterns []ignorePattern
	fold     bool
}

// scope is a chain of lists in order of precedence.
type scope struct {
	list   *ignoreList
	parent *scope
}

// verdict is what ignore files say about a path.
type verdict int8

const (
	silent verdict = iota
	ignored
	included // by a negated pattern
)

// match returns the verdict of the last matching pattern of the first list that has one.
func (s *scope) match(key, base string, dir bool) verdict {
	for ; s != nil; s = s.parent {
		if v := s.list.match(key, base, dir); v != silent {
			return v
		}
	}
	return silent
}

func (l *ignoreList) match(key, base string, dir bool) verdict {
	name := key[l.down:]
	if l.up != "" {
		name = l.up + name
	}
	if l.fold {
		name, base = lower(name), lower(base)
	}
	for i := len(l.patterns) - 1; i >= 0; i-- {
		if p := &l.patterns[i]; p.match(name, base, dir) {
			if p.negated {
				return included
			}
			return ignored
		}
	}
	return silent
}

func (p *ignorePattern) match(name, base string, dir bool) bool {
	if p.dirOnly && !dir {
		return false
	}
	if p.base {
		name = base
	}
	if p.ends {
		return strings.HasSuffix(name, p.suffix)
	}
	if !p.wild {
		return name == p.literal
	}
	return strings.HasPrefix(name, p.literal) && p.rest.match(name[len(p.literal):])
}

// parseIgnore reads an ignore file as git does: a byte-order mark at the start is dropped, lines that begin with # are
// comments, trailing spaces go unless escaped, a line that can't match anything is left out.
func parseIgnore(data []byte, fold bool) []ignorePattern {
	text := strings.TrimPrefix(string(data), "\ufeff")
	var patterns []ignorePattern
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.TrimSuffix(line, "\r")
		if i := strings.IndexByte(line, 0); i >= 0 {
			line = line[:i]
		}
		if p, ok := parseLine(trimSpaces(line), fold); ok {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

func parseLine(line string, fold bool) (p ignorePattern, ok bool) {
	if !isASCII(line) && utf8.ValidString(line) {
		line = norm.NFC.String(line) // keys are
	}
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.dirOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return p, false
	}
	p.base = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	special := strings.IndexAny(line, `*?[\`)
	if special < 0 {
		special = len(line)
	}
	p.literal = line[:special]
	if fold {
		p.literal = lower(p.literal)
	}
	rest := line[special:]
	if rest == "" {
		return p, p.literal != ""
	}
	if p.base && special == 0 && rest[0] == '*' && !strings.ContainsAny(rest[1:], `*?[\`) {
		p.ends, p.suffix = true, rest[1:]
		if fold {
			p.suffix = lower(p.suffix)
		}
		return p, true
	}
	p.wild = true
	p.rest, ok = compileWild(rest, fold)
	return p, ok
}

// trimSpaces cuts trailing spaces that are not escaped.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
			if i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}
