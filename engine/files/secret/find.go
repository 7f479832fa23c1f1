package secret

import (
	"bytes"
	"cmp"
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

type Finding struct {
	Rule       string // e.g. "github-pat"
	Title      string
	Start, End int // byte span
}

// ErrTooMuch reports that a file has too many potential secrets to check. No part of the file may be shown.
var ErrTooMuch = errors.New("too many possible secrets to check the file")

// rule finds secrets near keywords with a regular expression.
type rule struct {
	id, title string
	expr      string  // the first group, or else the whole match, is the secret
	entropy   float64 // minimum entropy in bits per byte
	keywords  []string
	allow     []string // matches of these expressions are no secrets
	chosen    bool     // the secret must also look like a password
	// quick checks the text around a keyword before the expression runs. It may be nil.
	quick look

	once     sync.Once
	compiled *regexp.Regexp
	allowed  []*regexp.Regexp
	reach    int // maximum length of a match
}

// maxReach is the maximum number of bytes around a keyword that an expression scans.
const maxReach = 4096

func (r *rule) prepare() {
	r.once.Do(func() {
		r.compiled = regexp.MustCompile(r.expr)
		for _, a := range r.allow {
			r.allowed = append(r.allowed, regexp.MustCompile(a))
		}
		r.reach = maxReach
		if tree, err := syntax.Parse(r.expr, syntax.Perl); err == nil {
			r.reach = min(maxReach, longest(tree))
		}
	})
}

func longest(e *syntax.Regexp) int {
	sum := 0
	switch e.Op {
	case syntax.OpLiteral:
		return 4 * len(e.Rune)
	case syntax.OpCharClass:
		if n := len(e.Rune); n > 0 && e.Rune[n-1] < 0x80 {
			return 1
		}
		return 4
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 4
	case syntax.OpStar, syntax.OpPlus:
		return maxReach
	case syntax.OpRepeat:
		if e.Max < 0 {
			return maxReach
		}
		return min(maxReach, e.Max*longest(e.Sub[0]))
	case syntax.OpAlternate:
		for _, s := range e.Sub {
			sum = max(sum, longest(s))
		}
		return sum
	}
	for _, s := range e.Sub {
		sum += longest(s)
	}
	return min(maxReach, sum)
}

type tables struct {
	words *automaton
	uses  []use // indexed by keyword
}

type use struct {
	rules    []*rule
	services []*rule // for values of names such as "algolia"
	assign   class
	key      func(s *search, start, end int)
	cue      cue // how strongly the keyword suggests a password
	size     int // in bytes
}

var table = sync.OnceValue(func() *tables {
	var words []string
	number := map[string]int{}
	t := &tables{}
	word := func(w string) *use {
		n, ok := number[w]
		if !ok {
			n = len(words)
			number[w] = n
			words = append(words, w)
			t.uses = append(t.uses, use{size: len(w)})
		}
		return &t.uses[n]
	}
	f := tokenFormats()
	for _, r := range f.tokens {
		for _, k := range r.keywords {
			u := word(k)
			u.rules = append(u.rules, r)
		}
	}
	for _, r := range f.services {
		for _, k := range r.keywords {
			u := word(k)
			u.services = append(u.services, r)
		}
	}
	for _, p := range slices.Concat(places, keyPlaces) {
		for _, k := range p.words {
			word(k).key = p.find
		}
	}
	for _, k := range loginCues {
		word(k).cue = strongCue
	}
	for _, k := range cues {
		word(k).cue = weakCue
	}
	for name, c := range secretNames {
		word(name).assign = c
		if c == password || c == short && !endsInPass([]byte(name)) {
			word(name).cue = strongCue
		}
	}
	t.words = newAutomaton(words)
	return t
})

// place is a function that finds secrets after some words.
type place struct {
	words []string
	find  func(s *search, start, end int)
}

var places = []place{
	{calls, func(s *search, start, end int) { s.call(start, end, false) }},
	{keyCalls, func(s *search, start, end int) { s.call(start, end, true) }},
	{[]string{`", "`, `', '`}, (*search).laterArgument},
	{[]string{"appendchar", "for c in \"", "for c in '", "for ch in \"", "for ch in '", "char c : \"", "char ch : \"",
		"const c of \"", "const c of '", "const ch of \"", "const ch of '", "char in \""}, (*search).characters},
	{[]string{"base64", "b64", "btoa("}, (*search).encodes},
	{[]string{"basic "}, (*search).basic},
	{[]string{" / "}, (*search).slashed},
	{[]string{"users", "accounts", "logins"}, (*search).accounts},
	{[]string{"key"}, (*search).nestedKey},
}

type search struct {
	data     []byte
	key      string
	config   bool // configuration file
	prose    bool // text document
	text     bool // text in sentences
	found    []Finding
	pending  map[*rule]window
	keyEnd   int
	readEnd  int
	webEnd   int
	nearEnd  int // end of the last line that near checked
	nearCue  cue
	belowEnd [strongCue + 1]int // end of the last line that below checked, by cue
	budget   int                // bytes that expressions may still scan
}

type window struct{ lo, hi int }

// Expressions scan at most 0.7 bytes per byte of real code. At these limits, a hostile file of 1 MB takes half a
// second.
const (
	workBase    = 1 << 20 // bytes that all expressions together may scan in a small file
	workForByte = 6       // additional bytes per byte of the file
)

// Find returns the secrets in a file's bytes, in order and without overlaps. key is the file's path.
func Find(key string, data []byte) ([]Finding, error) {
	s := &search{data: data, key: key, config: configFile(key), prose: proseFile(key), text: textFile(key),
		budget: workBase + workForByte*len(data)}
	s.accountFile()
	t := table()
	t.words.scan(data, func(word, end int) {
		u := &t.uses[word]
		start := end - u.size
		for _, r := range u.rules {
			if r.quick == nil || r.quick(data, start, end) {
				s.look(r, start, end)
			}
		}
		if u.services != nil {
			s.service(u.services, start, end)
		}
		if u.cue != 0 {
			s.near(start, end, u.cue)
		}
		if u.assign != 0 {
			s.assigned(u.assign, start, end)
		}
		if u.key != nil {
			u.key(s, start, end)
		}
	})
	for r, w := range s.pending {
		s.run(r, w)
	}
	if s.budget < 0 {
		return nil, ErrTooMuch
	}
	if s.found = s.settle(); !s.prose {
		s.repeated()
	}
	return s.settle(), nil
}

func (s *search) repeated() {
	const shortest, most = 8, 20
	for _, f := range s.found[:min(len(s.found), most)] {
		value := s.data[f.Start:f.End]
		if len(value) < shortest || f.Rule == ruleKey || !random(value) && !signed.Match(value) {
			continue
		}
		for at := 0; ; {
			n := bytes.Index(s.data[at:], value)
			if n < 0 {
				break
			}
			start := at + n
			at = start + len(value)
			if start != f.Start && (start == 0 || !wordByte(s.data[start-1])) && (at == len(s.data) || !wordByte(s.data[at])) {
				s.add(f.Rule, f.Title, start, at)
			}
		}
	}
}

// linesAfter is the maximum number of lines from a keyword to the end of the secret.
const linesAfter = 3

func (s *search) around(start, end, reach int) window {
	w := window{max(0, start-reach), min(len(s.data), end+reach)}
	if line := bytes.LastIndexByte(s.data[w.lo:start], '\n'); line >= 0 {
		w.lo += bytes.LastIndexByte(s.data[w.lo:w.lo+line], '\n') + 1
	}
	at := end
	for range 1 + linesAfter {
		line := bytes.IndexByte(s.data[at:w.hi], '\n')
		if line < 0 {
			return w
		}
		at += line + 1
	}
	w.hi = at
	return w
}

func (s *search) look(r *rule, start, end int) {
	r.prepare()
	w := s.around(start, end, r.reach)
	old, ok := s.pending[r]
	switch {
	case !ok:
		if s.pending == nil {
			s.pending = map[*rule]window{}
		}
	case w.lo <= old.hi:
		w.lo = old.lo
	default:
		s.run(r, old)
	}
	s.pending[r] = w
}

func (s *search) run(r *rule, w window) {
	// Add the whole words at both ends, because expressions match at word boundaries.
	for n := 0; w.lo > 0 && n < 64 && wordByte(s.data[w.lo-1]); n++ {
		w.lo--
	}
	for n := 0; w.hi < len(s.data) && n < 64 && wordByte(s.data[w.hi]); n++ {
		w.hi++
	}
	if s.budget -= w.hi - w.lo; s.budget < 0 {
		return
	}
	text := s.data[w.lo:w.hi]
	for _, m := range r.compiled.FindAllSubmatchIndex(text, -1) {
		if m[0] == 0 && w.lo > 0 && wordByte(s.data[w.lo-1]) && wordByte(text[0]) ||
			m[1] == len(text) && w.hi < len(s.data) && wordByte(s.data[w.hi]) && m[1] > 0 && wordByte(text[m[1]-1]) {
			continue // the match may be longer
		}
		a, b := m[0], m[1]
		if g := slices.IndexFunc(m[2:], func(at int) bool { return at >= 0 }); g >= 0 {
			a, b = m[g+2], m[g+3]
		}
		if a < 0 || a == b {
			continue
		}
		found := text[a:b]
		excused := slices.ContainsFunc(r.allowed, func(a *regexp.Regexp) bool { return a.Match(found) })
		if r.entropy > 0 && entropy(found) <= r.entropy || excused || example(found) ||
			r.id == ruleHeader && exampleLogin(found) ||
			r.chosen && !s.chosen(found, certain(w.lo+a, w.lo+b)) {
			continue
		}
		s.add(r.id, r.title, w.lo+a, w.lo+b)
	}
}

func (s *search) add(id, title string, start, end int) {
	s.found = append(s.found, Finding{Rule: id, Title: title, Start: start, End: end})
}

// settle sorts the findings, merges overlapping findings, and drops findings with an allow comment.
func (s *search) settle() []Finding {
	if len(s.found) == 0 {
		return nil
	}
	slices.SortFunc(s.found, func(a, b Finding) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, rank(a.Rule)-rank(b.Rule), strings.Compare(a.Rule, b.Rule))
	})
	out := s.found[:0]
	for _, f := range s.found {
		if n := len(out); n > 0 && f.Start < out[n-1].End {
			last := &out[n-1]
			if rank(f.Rule) < rank(last.Rule) {
				last.Rule, last.Title = f.Rule, f.Title
			}
			last.End = max(last.End, f.End)
			continue
		}
		out = append(out, f)
	}
	if bytes.Contains(s.data, []byte("allow")) {
		out = slices.DeleteFunc(out, func(f Finding) bool { return allowed(s.data, f) })
	}
	return slices.DeleteFunc(out, func(f Finding) bool { return bytes.HasPrefix(s.data[f.Start:f.End], []byte(markOpen)) })
}

// rank returns a lower number for a more specific rule. Private keys come first.
func rank(id string) int {
	switch id {
	case ruleKey:
		return 0
	case rulePassword, ruleToken:
		return 2
	}
	return 1
}

// allowComments are comments that prevent redaction on their line and the next line.
var allowComments = [][]byte{[]byte("search-mcp:allow"), []byte("gitleaks:allow"), []byte("pragma: allowlist secret")}

func allowed(data []byte, f Finding) bool {
	from := lineStart(data, f.Start)
	if from > 0 {
		from = lineStart(data, from-1)
	}
	to := lineEnd(data, f.End)
	// Search near the secret only, because lines of minified files are long.
	lines := data[max(from, f.Start-2000):min(to, f.End+2000)]
	return slices.ContainsFunc(allowComments, func(c []byte) bool { return bytes.Contains(lines, c) })
}

func lineStart(data []byte, at int) int { return bytes.LastIndexByte(data[:at], '\n') + 1 }

func lineEnd(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(data)
}

func lineFrom(data []byte, at, n int) []byte {
	line, _, _ := bytes.Cut(upTo(data, at, n), []byte("\n"))
	return line
}

const (
	markOpen  = "«[secret: "
	markClose = "]»"
)

func Mark(title string) string { return markOpen + title + markClose }

// maxPasses limits how often Redact scans a file. Text next to a new marker may look like a secret, so Redact scans
// again.
const maxPasses = 8

type Redacted struct {
	Data     []byte // the original slice if the file has no secrets
	Found    int    // number of secrets
	KeyBytes int    // bytes of private keys
}

// Redact replaces each secret in a file's bytes with a marker. It keeps line breaks.
func Redact(key string, data []byte) (Redacted, error) {
	r := Redacted{Data: data}
	for range maxPasses {
		found, err := Find(key, r.Data)
		if err != nil {
			return Redacted{}, err
		}
		if len(found) == 0 {
			return r, nil
		}
		r.Found += len(found)
		for _, f := range found {
			if f.Rule == ruleKey {
				r.KeyBytes += f.End - f.Start
			}
		}
		r.Data = replace(r.Data, found)
	}
	return Redacted{}, ErrTooMuch
}

func replace(data []byte, found []Finding) []byte {
	out := make([]byte, 0, len(data)+32*len(found))
	at := 0
	for _, f := range found {
		out = append(out, data[at:f.Start]...)
		out = append(out, Mark(f.Title)...)
		for i := f.Start; i < f.End; i++ {
			if data[i] != '\n' {
				continue
			}
			if i > f.Start && data[i-1] == '\r' {
				out = append(out, '\r')
			}
			out = append(out, '\n')
		}
		at = f.End
	}
	return append(out, data[at:]...)
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// BlankMarkers replaces each marker in text with NUL, so that no pattern matches a marker.
func BlankMarkers(text string) string {
	if !strings.Contains(text, markOpen) {
		return text
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, markOpen)
		_, after, closed := strings.Cut(rest, markClose)
		if !ok || !closed {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before + "\x00")
		text = after
	}
}

// SpansInMarked converts spans of blank, which is BlankMarkers(line), to spans of line.
func SpansInMarked(line, blank string, spans [][]int) [][]int {
	at := make([]int, 0, len(blank)+1)
	n := 0
	for i := range len(blank) {
		at = append(at, n)
		if blank[i] != 0 {
			n++
		} else if end := strings.Index(line[n:], markClose); end >= 0 {
			n += end + len(markClose)
		}
	}
	at = append(at, n)
	out := make([][]int, len(spans))
	for i, s := range spans {
		out[i] = []int{at[s[0]], at[s[1]]}
	}
	return out
}
