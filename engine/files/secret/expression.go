package secret

import (
	"regexp"
	"sync"
)

// expression is a regular expression that is compiled when it is first used. Compiling all of them takes 15 ms and 6 MB
// in every process, and most processes read no files.
type expression struct{ re func() *regexp.Regexp }

// expressions contains the expressions of package variables.
var expressions []*expression

func lazily(text string) *expression {
	e := &expression{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
	expressions = append(expressions, e)
	return e
}

func (e *expression) Match(b []byte) bool              { return e.re().Match(b) }
func (e *expression) MatchString(s string) bool        { return e.re().MatchString(s) }
func (e *expression) Find(b []byte) []byte             { return e.re().Find(b) }
func (e *expression) FindSubmatch(b []byte) [][]byte   { return e.re().FindSubmatch(b) }
func (e *expression) FindSubmatchIndex(b []byte) []int { return e.re().FindSubmatchIndex(b) }
func (e *expression) ReplaceAll(b, replacement []byte) []byte {
	return e.re().ReplaceAll(b, replacement)
}
func (e *expression) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return e.re().FindAllSubmatchIndex(b, n)
}
