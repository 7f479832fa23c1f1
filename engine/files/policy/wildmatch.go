package policy

import (
	"iter"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// wildmatch is a pattern of an ignore file (gitignore(5)), compiled into a nondeterministic automaton. Matching takes
// time proportional to the length of the pattern times the length of the name. A regexp.Regexp takes ten times as much
// memory, and an ignore file may have a million patterns.
type wildmatch struct {
	ops []wildOp
}

type wildOp struct {
	kind wildKind
	lit  byte
	set  *[4]uint64 // bytes of a bracket expression
}

type wildKind uint8

const (
	wildByte wildKind = iota
	wildAny           // "?": one byte except a slash
	wildSet           // "[...]": one byte except a slash
	wildStar          // "*": any bytes except slashes
	wildDeep          // "**": any bytes
	wildSkip          // may skip the "**/" that follows
)

// maxWildOps limits the operations in a pattern to far more than real patterns have. Git has no limit.
const maxWildOps = 1024

// compileWild compiles a pattern. ok is false for a pattern that never matches, because a bracket is not closed or the
// pattern ends with a backslash. If fold is set, names must be passed in lower case.
func compileWild(p string, fold bool) (w wildmatch, ok bool) {
	literal := func(c byte) wildOp {
		if fold && c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		return wildOp{kind: wildByte, lit: c}
	}
	for i := 0; i < len(p); {
		if len(w.ops) >= maxWildOps {
			return wildmatch{}, false
		}
		switch c := p[i]; c {
		case '?':
			w.ops = append(w.ops, wildOp{kind: wildAny})
			i++
		case '*':
			ops, next := compileStars(p, i)
			w.ops = append(w.ops, ops...)
			i = next
		case '[':
			set, next, ok := compileSet(p, i, fold)
			if !ok {
				return wildmatch{}, false
			}
			w.ops = append(w.ops, wildOp{kind: wildSet, set: set})
			i = next
		case '\\':
			if i+1 == len(p) {
				return wildmatch{}, false
			}
			w.ops = append(w.ops, literal(p[i+1]))
			i += 2
		default:
			w.ops = append(w.ops, literal(c))
			i++
		}
	}
	return w, true
}

// compileStars parses a run of asterisks at i. Between slashes, two or more asterisks match across folders.
func compileStars(p string, i int) ([]wildOp, int) {
	end := i
	for end < len(p) && p[end] == '*' {
		end++
	}
	if end-i > 1 && (i == 0 || p[i-1] == '/') {
		switch rest := p[end:]; {
		case rest == "", len(rest) > 1 && rest[0] == '\\' && rest[1] == '/':
			return []wildOp{{kind: wildDeep}}, end
		case rest[0] == '/':
			return []wildOp{{kind: wildSkip}, {kind: wildDeep}}, end
		}
	}
	return []wildOp{{kind: wildStar}}, end
}

func compileSet(p string, i int, fold bool) (set *[4]uint64, next int, ok bool) {
	set = new([4]uint64)
	add := func(lo, hi byte) {
		for c := int(lo); c <= int(hi); c++ {
			set[c>>6] |= 1 << (c & 63)
			if fold && c >= 'A' && c <= 'Z' {
				l := c + 'a' - 'A'
				set[l>>6] |= 1 << (l & 63)
			}
		}
	}
	i++
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	var prev byte // last single character, or 0 after a range or a class
	for first := true; ; first = false {
		if i >= len(p) {
			return nil, 0, false
		}
		c := p[i]
		if c == ']' && !first {
			break
		}
		switch {
		case c == '\\':
			i++
			if i >= len(p) {
				return nil, 0, false
			}
			c = p[i]
			add(c, c)
			prev = c
		case c == '-' && prev != 0 && i+1 < len(p) && p[i+1] != ']':
			i++
			if p[i] == '\\' {
				i++
				if i >= len(p) {
					return nil, 0, false
				}
			}
			add(prev, p[i])
			prev = 0
		case c == '[' && i+1 < len(p) && p[i+1] == ':':
			end := i + 2
			for end < len(p) && p[end] != ']' {
				end++
			}
			if end == len(p) {
				return nil, 0, false
			}
			if end == i+2 || p[end-1] != ':' {
				add('[', '[') // without ":]" a "[" is an ordinary character
				prev = '['
				break
			}
			name := p[i+2 : end-1]
			if !slices.Contains(charClasses, name) {
				return nil, 0, false
			}
			class := regexp.MustCompile("[[:" + name + ":]]")
			for b := range byte(utf8.RuneSelf) {
				if class.Match([]byte{b}) {
					add(b, b)
				}
			}
			if fold && name == "upper" {
				add('A', 'Z')
			}
			prev, i = 0, end
		default:
			add(c, c)
			prev = c
		}
		i++
	}
	if negated {
		for n := range set {
			set[n] = ^set[n]
		}
	}
	set['/'>>6] &^= 1 << ('/' & 63)
	return set, i + 1, true
}

// charClasses are git's POSIX classes, which contain only ASCII. Package regexp has others too.
var charClasses = strings.Fields("alnum alpha blank cntrl digit graph lower print punct space upper xdigit")

func (w *wildmatch) match(name string) bool {
	var space [2][maxWildOps/64 + 1]uint64
	live, next := positions(space[0][:len(w.ops)/64+1]), positions(space[1][:len(w.ops)/64+1])
	live.add(0)
	w.spread(live)
	for i := range len(name) {
		clear(next)
		alive := false
		for at := range live.all() {
			if at == len(w.ops) {
				break
			}
			stay, step := w.ops[at].take(name[i])
			if stay {
				next.add(at)
			}
			if step {
				next.add(at + 1)
			}
			alive = alive || stay || step
		}
		if !alive {
			return false
		}
		w.spread(next)
		live, next = next, live
	}
	return live.has(len(w.ops))
}

type positions []uint64

func (p positions) add(i int)      { p[i>>6] |= 1 << (i & 63) }
func (p positions) has(i int) bool { return p[i>>6]&(1<<(i&63)) != 0 }

func (p positions) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for n, word := range p {
			for ; word != 0; word &= word - 1 {
				if !yield(64*n + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// spread adds to live the positions in the pattern that are reachable without consuming a byte.
func (w *wildmatch) spread(live positions) {
	for at := range w.ops {
		if !live.has(at) {
			continue
		}
		switch w.ops[at].kind {
		case wildStar, wildDeep:
			live.add(at + 1)
		case wildSkip:
			live.add(at + 1)
			live.add(at + 3)
		}
	}
}

func (op *wildOp) take(c byte) (stay, step bool) {
	switch op.kind {
	case wildByte:
		return false, c == op.lit
	case wildAny:
		return false, c != '/'
	case wildSet:
		return false, op.set[c>>6]&(1<<(c&63)) != 0
	case wildStar:
		return c != '/', false
	case wildDeep:
		return true, false
	}
	return false, false
}
