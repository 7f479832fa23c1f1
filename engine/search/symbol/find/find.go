package find

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
	"searchmcp/engine/search"
	"searchmcp/engine/search/symbol"
	"searchmcp/engine/store"
)

// Reader is the part of the text index that Find uses.
type Reader interface {
	// FilesWith returns the files that contain the names.
	FilesWith(ctx context.Context, n store.Names) (store.FileList, error)
	// Like returns words of the index that resemble a name, and the rows that define the words.
	Like(ctx context.Context, name string, limit int) (words []string, rows []store.Row, err error)
	// Paths returns the sorted paths of a corpus.
	Paths(corpus api.Corpus) []string
}

// Request is a query in one project.
type Request struct {
	Query     api.SymbolQuery
	Documents symbol.Documents
	// Open returns a Read for one goroutine, and a function that closes the Read.
	Open    func() (Read, func())
	Allowed func(path string) bool
	// Matches reports whether a path matches Query.Path. nil matches all paths.
	Matches func(path string) bool
}

// Read returns a file's content with secrets masked. It returns nil if want returns false for the original bytes, or if
// the file is gone or may not be read.
type Read = func(path string, want func(raw []byte) bool) []byte

const (
	// answerTime limits an answer, and listTime the listing of files with the name. Only busy computers need that long.
	answerTime  = 500 * time.Millisecond
	listTime    = answerTime / 3
	ratingTime  = answerTime / 5  // to judge uses after the limit; the remaining uses are possible uses
	spelledTime = answerTime / 10 // to search for other spellings of a name that has uses
	// commonTime limits the answer for a name without scopes in more than manyFiles files. It can't be complete anyway.
	commonTime = 100 * time.Millisecond
	manyFiles  = 300
	// maxRead and maxParsed limit the bytes that are read and parsed. Uses in an unparsed file are never certain.
	maxRead     = 10 << 20
	maxParsed   = 512 << 10
	maxDefiners = maxParsed / 2 // for files that define a name without scopes
	maxDefining = 50            // files with a definition that are parsed; 2.5 times as many as are shown
	maxShown    = 20
	maxLike     = 8
	maxLikeRows = 40 // maximum number of files read for similar names, or for each part of a name
	maxNear     = 20 // definitions near which files are read first
)

// Find returns the definitions of a name, the most likely first, and files with uses, the nearest to the definitions
// first.
func Find(ctx context.Context, r Reader, req Request) (api.SymbolResults, error) {
	f := &finder{r: r, req: req, began: time.Now(), read: map[string]*file{}, cache: map[string]*source{}}
	defer f.close()
	if _, f.name = f.nameIn(""); f.name == "" {
		return api.SymbolResults{}, api.ErrArgument("name", "the name of a function, type or variable")
	}
	f.tag = strings.Join(wordsOf(f.name), "-")
	if err := f.holders(ctx); err != nil {
		return api.SymbolResults{}, err
	}
	if err := f.readFiles(ctx, f.left()); err != nil {
		return api.SymbolResults{}, err
	}
	candidates := f.candidates()
	out := api.SymbolResults{}
	asked, note := f.asked(candidates)
	if note != "" {
		out.Notes = append(out.Notes, note)
	}
	u := newUsage(f, candidates, asked)
	if req.Query.Uses && len(asked) > 0 {
		if err := u.rename(ctx); err != nil {
			return out, err
		}
	}
	u.rate()
	if req.Query.Uses && len(asked) > 0 && u.count(symbol.Certain) < fewUses {
		if err := u.spelled(ctx); err != nil {
			return out, err
		}
		u.rate()
	}
	out.Unread = len(f.queue) - f.next + f.failed + f.rest
	if len(asked) == 0 {
		return f.undefined(ctx, u, out)
	}
	for n, i := range asked {
		if n < maxShown || req.Query.Complete {
			out.Definitions = append(out.Definitions, shown(candidates[i]))
		}
	}
	if req.Query.Uses {
		u.report(&out)
		first := &candidates[asked[0]]
		out.Implicit = out.TotalUses+out.TotalPossible == 0 && f.implicit(first)
		if out.TotalUses+out.TotalPossible+out.Unread == 0 && !out.Implicit {
			return out, f.assembled(ctx, f.name, &out)
		}
	}
	return out, nil
}

// implicit reports whether a definition may be used without its name, because of its name or signature, because a
// decorator or annotation may register it, or because a base type may call the member.
func (f *finder) implicit(c *symbol.Candidate) bool {
	l, file, owner := lang.Of(c.Language), f.read[c.Path], lang.Generic(c.Owner())
	if c.Default || l.Implicit.MatchString(c.Name) || l.Implicit.MatchString(c.Signature) {
		return true
	}
	for n := c.NameLine; n > 0; n-- {
		line, _, _ := strings.Cut(file.line(n), "{")
		if n >= c.Top && lang.BeginsWith(line, "@", "#[", "[") {
			return true
		} else if owner != "" && strings.Contains(line, owner) && types.MatchString(line) && l.Has(line, owner) {
			return derived.MatchString(line)
		}
	}
	return false
}

// types matches a line that begins a type, and derived matches one with base types.
var (
	types   = regexp.MustCompile(`\b(?:class|struct|impl|object|interface|record|enum|contract|instance|actor)\b`)
	derived = regexp.MustCompile(`\b(?:extends|implements|with|for|is|instance)\b|^[^(:]*(?:\([^()]*\))?\s*:\s*[\pL@]|` +
		`\([\pL_][\pL\pN_.,\s]*\)\s*:?\s*$|\s<\s*[\pL:]`)
)

const maxNamed = 8 // number of files listed for a name without a definition

// undefined completes the answer for a name without a definition. It lists files that use the name, or definitions of
// similar names.
func (f *finder) undefined(ctx context.Context, u *usage, out api.SymbolResults) (api.SymbolResults, error) {
	var files, mentioning []string
	for _, x := range u.found {
		if x.certainty == symbol.Certain && !slices.Contains(files, x.path) {
			files = append(files, x.path)
			if !chunk.Declares(f.read[x.path].language) && len(out.NotRead) < maxNamed {
				out.NotRead = append(out.NotRead, x.path)
			}
		} else if !slices.Contains(mentioning, x.path) {
			mentioning = append(mentioning, x.path)
		}
	}
	if f.req.Query.Uses {
		u.report(&out)
	}
	if len(files) == 0 {
		name := f.name
		out, err := f.like(ctx, out)
		if err == nil && len(out.Definitions)+out.Unread == 0 && len(mentioning) > 0 && !f.req.Query.Uses {
			out.Notes = append(out.Notes, f.elsewhere()+haveName(mentioning))
		}
		if out.Missing = len(out.Definitions)+len(mentioning)+out.Unread == 0; out.Missing {
			err = errors.Join(err, f.assembled(ctx, name, &out))
		}
		return out, err
	}
	if len(out.NotRead) == 0 && out.Unread == 0 {
		note := f.elsewhere()
		if !f.req.Query.Uses {
			note += haveName(files)
		}
		out.Notes = append(out.Notes, note)
	}
	return out, nil
}

func (f *finder) elsewhere() string {
	for _, file := range f.r.Paths(api.CorpusCode) {
		if symbol.Stem(file) == f.name && f.req.Allowed(file) {
			return "The name of the file " + file + "."
		}
	}
	return "Defined outside this project, or in an unsupported form."
}

func haveName(files []string) string {
	note := " These files have the name: " + strings.Join(files[:min(len(files), maxNamed)], ", ")
	if n := len(files) - maxNamed; n > 0 {
		note += fmt.Sprintf(" and %d more", n)
	}
	return note + "."
}

// near reports whether match accepts an occurrence of word with the bytes before and after it. It is ten times as fast
// as matching a regular expression in all of data.
func near(data []byte, word string, before, after int, match func(around []byte) bool) bool {
	for end, at := 0, bytes.Index(data, []byte(word)); at >= 0; at = bytes.Index(data[end:], []byte(word)) {
		start := end + at
		if end = start + len(word); match(data[max(0, start-before):min(len(data), end+after)]) {
			return true
		}
	}
	return false
}

// assembled adds a note with the files that may assemble a name, for example by "get_##n" in C or "get_#{n}" in Ruby.
func (f *finder) assembled(ctx context.Context, name string, out *api.SymbolResults) error {
	words := wordsOf(name)
	if len(words) < 2 {
		return nil
	}
	first, last, files, seen := words[0], words[len(words)-1], []string(nil), map[string]bool{}
	parts := regexp.MustCompile(`(?:\b|_)` + first + `(?:[_-]?(?:##|[#$%]\{|\$|%[sv]|["']\s*(?:[+&]|<<|\.\$|\s\.\.?\s))|` +
		`[_-](?:\s*[{$]|["'],))|(?:##|\}|%[sv])[_-]?` + last + `\b`)
	fits := func(around []byte) bool { return bytes.ContainsAny(around, `#$%{}"'`) && parts.Match(around) }
	assembles := func(raw []byte) bool {
		data := search.LowerASCII(raw)
		return near(data, first, 4, 32, fits) || near(data, last, 4, 32, fits)
	}
	read, done := f.req.Open()
	defer done()
	for _, word := range []string{first, last} {
		list, err := f.look(ctx, answerTime, store.Names{All: []string{word}})
		if err != nil {
			return err
		}
		for _, row := range list.Rows[:min(len(list.Rows), maxLikeRows)] {
			if len(files) < maxNamed && !seen[row.Path] && f.req.Allowed(row.Path) && read(row.Path, assembles) != nil {
				files = append(files, row.Path)
			}
			seen[row.Path] = true
		}
	}
	if len(files) > 0 {
		out.Implicit, out.Missing = len(out.Definitions) > 0, false
		out.Notes = append(out.Notes, "These files may assemble the name from parts: "+strings.Join(files, ", ")+".")
	}
	return nil
}

func (f *finder) left() time.Duration {
	if f.req.Query.Complete {
		return math.MaxInt64 / 2 // leaves space for additions
	}
	limit := answerTime
	if f.common {
		limit = commonTime
	}
	return limit - time.Since(f.began)
}

// nameIn splits the requested name by the syntax of a language.
func (f *finder) nameIn(language string) (scopes []string, name string) {
	l := lang.Of(language)
	scopes, name = l.Split(f.req.Query.Name)
	if n := len(name); n > 1 && !l.Marked && !strings.ContainsRune(l.Signs, rune(name[n-1])) {
		name = strings.TrimRight(name, "!?")
	}
	return scopes, name
}

type finder struct {
	r    Reader
	req  Request
	name string // requested name without its scopes
	tag  string // the name as an HTML tag, such as "price-tag"

	began   time.Time
	queue   []holder
	rest    int // approximate number of files that were not listed in time
	next    int // index in queue of the next file
	defined int // number of files at the start of queue that define the name
	failed  int // number of files that were not read in time

	common, unscoped bool // whether the name is in many files; whether an incomplete answer to a bare name is enough

	read    map[string]*file
	seen    atomic.Int64 // bytes read
	parsed  atomic.Int64 // bytes parsed, without the definitions of a name with scopes
	partial atomic.Bool  // whether files that define the name were not parsed

	cacheMu sync.Mutex // guards the fields below
	cache   map[string]*source
	cached  int // bytes of the cached files
}

// holder is a file that contains the name according to the index.
type holder struct {
	path, language string
	defined        bool
	order          float64
}

type file struct {
	path, language string
	text           string
	bare           bool     // not parsed although its language has a grammar
	split          []string // see lines
	symbol.File
}

func (f *file) lines() []string {
	if f.split == nil {
		f.split = strings.Split(strings.ReplaceAll(f.text, "\r\n", "\n"), "\n")
	}
	return f.split
}

// look lists the files of a corpus that contain a name. It returns the files that were listed in time.
func (f *finder) look(ctx context.Context, share time.Duration, n store.Names) (store.FileList, error) {
	if !f.req.Query.Complete {
		n.Until = f.began.Add(share)
	}
	return f.r.FilesWith(ctx, n)
}

func notInWord(r rune) bool { return !lang.WordRune(r) }

// token returns the longest part of a name without signs. The index is searched for this part.
func token(name string) string {
	parts := strings.FieldsFunc(name, notInWord)
	return slices.MaxFunc(append(parts, ""), func(a, b string) int { return cmp.Compare(len(a), len(b)) })
}

// holders lists the files to read, the most promising first.
func (f *finder) holders(ctx context.Context) error {
	byPath := map[string]*holder{}
	add := func(path, language string, defined bool) {
		h := byPath[path]
		if h == nil {
			h = &holder{path: path, language: language}
			byPath[path] = h
		}
		h.defined = h.defined || defined
	}
	word := token(f.name)
	defining, err := f.look(ctx, listTime, store.Names{All: []string{word}, Defined: true})
	if err != nil {
		return err
	}
	for _, row := range defining.Rows {
		add(row.Path, row.Language, true)
	}
	names := append([]alternative{{name: word}}, f.alternatives()...)
	if low := strings.ToLower(word); low != word && strings.HasSuffix(low, "s") { // indexed without the s
		names = append(names, alternative{name: low})
	}
	for i, a := range names {
		for _, corpus := range api.Corpora {
			list, err := f.look(ctx, listTime, store.Names{All: strings.FieldsFunc(a.name, notInWord), Corpus: corpus})
			if err != nil {
				return err
			}
			for _, row := range list.Rows {
				if a.language == "" || a.language == row.Language || a.language == lang.OfFile(row.Path, nil) {
					add(row.Path, row.Language, false)
				}
			}
			if i > 0 {
				continue
			}
			f.rest += list.Omitted
			var more []string
			switch {
			case list.Unknown: // the index doesn't know which files contain the name
				more = f.r.Paths(corpus)
			case list.Omitted > 0 && corpus == api.CorpusCode: // the list is incomplete, so add the files below the query's path
				more = f.below(f.req.Query.Path)
			}
			for _, p := range more {
				add(p, "", false)
			}
		}
	}
	for _, p := range f.r.Paths(api.CorpusCode) {
		if f.component(p) {
			add(p, "", true)
		}
	}
	queue, wanted := make([]holder, 0, len(byPath)), normal(f.name)
	for _, h := range byPath {
		if h.defined {
			h.order += 10
			f.defined++
			if normal(symbol.Stem(h.path)) == wanted { // "rotate.go" comes first for the name "rotate"
				h.order += 2
			}
		}
		if f.req.Matches != nil && f.req.Query.Path != "" && f.req.Matches(h.path) {
			h.order += 20
		}
		if search.IsTest(h.path) {
			h.order--
		}
		queue = append(queue, *h)
	}
	sort := func() {
		slices.SortFunc(queue, func(a, b holder) int {
			return cmp.Or(cmp.Compare(b.order, a.order), cmp.Compare(a.path, b.path))
		})
	}
	sort()
	var near [][]string // folders of the most likely definitions
	for _, h := range queue {
		if h.defined && len(near) < maxNear && f.req.Allowed(h.path) {
			near = append(near, strings.Split(path.Dir(h.path), "/"))
		}
	}
	nearest := map[string]float64{} // by folder
	for i := range queue {
		dir := path.Dir(queue[i].path)
		best, known := nearest[dir]
		if !known {
			parts := strings.Split(dir, "/")
			for _, d := range near {
				best = max(best, nearness(parts, d))
			}
			nearest[dir] = best
		}
		queue[i].order += best
	}
	sort()
	f.queue = queue
	f.unscoped = f.name == f.req.Query.Name && !f.req.Query.Complete
	f.common = len(queue) > manyFiles && f.unscoped
	return nil
}

// component reports whether a file, or the folder of an index file, has the requested name. Modules with an unnamed
// default export are named after their file.
func (f *finder) component(p string) bool {
	name := symbol.Stem(p)
	if name == "index" {
		name = path.Base(path.Dir(p))
	}
	return (name == f.name || name == f.tag) && lang.Of(lang.OfFile(p, nil)).Imports == lang.ImportScript
}

const maxBelow = 100 // maximum number of files per folder that are read although the index did not list them

// below returns the code files at or below a path.
func (f *finder) below(p string) (out []string) {
	for _, path := range f.r.Paths(api.CorpusCode) {
		if p != "" && len(out) < maxBelow && (path == p || strings.HasPrefix(path, p+"/")) {
			out = append(out, path)
		}
	}
	return out
}

// nearness returns the share of leading path elements that a and b have in common, at most 0.9.
func nearness(a, b []string) float64 {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return 0.9 * float64(n) / float64(max(len(a), len(b)))
}

func (f *finder) candidates() []symbol.Candidate {
	var out []symbol.Candidate
	for _, file := range f.files() {
		for _, d := range file.Definitions {
			out = append(out, symbol.Candidate{Path: file.path, Language: file.language, Definition: d})
		}
	}
	if len(out) == 0 {
		out = f.aliases()
	}
	for _, other := range []func(c symbol.Candidate) bool{
		func(c symbol.Candidate) bool { // defined under an alternative name
			_, name := f.nameIn(c.Language)
			return f.name != "" && !lang.Of(c.Language).Same(c.Name, name)
		},
		func(c symbol.Candidate) bool { return c.Container },
	} {
		if left := slices.DeleteFunc(slices.Clone(out), other); len(left) > 0 {
			out = left
		}
	}
	return out
}

// aliases returns exports with the requested name, as in "export { other as name }".
func (f *finder) aliases() (out []symbol.Candidate) {
	for _, file := range f.files() {
		_, name := f.nameIn(file.language)
		for _, in := range file.Imports {
			if (in.Export || lang.Of(file.language).Reexports) &&
				(in.Renames(name) || in.Whole == name && (in.Default || in.Export)) {
				c := symbol.Candidate{Path: file.path, Language: file.language}
				c.Name, c.Kind, c.Top, c.Line, c.NameLine, c.Last = name, chunk.KindValue, in.Line, in.Line, in.Line, in.Last
				c.Column, c.Signature = max(0, strings.Index(file.line(in.Line), name)), file.line(in.Line)
				out = append(out, c)
			}
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

// asked returns the indexes of the definitions that match the request, the most likely first. It returns local
// definitions only if there are no others.
func (f *finder) asked(all []symbol.Candidate) (indexes []int, note string) {
	pick := func(scope func(*symbol.Candidate) bool, anywhere bool) {
		for _, inner := range []bool{false, true} {
			for i := range all {
				again := slices.ContainsFunc(indexes, func(j int) bool { // "data Id = Id Int" in Haskell defines Id twice
					return all[i].Path == all[j].Path && all[i].NameLine == all[j].NameLine
				})
				if all[i].Inner == inner && !again && scope(&all[i]) &&
					(anywhere || f.req.Matches == nil || f.req.Matches(all[i].Path)) {
					indexes = append(indexes, i)
				}
			}
			if len(indexes) > 0 {
				return
			}
		}
	}
	any := func(*symbol.Candidate) bool { return true }
	scopes, _ := f.nameIn("")
	for _, try := range []struct {
		scope    func(*symbol.Candidate) bool
		anywhere bool
		note     string
	}{
		{f.spelt, false, ""},
		{f.inScope, false, ""},
		{any, false, "Nothing of that name in " + strings.Join(scopes, ".") + "; elsewhere it is:"},
		{f.inScope, true, "Not defined in " + f.req.Query.Path + "; elsewhere it is:"},
		{any, true, "Defined elsewhere only:"},
	} {
		if pick(try.scope, try.anywhere); len(indexes) > 0 {
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

// spelt reports whether a definition has exactly the requested scopes.
func (f *finder) spelt(c *symbol.Candidate) bool {
	scopes, _ := f.nameIn(c.Language)
	outer := len(c.Scope) - len(scopes)
	return outer >= 0 && slices.EqualFunc(c.Scope[outer:], scopes, func(scope, asked string) bool {
		return named(scope, asked, lang.Of(c.Language).Same)
	})
}

// named reports whether a scope has the given name, ignoring type parameters and enclosing scopes.
func named(scope, name string, same func(a, b string) bool) bool {
	bare, _, _ := strings.Cut(scope, "<")
	return same(bare, name) || same(scope[strings.LastIndexAny(scope, ".:")+1:], name)
}

// namespace matches the line that declares a file's namespace, package or module.
var namespace = regexp.MustCompile(`(?m)^[ \t(]*(?:namespace|package|module|ns|defmodule|unit)\s+['"]?([\pL\pN_.\\:/-]+)`)

func separates(r rune) bool { return !lang.WordRune(r) && r != '-' }

// inScope reports whether definitions, files or folders around c have the names of the requested scopes.
func (f *finder) inScope(c *symbol.Candidate) bool {
	before, _, _ := strings.Cut(c.Signature, c.Name)
	scopes, _ := f.nameIn(c.Language)
	for _, s := range scopes {
		ok := strings.Contains(before, `"`+s+`"`) || strings.EqualFold(s, symbol.Stem(c.Path)) || s == "crate" || s == "self" ||
			slices.Contains(strings.Split(path.Dir(c.Path), "/"), s) || slices.Contains(strings.FieldsFunc(before, separates), s)
		if got := f.read[c.Path]; got != nil && !ok {
			for _, m := range namespace.FindAllStringSubmatch(got.text, -1) {
				ok = ok || slices.Contains(strings.FieldsFunc(m[1], separates), s)
			}
		}
		for _, in := range c.Scope {
			ok = ok || named(in, s, strings.EqualFold)
		}
		if !ok {
			return false
		}
	}
	return true
}

// likelihood ranks definitions of one name. Visible definitions precede private ones, and code precedes tests.
func likelihood(c *symbol.Candidate) int {
	n := 0
	if search.IsTest(c.Path) {
		n -= 8
	}
	if c.Inner {
		n -= 4
	}
	if slices.Contains([]string{".h", ".hpp", ".pyi"}, path.Ext(c.Path)) || strings.HasSuffix(c.Path, ".d.ts") {
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
