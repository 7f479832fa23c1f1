package grep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"searchmcp/engine/api"
	"searchmcp/engine/files/secret"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
	"searchmcp/engine/search"
)

// Request is a query in one project.
type Request struct {
	Query api.GrepQuery
	Paths []string
	// Open returns a Read for one goroutine, and a function that closes the Read.
	Open func() (Read, func())
	// Around parses a file. The returned function finds the innermost declaration around a line: its qualified name and
	// its lines. Outside declarations, the name is empty.
	Around func(ctx context.Context, path string, data []byte) (func(line int) (name string, first, last int), error)
}

// Read returns a file's content with secrets masked. It returns nil if want returns false for the original bytes, or if
// the file is gone or may not be read.
type Read = func(path string, want func(raw []byte) bool) []byte

const inTurn = 32 // number of files that a goroutine takes from the list at a time

const (
	maxLine      = 240 // maximum length of a shown line in bytes
	leadingBytes = 80  // bytes shown before a match in a long line
	maxMarks     = 20  // maximum number of marked matches in a line
	hitsOfEach   = 5   // matches shown per file, if there are too many
	// declareTime limits the parsing of files with hits. The first parser starts in 90 ms, or ten times as long on a
	// busy computer.
	declareTime = 1500 * time.Millisecond
)

type pattern struct {
	re       *regexp.Regexp
	required literal // without strings if any line may match
}

// compile compiles a query's pattern. An invalid pattern is an INVALID_ARGUMENT error.
func compile(q api.GrepQuery) (*pattern, error) {
	typed := q.Pattern
	if typed == "" || len(typed) > api.MaxPattern {
		return nil, api.ErrArgument("pattern", fmt.Sprintf("a regular expression of 1 to %d bytes", api.MaxPattern))
	}
	oneLine := api.ErrArgument("pattern", "a pattern for one line: lines are matched one at a time")
	if strings.Contains(typed, "\n") {
		return nil, oneLine
	}
	if q.Literal {
		typed = regexp.QuoteMeta(typed)
	}
	flags := syntax.Perl
	if q.IgnoreCase {
		flags |= syntax.FoldCase
		typed = "(?i)" + typed
	}
	re, err := regexp.Compile(typed)
	if err != nil {
		message := err.Error()
		var bad *syntax.Error
		if errors.As(err, &bad) {
			message = bad.Code.String()
			if bad.Expr != "" && bad.Expr != typed {
				message += ": " + strings.TrimPrefix(bad.Expr, "(?i)")
			}
		}
		return nil, api.New(api.InvalidArgument, fmt.Sprintf("The pattern is not a valid regular expression: %s. "+
			"To search for this exact text, use -F in the terminal, or literal in a tool call.", message),
			"pattern: expected a regular expression: "+message, err)
	}
	tree, err := syntax.Parse(typed, flags)
	if err != nil {
		return nil, fmt.Errorf("parse pattern: %w", err)
	}
	p := &pattern{re: re, required: required(tree.Simplify())}
	if p.required.isNewline() {
		return nil, oneLine
	}
	return p, nil
}

func (p *pattern) want(raw []byte) bool {
	return len(p.required.any) == 0 || newScanner(p.required, raw).from(0) < len(raw)
}

type file struct {
	api.GrepFile
	order   int
	data    []byte
	matches []match
}

// match is a matching line, in which NUL replaces secrets.
type match struct {
	number int
	line   string
}

// Search returns every file with a matching line: code, then prose and data, tests, copies. Each group is in path
// order.
func Search(ctx context.Context, req Request) (api.GrepResults, error) {
	p, err := compile(req.Query)
	if err != nil {
		return api.GrepResults{}, err
	}
	out := api.GrepResults{Files: []api.GrepFile{}}
	var (
		mu       sync.Mutex
		found    []*file
		next     atomic.Int64
		searched atomic.Int64
		wg       sync.WaitGroup
	)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			read, done := req.Open()
			defer done()
			for {
				from := int(next.Add(inTurn)) - inTurn
				for i := from; i < from+inTurn; i++ {
					if i >= len(req.Paths) || ctx.Err() != nil {
						return
					}
					f, counts := p.search(req.Query, read, req.Paths[i])
					if counts {
						searched.Add(1)
					}
					if f != nil {
						mu.Lock()
						found = append(found, f)
						mu.Unlock()
					}
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return api.GrepResults{}, context.Cause(ctx)
	}
	slices.SortFunc(found, func(a, b *file) int {
		if a.order != b.order {
			return a.order - b.order
		}
		return strings.Compare(a.Path, b.Path)
	})
	out.Searched = int(searched.Load())
	for _, f := range found {
		out.Total += f.Total
	}
	truncate(found, out.Total, req.Query.Hits)
	if late := p.describe(ctx, req, found); late {
		out.Notes = append(out.Notes, "Some hits have no declaration: parsing their files took too long.")
	}
	for _, f := range found {
		out.Files = append(out.Files, f.GrepFile)
	}
	return out, nil
}

func (p *pattern) search(q api.GrepQuery, read Read, path string) (f *file, counts bool) {
	counts = q.Language == ""
	var raw []byte
	data := read(path, func(got []byte) bool {
		if q.Language != "" && lang.OfFile(path, got[:min(len(got), 512)]) != q.Language {
			return false
		}
		counts, raw = true, got
		return p.want(got)
	})
	if data == nil {
		return nil, counts
	}
	text := chunk.Decode(data)
	if len(data) != len(raw) || len(data) > 0 && &data[0] != &raw[0] { // secrets were masked
		text = secret.BlankMarkers(text)
	}
	kind, order := search.GrepKind(path)
	f = &file{GrepFile: api.GrepFile{Path: path, Kind: kind}, order: order, data: data}
	most := api.MaxGrepHits
	if q.Hits > 0 {
		most = min(most, q.Hits)
	}
	p.lines(text, func(number int, line []byte) {
		if f.Total++; f.Total <= most {
			f.matches = append(f.matches, match{number, string(line)})
		}
	})
	if f.Total == 0 {
		return nil, counts
	}
	return f, counts
}

func (p *pattern) lines(text string, found func(number int, line []byte)) {
	data := []byte(text)
	candidate := func(at int) int { return at }
	if len(p.required.any) > 0 {
		candidate = newScanner(p.required, data).from
	}
	number, counted := 1, 0
	for at := candidate(0); at < len(data); at = candidate(at) {
		start := bytes.LastIndexByte(data[:at], '\n') + 1
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i
		}
		line := bytes.TrimSuffix(data[start:end], []byte("\r"))
		if p.re.Match(line) {
			number += bytes.Count(data[counted:start], []byte("\n"))
			counted = start
			found(number, line)
		}
		if at = end + 1; at >= len(data) {
			return
		}
	}
}

func (p *pattern) hit(lines []string, m match, context int) api.GrepHit {
	number, line := m.number, m.line
	shown := strings.TrimSuffix(lines[number-1], "\r")
	spans := p.re.FindAllStringIndex(line, maxMarks)
	if shown != line {
		spans = secret.SpansInMarked(shown, line, spans)
	}
	h := api.GrepHit{Line: number, Column: spans[0][0] + 1}
	from, to := cut(shown, spans[0])
	h.Text = shown[from:to]
	lead := 0
	if from > 0 {
		h.Text, lead = "…"+h.Text, len("…")
	}
	if to < len(shown) {
		h.Text += "…"
	}
	for _, s := range spans {
		if a, b := max(s[0], from), min(s[1], to); a < b {
			h.Marks = append(h.Marks, [2]int{a - from + lead, b - from + lead})
		}
	}
	for i := max(1, number-context); i < number; i++ {
		h.Before = append(h.Before, short(lines[i-1]))
	}
	last := len(lines)
	if lines[last-1] == "" {
		last--
	}
	for i := number + 1; i <= min(last, number+context); i++ {
		h.After = append(h.After, short(lines[i-1]))
	}
	return h
}

// cut returns the displayed range of a line: the whole line or the bytes around a match.
func cut(line string, match []int) (from, to int) {
	if len(line) <= maxLine {
		return 0, len(line)
	}
	from = max(0, min(match[0]-leadingBytes, len(line)-maxLine))
	to = min(len(line), from+maxLine)
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to--
	}
	return from, to
}

func short(line string) string {
	line = strings.TrimSuffix(line, "\r")
	if _, to := cut(line, []int{0, 0}); to < len(line) {
		return line[:to] + "…"
	}
	return line
}

// truncate limits the number of matches. It first keeps a few matches of every file.
func truncate(found []*file, total, most int) {
	if most == 0 {
		most = api.MaxGrepHits
	}
	if total <= most {
		return
	}
	left := most
	keep := make([]int, len(found))
	for _, each := range []int{hitsOfEach, most} {
		for i, f := range found {
			n := min(each-keep[i], len(f.matches)-keep[i], left)
			if n > 0 {
				keep[i] += n
				left -= n
			}
		}
	}
	for i, f := range found {
		f.matches = f.matches[:keep[i]]
	}
}

// describe converts matches to hits and finds the declarations around them.
func (p *pattern) describe(ctx context.Context, req Request, found []*file) (late bool) {
	if req.Query.Hits > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, declareTime)
		defer cancel()
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, f := range found {
		if len(f.matches) == 0 {
			continue
		}
		g.Go(func() error {
			lines := strings.Split(chunk.Decode(f.data), "\n")
			for _, m := range f.matches {
				f.Hits = append(f.Hits, p.hit(lines, m, req.Query.Context))
			}
			around, err := req.Around(ctx, f.Path, f.data)
			if err != nil {
				return err
			}
			for n := range f.Hits {
				h := &f.Hits[n]
				h.In, h.StartLine, h.EndLine = around(h.Line)
			}
			return nil
		})
	}
	return g.Wait() != nil
}
