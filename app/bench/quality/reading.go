package quality

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"searchmcp/app/bench/quality/token"
)

// span is a stretch of a file's lines, both ends included.
type span struct{ first, last int }

// piece is a part of an answer: lines of a file that it prints, and a range that it names.
type piece struct {
	path    string
	printed map[int]bool
	named   span // zero: none
	upTo    int  // bytes of the answer until the piece has been read
	tokens  int  // the same in tokens
}

// Limits of what a reader takes a named range for, and what its calls cost, in lines and tokens.
const (
	maxNamed   = 150  // a longer range tells no place
	maxOpened  = 10   // ranges that are opened before the reader gives up
	perCall    = 100  // tokens around what a call returns
	searching  = 5000 // tokens of finding a place that the answer does not tell
	moreCalls  = 2    // calls of finding it
	around     = 3    // lines before and behind a relevant line
	readEnough = 4    // of these and itself that have to be printed
)

// reading is what an answer tells of one question's places.
type reading struct {
	told, read [len(Limits)]bool // within so many tokens
	first      bool              // told when the first result has been read
	toldAtAll  bool
	readAtAll  bool
	answer     int // tokens of all of it
	calls      int // until the place is read
	tokens     int // the same
}

// Limits are the tokens within which a place is to be told.
var Limits = [...]int{500, 1000, 1500}

// readBy reads an answer as a fixed reader does: all of it, then the ranges that it names, in their order, until one of
// the places has been seen with the lines around it.
func (x *Index) readBy(q Question, answer []byte) (r reading, err error) {
	pieces, err := x.pieces(answer)
	if err != nil {
		return r, fmt.Errorf("read answer: %w", err)
	}
	if r.answer, err = tokens(string(answer)); err != nil {
		return r, err
	}
	seen := map[string]map[int]bool{}
	for i, p := range pieces {
		x.see(seen, p.path, p.printed)
		told, read := x.tells(q, p), x.isRead(q, seen)
		r.toldAtAll, r.readAtAll = r.toldAtAll || told, r.readAtAll || read
		r.first = r.first || told && i == 0
		for n, limit := range Limits {
			r.told[n] = r.told[n] || told && p.tokens <= limit
			r.read[n] = r.read[n] || read && p.tokens <= limit
		}
	}
	r.calls, r.tokens = 1, r.answer
	opened := 0
	for _, p := range pieces {
		if x.isRead(q, seen) {
			return r, nil
		}
		if p.named == (span{}) || opened == maxOpened {
			continue
		}
		text, lines := x.stretch(p.path, p.named, seen[p.path])
		if text == "" {
			continue // all of it has been printed
		}
		n, err := tokens(text)
		if err != nil {
			return r, err
		}
		opened++
		r.calls++
		r.tokens += perCall + n
		x.see(seen, p.path, lines)
	}
	if !x.isRead(q, seen) {
		r.calls += moreCalls
		r.tokens += searching
	}
	return r, nil
}

func (x *Index) see(seen map[string]map[int]bool, path string, lines map[int]bool) {
	if seen[path] == nil {
		seen[path] = map[int]bool{}
	}
	for n := range lines {
		seen[path][n] = true
	}
}

// stretch is a range's text and its lines; nothing where all of them have been seen.
func (x *Index) stretch(path string, s span, seen map[int]bool) (text string, lines map[int]bool) {
	all := x.split(path)
	lines = map[int]bool{}
	fresh := false
	var b strings.Builder
	for n := max(1, s.first); n <= min(s.last, len(all)); n++ {
		lines[n], fresh = true, fresh || !seen[n]
		b.WriteString(all[n-1] + "\n")
	}
	if !fresh {
		return "", nil
	}
	return b.String(), lines
}

// tells reports whether a piece prints a relevant line, or names a range that is short enough to look for it in.
func (x *Index) tells(q Question, p piece) bool {
	for _, t := range q.Answer {
		if t.Path != p.path {
			continue
		}
		for _, n := range t.lines(x.files[t.Path]) {
			if p.printed[n] || p.named.first <= n && n <= p.named.last && p.named.last-p.named.first < maxNamed {
				return true
			}
		}
	}
	return false
}

// isRead reports whether a relevant line has been seen with enough of what is around it.
func (x *Index) isRead(q Question, seen map[string]map[int]bool) bool {
	for _, t := range q.Answer {
		last := len(x.split(t.Path))
		for _, at := range t.lines(x.files[t.Path]) {
			n, all := 0, 0
			for i := max(1, at-around); i <= min(last, at+around); i++ {
				all++
				if seen[t.Path][i] {
					n++
				}
			}
			if n >= min(readEnough, all) {
				return true
			}
		}
	}
	return false
}

// split is a file's lines.
func (x *Index) split(path string) []string {
	return strings.Split(strings.TrimSuffix(x.files[path], "\n"), "\n")
}

// placeText matches a place in a sentence of an answer: path:first-last, path:line.
var placeText = regexp.MustCompile(`^(\S+?):(\d+)(?:-(\d+))?(?:\s|$)`)

// pieces takes an answer of JSON apart, in the order in which it is read: objects with a path, and strings that begin
// with a place. What an object prints counts where the file really has it.
func (x *Index) pieces(answer []byte) ([]piece, error) {
	d := json.NewDecoder(bytes.NewReader(answer))
	var all []piece
	if err := x.walk(d, &all); err != nil {
		return nil, err
	}
	from, sum := 0, 0
	for i := range all {
		n, err := tokens(string(answer[from:all[i].upTo]))
		if err != nil {
			return nil, err
		}
		sum += n
		from, all[i].tokens = all[i].upTo, sum
	}
	return all, nil
}

func (x *Index) walk(d *json.Decoder, out *[]piece) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case string:
		if m := placeText.FindStringSubmatch(t); m != nil && x.files[m[1]] != "" {
			p := piece{path: m[1], upTo: int(d.InputOffset())}
			p.named.first, _ = strconv.Atoi(m[2]) // the expression matches digits
			if p.named.last, err = strconv.Atoi(m[3]); err != nil {
				p.named.last = p.named.first
			}
			*out = append(*out, p)
		}
	case json.Delim:
		if t == '[' {
			for d.More() {
				if err := x.walk(d, out); err != nil {
					return err
				}
			}
			_, err = d.Token()
			return err
		}
		return x.walkObject(d, out)
	}
	return nil
}

// walkObject reads an object, behind whose own piece those of its fields stand.
func (x *Index) walkObject(d *json.Decoder, out *[]piece) error {
	var fields struct {
		Path, Text         string
		StartLine, EndLine int
	}
	var inner []piece
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var into any
		switch name {
		case "path":
			into = &fields.Path
		case "text":
			into = &fields.Text
		case "startLine":
			into = &fields.StartLine
		case "endLine":
			into = &fields.EndLine
		}
		if into != nil {
			err = d.Decode(into)
		} else {
			err = x.walk(d, &inner)
		}
		if err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	if fields.Path != "" {
		*out = append(*out, piece{path: fields.Path, printed: x.printed(fields.Path, fields.Text, fields.StartLine),
			named: span{fields.StartLine, fields.EndLine}, upTo: int(d.InputOffset())})
	}
	for _, p := range inner {
		if fields.Path != "" {
			p.upTo = int(d.InputOffset()) // what a result says beside its text is read with it
		}
		*out = append(*out, p)
	}
	return nil
}

// gap matches the mark of left out lines, which says the number of the next one.
var gap = regexp.MustCompile(`^…(\d+)$`)

// printed are the numbers of a text's lines, those that the file has: of a line that is cut, a part of it.
func (x *Index) printed(path, text string, first int) map[int]bool {
	file, lines := x.split(path), map[int]bool{}
	n := first
	for line := range strings.SplitSeq(text, "\n") {
		if m := gap.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			n, _ = strconv.Atoi(m[1])
			continue
		}
		if n >= 1 && n <= len(file) && holds(file[n-1], line) {
			lines[n] = true
		}
		n++
	}
	return lines
}

// holds reports whether a line shows a file's, whole or cut.
func holds(whole, shown string) bool {
	for part := range strings.SplitSeq(strings.TrimSpace(shown), "…") {
		if !strings.Contains(whole, strings.TrimSpace(part)) {
			return false
		}
	}
	return true
}

// counted remembers the tokens of texts: files and chunks are shown for many questions.
var counted sync.Map

func tokens(s string) (int, error) {
	if n, ok := counted.Load(s); ok {
		return n.(int), nil
	}
	n, err := token.Count(s)
	if err == nil {
		counted.Store(s, n)
	}
	return n, err
}
