package find

import (
	"cmp"
	"context"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"searchmcp/engine/search/symbol"
	"searchmcp/engine/store"
)

// Bounds of the files read to follow a type: those that define its name, for names that more define are no types, and
// all that may do so.
const (
	maxNamed     = 24
	maxNamedRead = 4 * maxNamed
)

// files is a symbol.Project: definitions in the files of a finder's project, each read when something asks for it. It
// is safe for concurrent use while the finder reads nothing else.
type files struct {
	f   *finder
	ctx context.Context

	mu    sync.Mutex // guards the maps, not what stands in them, which is made once
	named map[string]func() []symbol.Candidate
	read  map[[2]string]func() *file
	// imports are those of files that read has.
	imports map[string][]string
}

func newFiles(ctx context.Context, f *finder) *files {
	return &files{
		f: f, ctx: ctx, named: map[string]func() []symbol.Candidate{}, read: map[[2]string]func() *file{},
		imports: map[string][]string{},
	}
}

// Late implements symbol.Project.
func (p *files) Late() bool { return p.ctx.Err() != nil || p.f.left() <= 0 }

// Named implements symbol.Project.
func (p *files) Named(name string) []symbol.Candidate {
	return once(p, p.named, name, func() []symbol.Candidate { return p.readNamed(name) })
}

// once returns what was made for a key, and makes it where there is time; the zero value else.
func once[K comparable, V any](p *files, made map[K]func() V, key K, make func() V) (none V) {
	late := p.Late()
	p.mu.Lock()
	get, ok := made[key]
	if !ok {
		if late {
			p.mu.Unlock()
			return none
		}
		get = sync.OnceValue(make)
		made[key] = get
	}
	p.mu.Unlock()
	return get()
}

func (p *files) readNamed(name string) []symbol.Candidate {
	held, err := p.f.look(p.ctx, answerTime, store.Names{All: []string{name}, Defined: true})
	if err != nil {
		return nil
	}
	// The index takes names apart, so that Handler is defined where BufferHandler is. A file of the name comes first, and
	// then one order, whatever that of the index's segments is: it decides between definitions that are as likely.
	wanted := normal(name)
	other := func(row store.Row) bool { return normal(stem(row.Path)) != wanted }
	slices.SortFunc(held.Rows, func(a, b store.Row) int {
		return cmp.Or(falseFirst(other(a), other(b)), cmp.Compare(a.Path, b.Path))
	})
	rows := slices.CompactFunc(held.Rows, func(a, b store.Row) bool { return a.Path == b.Path })
	var out []symbol.Candidate
	for found, n := 0, 0; found < maxNamed && n < maxNamedRead && len(rows) > 0; {
		some := rows[:min(maxNamed, len(rows))]
		rows, n = rows[len(some):], n+len(some)
		parts := make([][]symbol.Candidate, len(some))
		beside(len(some), func(i int) {
			if p.f.req.Allowed(some[i].Path) {
				parts[i] = p.in(some[i].Path, some[i].Language, name)
			}
		})
		for _, part := range parts {
			if len(part) > 0 {
				found++
			}
		}
		out = append(out, slices.Concat(parts...)...)
	}
	return out
}

// stem is a file's name without its folders and endings.
func stem(p string) string {
	base, _, _ := strings.Cut(path.Base(p), ".")
	return base
}

// beside calls a function for each of n indexes, on all cores.
func beside(n int, each func(i int)) {
	var next atomic.Int64
	work := func() {
		for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
			each(int(i))
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// In implements symbol.Project.
func (p *files) In(path, name string) []symbol.Candidate { return p.in(path, "", name) }

func (p *files) in(path, language, name string) []symbol.Candidate {
	got := p.extract(path, language, name)
	if got == nil {
		return nil
	}
	out := make([]symbol.Candidate, 0, len(got.Definitions))
	for _, d := range got.Definitions {
		out = append(out, symbol.Candidate{Path: got.path, Language: got.language, Definition: d})
	}
	return out
}

// extract reads what a file has of a name; nil if the file is not to be had.
func (p *files) extract(path, language, name string) *file {
	if name == p.f.name {
		if got := p.f.read[path]; got != nil {
			return got
		}
	}
	return once(p, p.read, [2]string{path, name}, func() *file { return p.readOne(path, language, name) })
}

func (p *files) readOne(path, language, name string) *file {
	ctx := p.ctx
	if !p.f.req.Query.Complete {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, p.f.left())
		defer stop()
	}
	got, err := p.f.readFile(ctx, holder{path: path, language: language}, name)
	if err != nil || got == nil {
		return nil
	}
	if name != "" { // with all definitions come no imports
		p.mu.Lock()
		defer p.mu.Unlock()
		p.imports[path] = got.File.Imports
	}
	return got
}

// Imports implements symbol.Project.
func (p *files) Imports(path string) []string {
	if got := p.f.read[path]; got != nil {
		return got.File.Imports
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.imports[path]
}
