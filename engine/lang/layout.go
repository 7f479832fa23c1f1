package lang

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// Definition matches a line that defines the name in its first group.
type Definition struct {
	Line   *Pattern
	Symbol bool // if false, only a scope, such as a key of a data file
}

// Member finds names defined in a block, such as record fields. The first group of Line is the name.
type Member struct {
	// In, if not nil, must match the line or the first line of the enclosing block. If In matches the line, the other
	// patterns apply to the text after the match.
	In *Pattern
	// Where, if not nil, must match the line, too. If a group of Where matches, Line applies only to the group's text.
	Where  *Pattern
	Except *Pattern // if not nil, lines that match are skipped
	Line   *Pattern
}

// Pattern is a regular expression that is compiled on first use.
type Pattern struct{ get func() compiled }

type compiled struct {
	*regexp.Regexp
	needs []string // see needs
}

// within returns the regular expression, or nil if s contains none of the strings in every match. Searching for strings
// is faster.
func (p *Pattern) within(s string) *regexp.Regexp {
	c := p.get()
	if c.needs == nil || slices.ContainsFunc(c.needs, func(n string) bool { return strings.Contains(s, n) }) {
		return c.Regexp
	}
	return nil
}

// MatchString reports whether s matches. A nil Pattern matches nothing.
func (p *Pattern) MatchString(s string) bool { return p.FindStringSubmatchIndex(s) != nil }

func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	if p == nil {
		return nil
	}
	if e := p.within(s); e != nil {
		return e.FindStringSubmatchIndex(s)
	}
	return nil
}

// FindAllStringSubmatchIndex is like the method of regexp.Regexp, without a limit.
func (p *Pattern) FindAllStringSubmatchIndex(s string) [][]int {
	if e := p.within(s); e != nil {
		return e.FindAllStringSubmatchIndex(s, -1)
	}
	return nil
}

// Group returns the offsets of the first group that matched and of all later ones. m are the offsets of a match.
func Group(m []int) []int {
	for g := 2; g < len(m); g += 2 {
		if m[g] >= 0 {
			return m[g:]
		}
	}
	return nil
}

// re returns a Pattern for the expression s, or nil if s is empty.
func re(s string) *Pattern {
	if s == "" {
		return nil
	}
	return &Pattern{sync.OnceValue(func() compiled {
		e := unicodeWords(s)
		parsed, err := syntax.Parse(e, syntax.Perl)
		if err != nil {
			panic(err) // tables are part of the program, so this is a bug
		}
		return compiled{regexp.MustCompile(e), needs(parsed)}
	})}
}

// needs returns strings. Every match of e contains one of them.
func needs(e *syntax.Regexp) (best []string) {
	switch e.Op {
	case syntax.OpLiteral:
		if e.Flags&syntax.FoldCase == 0 {
			return []string{string(e.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needs(e.Sub[0])
	case syntax.OpConcat:
		for _, part := range e.Sub {
			if n := needs(part); n != nil && (best == nil || shortest(n) > shortest(best)) {
				best = n
			}
		}
	case syntax.OpAlternate:
		for _, part := range e.Sub {
			n := needs(part)
			if n == nil {
				return nil
			}
			best = append(best, n...)
		}
	}
	return best
}

func shortest(all []string) int {
	return len(slices.MinFunc(all, func(a, b string) int { return len(a) - len(b) }))
}

// class matches "[a-z]" or an escape such as "\w" in an expression.
var class = regexp.MustCompile(`\[(?:\\.|[^\\\]])*\]|\\.`)

var inClass = strings.NewReplacer(`\\`, `\\`, `\w`, `\pL\pM\pN_`, "A-Za-z", `\pL`, "a-z", `\p{Ll}\p{Lo}\p{Lm}`,
	"A-Z", `\p{Lu}\p{Lt}\p{Lo}`)

// unicodeWords extends \w, A-Z and a-z in an expression to the letters of all alphabets.
func unicodeWords(s string) string {
	return class.ReplaceAllStringFunc(s, func(part string) string {
		if part == `\w` {
			part = `[\w]`
		}
		if part[0] == '[' {
			return inClass.Replace(part)
		}
		return part
	})
}
