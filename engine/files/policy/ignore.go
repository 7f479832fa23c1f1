package policy

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

type ignorePattern struct {
	negated bool
	dirOnly bool
	base    bool // the pattern has no slash
	literal string
	// rest begins at the first wildcard of the pattern. Git matches this part separately, so "a**/b" matches "ax/y/b".
	rest   wildmatch
	suffix string // ".log" for the pattern "*.log"
	ends   bool
}

type ignoreList struct {
	// up is the path from the ignore file's folder to the root, such as "sub/dir/", if the folder is above the root.
	up string
	// down is the length of the folder's path below the root, such as 8 for "sub/dir/", or 0 above the root.
	down     int
	patterns []ignorePattern
	fold     bool
}

type scope struct {
	list   *ignoreList
	parent *scope
}

type verdict int8

const (
	silent verdict = iota
	ignored
	included // a negated pattern matches, such as "!keep.txt"
)

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
	if p.rest.ops == nil {
		return name == p.literal
	}
	return strings.HasPrefix(name, p.literal) && p.rest.match(name[len(p.literal):])
}

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
		line = norm.NFC.String(line) // keys are in NFC
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
	p.rest, ok = compileWild(rest, fold)
	return p, ok
}

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
