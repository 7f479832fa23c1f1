// Package glob matches paths with glob patterns in bounded time, and counts the typing errors in names. It expands
// braces itself, because package doublestar takes exponential time for many braces. The package must not access files.
// It starts no goroutines, and a Glob is immutable.
package glob

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// These limits bound the cost of matching a path.
const (
	MaxLength       = 1024     // bytes
	MaxAlternatives = 256      // "{a,b}/{c,d}" has 4 alternatives
	maxExpanded     = 16 << 10 // total size of the alternatives in bytes
)

const Meta = `*?[]{}\`

// Escape returns a pattern that matches only the string text.
func Escape(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(Meta, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

type Glob struct {
	alternatives []alternative
}

type alternative struct {
	pattern string
	all     bool // matches every path
	ends    bool // the pattern is "**/*" and a suffix, such as "**/*.go"
	suffix  string
}

var errTooMany = fmt.Errorf("its braces expand to more than %d alternatives", MaxAlternatives)

// Compile compiles a pattern. Its errors are texts for users.
func Compile(pattern string) (*Glob, error) {
	if len(pattern) > MaxLength {
		return nil, fmt.Errorf("it is longer than %d bytes", MaxLength)
	}
	if !doublestar.ValidatePattern(pattern) {
		return nil, doublestar.ErrBadPattern
	}
	expanded, err := expand(pattern)
	if err != nil {
		return nil, err
	}
	g := &Glob{}
	for _, p := range expanded {
		a := alternative{pattern: p, all: p == "**" || p == "**/*" || p == "**/**"}
		if rest, ok := strings.CutPrefix(p, "**/*"); ok && !strings.ContainsAny(rest, Meta+"/") {
			a.ends, a.suffix = true, rest
		}
		g.alternatives = append(g.alternatives, a)
	}
	return g, nil
}

func (g *Glob) Match(path string) bool {
	for i := range g.alternatives {
		if g.alternatives[i].match(path) {
			return true
		}
	}
	return false
}

func (g *Glob) All() bool {
	return slices.ContainsFunc(g.alternatives, func(a alternative) bool { return a.all })
}

func (a *alternative) match(path string) bool {
	switch {
	case a.all:
		return true
	case a.ends:
		return strings.HasSuffix(path, a.suffix)
	}
	return doublestar.MatchUnvalidated(a.pattern, path)
}

// expand replaces the pattern "{a,b}.go" by "a.go" and "b.go".
func expand(pattern string) ([]string, error) {
	done, open := []string{}, []string{pattern}
	size := 0
	for len(open) > 0 {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		first, parts, rest, err := cutBraces(p)
		if err != nil {
			return nil, err
		}
		if parts == nil {
			done = append(done, p)
			size += len(p)
		}
		for _, part := range slices.Backward(parts) {
			open = append(open, first+part+rest)
		}
		// Count equal alternatives too. They are removed at the end.
		if len(done)+len(open) > MaxAlternatives || size > maxExpanded {
			return nil, errTooMany
		}
	}
	slices.Sort(done)
	return slices.Compact(done), nil
}

var errBraces = errors.New("its braces are not closed")

// cutBraces splits p at its first braces: "a{b,c}d" into "a", the parts "b" and "c", and "d".
func cutBraces(p string) (first string, parts []string, rest string, err error) {
	depth, start, comma := 0, 0, 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '[':
			i = endOfClass(p, i)
		case '{':
			if depth++; depth == 1 {
				start, comma = i, i+1
			}
		case ',':
			if depth == 1 {
				parts = append(parts, p[comma:i])
				comma = i + 1
			}
		case '}':
			if depth--; depth == 0 {
				return p[:start], append(parts, p[comma:i]), p[i+1:], nil
			}
		}
	}
	if depth > 0 {
		return "", nil, "", errBraces
	}
	return p, nil, "", nil
}

// endOfClass returns the index of the ']' that ends the character class at i, or the last index of p.
func endOfClass(p string, i int) int {
	for i++; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case ']':
			return i
		}
	}
	return len(p) - 1
}
