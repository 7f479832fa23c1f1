package find

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/search"
	"searchmcp/engine/store"
	"searchmcp/engine/symbol"
)

// Reader is what is asked of the text index: a store's view.
type Reader interface {
	// Holding lists the rows of code that hold a name; see store.View.
	Holding(ctx context.Context, name string, defined bool) (rows []store.Row, ok bool, err error)
	// Like lists words of names that one may stand for, and the rows that define them.
	Like(ctx context.Context, name string, limit int) (words []string, rows []store.Row, err error)
	// Paths returns the committed paths of a corpus, sorted.
	Paths(corpus api.Corpus) []string
}

// Request is a question to one project.
type Request struct {
	Query     api.SymbolQuery
	Documents symbol.Documents
	// Read returns a file as it is now; ok is false for one that is gone or may not be read.
	Read func(path string) (data []byte, ok bool)
	// Allowed reports whether a path may be shown.
	Allowed func(path string) bool
	// Matches reports whether a path is one that Query.Path means; nil: all are.
	Matches func(path string) bool
}

// Limits of one question.
const (
	// readingTime is how long files are read once the first one was, less what asking the index took. The specification
	// asks for an answer within 50 ms.
	readingTime = 40 * time.Millisecond
	leastTime   = 10 * time.Millisecond // of it, whatever the index took
	// On a machine that is busy a few files of common size are read all the same, in three times the time: an answer
	// without any use helps nobody.
	leastFiles  = 6
	mostTime    = 3 * readingTime
	largeFile   = 100 << 10 // bytes; a parser takes 15 ms for them
	maxShown    = 20        // definitions in an answer
	maxLike     = 8         // names like the one asked for
	maxLikeRows = 40        // files read for them
	maxNear     = 20        // definitions to which files are near
)

// Find answers a question. Definitions come likeliest first, files with uses nearest to them first.
func Find(ctx context.Context, r Reader, req Request) (api.SymbolResults, error) {
	f := &finder{r: r, req: req, read: map[string]*file{}}
	defer f.close()
	f.scopes, f.name = split(req.Query.Name)
	if f.name == "" {
		return api.SymbolResults{}, api.ErrArgument("name", "the name of a function, type or variable")
	}
	began := time.Now()
	if err := f.holders(ctx); err != nil {
		return api.SymbolResults{}, err
	}
	f.spent = min(time.Since(began), readingTime-leastTime)
	read, err := f.narrow(ctx)
	if err == nil {
		err = f.readFiles(ctx, f.name, read)
	}
	if err != nil {
		return api.SymbolResults{}, err
	}
	out := api.SymbolResults{Unread: f.unread}
	candidates := f.candidates()
	if len(candidates) == 0 {
		return f.like(ctx, out)
	}
	asked, note := f.asked(candidates)
	if note != "" {
		out.Notes = append(out.Notes, note)
	}
	most := len(asked)
	if !req.Query.Complete {
		most = min(most, maxShown)
	}
	for _, i := range asked[:most] {
		out.Definitions = append(out.Definitions, shown(candidates[i]))
	}
	if req.Query.Uses {
		f.uses(ctx, candidates, asked, &out)
	}
	return out, nil
}

// split takes a name apart: "auth.Sessions#rotate" is rotate in Sessions in auth.
func split(name string) (scopes []string, last string) {
	name = strings.TrimSpace(name)
	name = strings.TrimSuffix(strings.TrimSuffix(name, "()"), "(")
	parts := strings.FieldsFunc(strings.ReplaceAll(name, "->", "."), func(r rune) bool {
		return strings.ContainsRune(".:#/\\ *&()", r)
	})
	if len(parts) == 0 {
		return nil, ""
	}
	last = strings.Trim(parts[len(parts)-1], "!?`$@'\"<>;,")
	return parts[:len(parts)-1], last
}

// finder is one question at work.
type finder struct {
	r      Reader
	req    Request
	scopes []string
	name   string

	queue   []holder
	defined int // of queue, from its front: files whose rows define the name
	unread  int

	read  map[string]*file
	kept  kept
	spent time.Duration // of readingTime, before the first file
	began time.Time     // the first file was read
	// prompt ends with readingTime, for files that take long; hurry ends it.
	prompt context.Context
	hurry  context.CancelFunc
}

// holder is a file that has the name, if the index is right.
type holder struct {
	path, language string
	defined        bool
	order          float64
}

// file is what was read of one.
type file struct {
	path, language string
	text           string
	split          []string // see lines
	symbol.File
}

// lines are those of the file's text.
func (f *file) lines() []string {
	if f.split == nil {
		f.split = strings.Split(f.text, "\n")
	}
	return f.split
}

// holders lists the files to read, the most promising first.
func (f *finder) holders(ctx context.Context) error {
	byPath := map[string]*holder{}
	add := func(rows []store.Row, defined bool) {
		for _, row := range rows {
			h := byPath[row.Path]
			if h == nil {
				h = &holder{path: row.Path, language: row.Language}
				byPath[row.Path] = h
			}
			h.defined = h.defined || defined
		}
	}
	rows, _, err := f.r.Holding(ctx, f.name, true)
	if err != nil {
		return err
	}
	add(rows, true)
	rows, ok, err := f.r.Holding(ctx, f.name, false) // fields are in no row's symbols
	if err != nil {
		return err
	}
	add(rows, false)
	if !ok { // too common or too long a word for the index: any file may have it
		for _, p := range f.r.Paths(api.CorpusCode) {
			if byPath[p] == nil {
				byPath[p] = &holder{path: p}
			}
		}
	}
	var near [][]string // the folders of definitions; whether other files may be shown is asked when they are read
	for _, p := range slices.Sorted(maps.Keys(byPath)) {
		switch h := byPath[p]; {
		case !h.defined:
		case !f.req.Allowed(p):
			delete(byPath, p)
		case len(near) < maxNear:
			near = append(near, strings.Split(path.Dir(p), "/"))
		}
	}
	for p, h := range byPath {
		if h.defined {
			h.order += 10
			f.defined++
		}
		if f.req.Matches != nil && f.req.Query.Path != "" && f.req.Matches(p) {
			h.order += 20
		}
		if search.IsTest(p) {
			h.order--
		}
		best, folders := 0.0, strings.Split(path.Dir(p), "/")
		for _, d := range near {
			best = max(best, nearness(folders, d))
		}
		h.order += best
		f.queue = append(f.queue, *h)
	}
	slices.SortFunc(f.queue, func(a, b holder) int {
		return cmp.Or(cmp.Compare(b.order, a.order), cmp.Compare(a.path, b.path))
	})
	return nil
}

// nearness is the share of folders with which two paths begin alike, below 1.
func nearness(a, b []string) float64 {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return 0.9 * float64(n) / float64(max(len(a), len(b)))
}

// candidates are all definitions of the name that were read, by path.
func (f *finder) candidates() []symbol.Candidate {
	var out []symbol.Candidate
	for _, file := range f.files() {
		for _, d := range file.Definitions {
			out = append(out, symbol.Candidate{Path: file.path, Language: file.language, Definition: d})
		}
	}
	return out
}

func (f *finder) files() []*file {
	out := make([]*file, 0, len(f.read))
	for _, h := range f.queue {
		if got := f.read[h.path]; got != nil {
			out = append(out, got)
		}
	}
	return out
}

// asked are the candidates that the question means, the likeliest first. Scopes are definitions as they are spelt; if
// there are none, files, folders and other spellings count as well. What a function defines for itself comes only where
// nothing else has the name.
func (f *finder) asked(all []symbol.Candidate) (indexes []int, note string) {
	matches := f.req.Matches
	if matches == nil {
		matches = func(string) bool { return true }
	}
	pick := func(scope func(*symbol.Candidate) bool, path func(string) bool) {
		for _, inner := range []bool{false, true} {
			for i := range all {
				if all[i].Inner == inner && scope(&all[i]) && path(all[i].Path) {
					indexes = append(indexes, i)
				}
			}
			if len(indexes) > 0 {
				return
			}
		}
	}
	any := func(*symbol.Candidate) bool { return true }
	for _, try := range []struct {
		scope func(*symbol.Candidate) bool
		path  func(string) bool
		note  string
	}{
		{f.spelt, matches, ""},
		{f.inScope, matches, ""},
		{any, matches, "Nothing of that name in " + strings.Join(f.scopes, ".") + "; elsewhere it is:"},
		{f.inScope, func(string) bool { return true }, "Not defined in " + f.req.Query.Path + "; elsewhere it is:"},
		{any, func(string) bool { return true }, "Defined elsewhere only:"},
	} {
		if pick(try.scope, try.path); len(indexes) > 0 {
			note = try.note
			break
		}
	}
	if line := f.req.Query.Line; line > 0 {
		there := slices.DeleteFunc(slices.Clone(indexes), func(i int) bool { return all[i].NameLine != line })
		if len(there) > 0 {
			indexes = there
		}
	}
	slices.SortStableFunc(indexes, func(a, b int) int {
		return cmp.Or(cmp.Compare(likelihood(&all[b]), likelihood(&all[a])), cmp.Compare(all[a].Path, all[b].Path),
			cmp.Compare(all[a].Line, all[b].Line))
	})
	return indexes, note
}

// spelt reports whether a definition stands in the scopes that were asked for, by definitions as they are spelt.
func (f *finder) spelt(c *symbol.Candidate) bool {
	scope := c.Scope
	for i := len(f.scopes) - 1; i >= 0; i-- {
		n := len(scope) - 1
		if n < 0 {
			return false
		}
		name, _, _ := strings.Cut(scope[n], "<")
		if name != f.scopes[i] && scope[n][strings.LastIndexAny(scope[n], ".:")+1:] != f.scopes[i] {
			return false
		}
		scope = scope[:n]
	}
	return true
}

// inScope reports whether a definition stands in the scopes that were asked for: definitions, files or folders.
func (f *finder) inScope(c *symbol.Candidate) bool {
	base, _, _ := strings.Cut(path.Base(c.Path), ".")
	for _, s := range f.scopes {
		ok := strings.EqualFold(s, base) || slices.Contains(strings.Split(path.Dir(c.Path), "/"), s)
		for _, in := range c.Scope {
			name, _, _ := strings.Cut(in, "<")
			ok = ok || strings.EqualFold(name, s) || strings.EqualFold(in[strings.LastIndexAny(in, ".:")+1:], s)
		}
		if !ok {
			return false
		}
	}
	return true
}

// likelihood orders definitions of one name: what others use before what only its file sees, code before tests and
// declarations.
func likelihood(c *symbol.Candidate) int {
	n := 0
	if search.IsTest(c.Path) {
		n -= 8
	}
	if c.Inner {
		n -= 4
	}
	switch path.Ext(c.Path) {
	case ".h", ".pyi", ".hpp":
		n--
	}
	if strings.HasSuffix(c.Path, ".d.ts") {
		n--
	}
	if c.Last > c.Line {
		n++
	}
	return n
}

func shown(c symbol.Candidate) api.SymbolDefinition {
	return api.SymbolDefinition{
		Name: strings.Join(append(slices.Clone(c.Scope), c.Name), "."), Kind: string(c.Kind), Path: c.Path,
		StartLine: c.Line, EndLine: c.Last, Line: c.NameLine, Column: c.Column + 1,
		Signature: c.Signature, Comment: c.Comment, Language: c.Language,
	}
}
