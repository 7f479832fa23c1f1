package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// wildmatch is a pattern of an ignore file (gitignore(5)). Like git, it matches bytes and not characters.
type wildmatch struct{ expr *regexp.Regexp }

func (w wildmatch) match(name string) bool {
	if isASCII(name) {
		return w.expr.MatchString(name)
	}
	runes := make([]rune, len(name))
	for i := range runes {
		runes[i] = rune(name[i])
	}
	return w.expr.MatchString(string(runes))
}

// maxWild limits the characters of a pattern. Git has no limit.
const maxWild = 1024

// compileWild compiles a pattern. ok is false for an invalid pattern. If fold is set, names must be passed in lower
// case.
func compileWild(p string, fold bool) (w wildmatch, ok bool) {
	expr := []byte(`(?s)\A`)
	for i, n := 0, 0; i < len(p); i, n = i+1, n+1 {
		if n >= maxWild {
			return w, false
		}
		switch p[i] {
		case '?':
			expr = append(expr, `[^/]`...)
		case '*':
			stars, last := translateStars(p, i)
			expr, i = append(expr, stars...), last
		case '[':
			set, last, ok := translateSet(p, i, fold)
			if !ok {
				return w, false
			}
			expr, i = append(expr, set...), last
		case '\\':
			if i++; i == len(p) {
				return w, false
			}
			fallthrough
		default:
			c := p[i]
			if fold && c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			expr = fmt.Appendf(expr, `\x{%x}`, c)
		}
	}
	compiled, err := regexp.Compile(string(expr) + `\z`)
	return wildmatch{compiled}, err == nil
}

// translateStars translates the asterisks at i, and returns the offset of the last asterisk. Two or more asterisks
// between slashes match across folders.
func translateStars(p string, i int) (expr string, last int) {
	end := i
	for end < len(p) && p[end] == '*' {
		end++
	}
	if end-i > 1 && (i == 0 || p[i-1] == '/') {
		switch rest := p[end:]; {
		case rest == "", strings.HasPrefix(rest, `\/`):
			return `.*`, end - 1
		case rest[0] == '/':
			return `(?:.*/)?`, end
		}
	}
	return `[^/]*`, end - 1
}

// translateSet translates the character class at i, and returns the offset of its last byte.
func translateSet(p string, i int, fold bool) (expr string, last int, ok bool) {
	var set [256]bool
	add := func(lo, hi byte) {
		for c := int(lo); c <= int(hi); c++ {
			set[c] = true
			if fold && c >= 'A' && c <= 'Z' {
				set[c+'a'-'A'] = true
			}
		}
	}
	i++
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	var prev byte
	for first := true; i >= len(p) || first || p[i] != ']'; first, i = false, i+1 {
		if i >= len(p) {
			return "", 0, false
		}
		if strings.HasPrefix(p[i:], "[:") {
			name, _, closed := strings.Cut(p[i+2:], "]")
			if !closed {
				return "", 0, false
			}
			if class, ok := strings.CutSuffix(name, ":"); ok {
				if !slices.Contains(charClasses, class) {
					return "", 0, false
				}
				expr := regexp.MustCompile("[[:" + class + ":]]")
				for b := range byte(utf8.RuneSelf) {
					if expr.Match([]byte{b}) {
						add(b, b)
					}
				}
				prev, i = 0, i+2+len(name)
				continue
			}
		}
		between := p[i] == '-' && prev != 0 && i+1 < len(p) && p[i+1] != ']'
		if between {
			i++
		}
		if p[i] == '\\' {
			if i++; i == len(p) {
				return "", 0, false
			}
		}
		if between {
			add(prev, p[i])
			prev = 0
		} else {
			add(p[i], p[i])
			prev = p[i]
		}
	}
	others := []byte("[^/") // list the other bytes, because the list of matching bytes may be empty
	for c, found := range set {
		if found == negated {
			others = fmt.Appendf(others, `\x{%x}`, c)
		}
	}
	return string(others) + "]", i, true
}

// charClasses are git's POSIX classes, such as "digit" in [[:digit:]].
var charClasses = strings.Fields("alnum alpha blank cntrl digit graph lower print punct space upper xdigit")
