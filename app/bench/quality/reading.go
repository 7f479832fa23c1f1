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

// span is a range of lines from first to last, both included.
type span struct{ first, last int }

// piece is a part of an answer. It prints lines of a file and names a range of lines.
type piece struct {
	path    string
	printed map[int]bool
	named   span // the zero value is no range
	upTo    int  // bytes of the answer up to the end of the piece
	tokens  int  // tokens of the answer up to the end of the piece
}

// Parameters of the simulated assistant that reads an answer.
const (
	maxNamed   = 150  // lines; a longer range does not show a relevant line
	maxOpened  = 10   // ranges of an answer that are opened at most
	perCall    = 100  // additional tokens of each call
	searching  = 5000 // tokens to find a relevant line that the answer does not show
	moreCalls  = 2    // calls to find such a line
	around     = 3    // lines of context before and after a relevant line
	readEnough = 4    // lines, of a relevant line and its context, that have to be printed
)

// reading is the result of reading an answer. A relevant line is shown if the answer prints it or names a range with
// it, and read if it is printed with its context.
type reading struct {
	shown, read [len(Limits)]bool // within Limits[i] tokens
	first       bool              // shown by the first result
	shownAtAll  bool
	readAtAll   bool
	answer      int // tokens of the answer
	calls       int // calls until a relevant line is read
	tokens      int // tokens until a relevant line is read
}

// Limits are the numbers of tokens within which an answer should show a relevant line.
var Limits = [...]int{500, 1000, 1500}

// readBy simulates an assistant that reads the answer to q and then opens the ranges that the answer names, in their
// order, until it has read a relevant line with its context.
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
		shown, read := x.shows(q, p), x.isRead(q, seen)
		r.shownAtAll, r.readAtAll = r.shownAtAll || shown, r.readAtAll || read
		r.first = r.first || shown && i == 0
		for n, limit := range Limits {
			r.shown[n] = r.shown[n] || shown && p.tokens <= limit
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
			continue // the answer has printed the whole range
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

// stretch returns the text and the line numbers of a range, or "" and nil if all its lines are in seen.
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

// shows reports whether a piece prints a relevant line, or names a range of at most maxNamed lines with it.
func (x *Index) shows(q Question, p piece) bool {
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

// isRead reports whether seen contains a relevant line with its context, at least readEnough lines.
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

func (x *Index) split(path string) []string {
	return strings.Split(strings.TrimSuffix(x.files[path], "\n"), "\n")
}

// placeText matches a location at the beginning of a string: path:first-last or path:line.
var placeText = regexp.MustCompile(`^(\S+?):(\d+)(?:-(\d+))?(?:\s|$)`)

// pieces returns the pieces of a JSON answer in reading order, which are the objects with a path and the strings that
// begin with a location. A printed line counts only if it matches the line of the file.
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

// walkObject reads an object and appends its piece, followed by the pieces of its fields.
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
			p.upTo = int(d.InputOffset()) // a result is read as a whole
		}
		*out = append(*out, p)
	}
	return nil
}

// gap matches the mark of omitted lines, which contains the number of the next line.
var gap = regexp.MustCompile(`^…(\d+)$`)

// printed returns the numbers of the lines in text that match the lines of the file path. first is the number of the
// first line of text. A shortened line matches if the file's line contains its parts.
func (x *Index) printed(path, text string, first int) map[int]bool {
	file, lines := x.split(path), map[int]bool{}
	n := first
	for line := range strings.SplitSeq(text, "\n") {
		if m := gap.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			n, _ = strconv.Atoi(m[1])
			continue
		}
		if n >= 1 && n <= len(file) && matches(file[n-1], line) {
			lines[n] = true
		}
		n++
	}
	return lines
}

// matches reports whether a printed line, which may be shortened, is the line of the file.
func matches(line, printed string) bool {
	for part := range strings.SplitSeq(strings.TrimSpace(printed), "…") {
		if !strings.Contains(line, strings.TrimSpace(part)) {
			return false
		}
	}
	return true
}

// counted caches the numbers of tokens of texts, because the same chunks answer many questions.
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
