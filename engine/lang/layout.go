package lang

import (
	"regexp"
	"strings"
	"sync"
)

// Definition matches a line that defines the name in the first matched group.
type Definition struct {
	Line   *Pattern
	Symbol bool // if false, the name is only a place, such as a key of a data file
}

// Member matches names, such as record fields, that the lines of a block define after its first line. Line may match
// several times in a line. The name is in its first group.
type Member struct {
	// In, if not nil, must match the nearest line above with less indentation, or else the beginning of the line itself.
	// In the second case, Line is only searched after the match.
	In *Pattern
	// Where, if not nil, restricts Member to matching lines. Line is only searched before Until.
	Where *Pattern
	Until string
	Line  *Pattern
}

// Pattern is a regular expression that is compiled at first use.
type Pattern struct{ get func() *regexp.Regexp }

// MatchString is like regexp's. A nil Pattern matches nothing.
func (p *Pattern) MatchString(s string) bool { return p != nil && p.get().MatchString(s) }

// FindStringSubmatchIndex is regexp's.
func (p *Pattern) FindStringSubmatchIndex(s string) []int { return p.get().FindStringSubmatchIndex(s) }

// FindAllStringSubmatchIndex is regexp's.
func (p *Pattern) FindAllStringSubmatchIndex(s string) [][]int {
	return p.get().FindAllStringSubmatchIndex(s, -1)
}

// re returns the pattern of an expression, or nil if s is empty.
func re(s string) *Pattern {
	if s == "" {
		return nil
	}
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(unicodeWords(s)) })}
}

// unicodeWords extends \w, A-Z and a-z in an expression from ASCII to the letters of all alphabets.
func unicodeWords(s string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(s); {
		rest := s[i:]
		into, n := rest[:1], 1
		switch {
		case strings.HasPrefix(rest, `\w`):
			if into, n = `\pL\pM\pN_`, 2; !class {
				into = "[" + into + "]"
			}
		case rest[0] == '\\' && len(rest) > 1:
			into, n = rest[:2], 2
		case class && strings.HasPrefix(rest, "A-Za-z"):
			into, n = `\pL`, 6
		case class && strings.HasPrefix(rest, "a-z"):
			into, n = `\p{Ll}\p{Lo}\p{Lm}`, 3
		case class && strings.HasPrefix(rest, "A-Z"):
			into, n = `\p{Lu}\p{Lt}\p{Lo}`, 3
		case rest[0] == '[':
			class = true
		case rest[0] == ']':
			class = false
		}
		b.WriteString(into)
		i += n
	}
	return b.String()
}

// Fallback describes unknown languages and languages whose grammar failed.
func Fallback() *Language { return Of("fallback") }
