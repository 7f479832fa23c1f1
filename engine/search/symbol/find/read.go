package find

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"runtime"
	"slices"
	"sync"
	"time"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
	"searchmcp/engine/search/symbol"
)

// readFiles reads the files in the queue from f.next on, a few of them concurrently, until the time budget or maxRead
// is used up. If no definition has been found by then, it goes on with the files that define the name.
func (f *finder) readFiles(ctx context.Context, budget time.Duration) error {
	type result struct {
		path string
		got  *file
		err  error
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	workers := max(2, runtime.GOMAXPROCS(0))
	results := make(chan result, workers)
	readers := make(chan Read, workers)
	for range workers {
		read, done := f.req.Open()
		defer done()
		readers <- read
	}
	flying, defined, late := 0, false, false
	for _, got := range f.read {
		defined = defined || len(got.Definitions) > 0
	}
	var failed error
	var over <-chan time.Time
	if !f.req.Query.Complete {
		over = time.After(budget)
	}
	for {
		for flying < workers && f.next < len(f.queue) && failed == nil && reading.Err() == nil &&
			(!late && (f.req.Query.Complete || f.seen.Load() < maxRead) || !defined && f.next < f.defined) {
			h := f.queue[f.next]
			f.next, flying = f.next+1, flying+1
			go func() {
				read := <-readers
				got, err := f.readFile(reading, read, h)
				readers <- read
				results <- result{h.path, got, err}
			}()
		}
		if flying == 0 {
			break
		}
		select {
		case r := <-results:
			flying--
			switch {
			case r.err != nil:
				if f.failed++; !late && failed == nil {
					failed = r.err
				}
			case r.got != nil:
				f.read[r.path] = r.got
				defined = defined || len(r.got.Definitions) > 0
			}
		case <-over:
			if late { // the second timer expired
				stop()
			}
			late, over = true, time.After(max(f.left(), answerTime/2))
		}
		if late && defined && f.left() <= 0 {
			stop()
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return failed
}

// readFile reads and parses one file. It returns nil if the file does not contain the name. Without a name it returns
// all definitions.
func (f *finder) readFile(ctx context.Context, read Read, h holder) (*file, error) {
	s, shared, err := f.source(ctx, read, h)
	if s == nil || err != nil {
		return nil, err
	}
	d := s.document
	if !shared {
		defer d.Close()
	}
	out := &file{path: h.path, language: d.Language, text: d.Text,
		bare: d.Root == nil && len(d.Definitions) == 0 && chunk.HasGrammar(d.Language)}
	language := chunk.Language(h.path, nil)
	if !chunk.Template(language) {
		language = d.Language
	}
	for _, name := range f.namesIn(language) {
		got := symbol.Extract(d, name)
		out.Definitions = append(out.Definitions, got.Definitions...)
		out.References = append(out.References, got.References...)
	}
	if f.name == "" {
		out.File = symbol.Extract(d, "")
		return out, nil
	}
	out.Imports = s.imports()
	if f.component(h.path) && len(out.Definitions) == 0 && symbol.Whole(h.path, d) {
		out.Definitions = []symbol.Definition{{Definition: chunk.Definition{Name: f.name, Kind: "module", Line: 1,
			Last: len(out.lines())}, NameLine: 1, Default: true, Signature: path.Base(h.path)}}
	}
	return out, nil
}

// under returns the imports of a file and, unless name is empty, the references to another name in it.
func (f *finder) under(ctx context.Context, read Read, h holder, name string) (symbol.File, error) {
	s, shared, err := f.open(ctx, read, h, nil)
	if s == nil || err != nil {
		return symbol.File{}, err
	}
	if !shared {
		defer s.document.Close()
	}
	out := symbol.File{Imports: s.imports()}
	if name != "" {
		got := symbol.Extract(s.document, name)
		out.References = got.References
	}
	return out, nil
}

// maxCached limits the total size of the texts that are cached while a question is answered. They are cached because
// several steps need the same files. A tree is about ten times as large as its text.
const maxCached = 4 << 20

// sources caches the files that a question has read. It is safe for concurrent use. Its zero value is empty.
type sources struct {
	mu     sync.Mutex // a leaf; guards the fields below
	byPath map[string]*source
	size   int
}

type source struct {
	mu       sync.Mutex // locked while the file is read and parsed; before sources.mu
	data     []byte     // nil until read
	document *chunk.Document
	imports  func() []symbol.Dependency
}

// source is like open, but also returns nil if the file contains none of the names.
func (f *finder) source(ctx context.Context, read Read, h holder) (s *source, shared bool, err error) {
	return f.open(ctx, read, h, func(data []byte) bool {
		f.seen.Add(int64(len(data)))
		language := chunk.Language(h.path, data[:min(len(data), 4<<10)])
		names := f.namesIn(language)
		l, text := lang.Of(language), chunk.Text(data)
		return f.name == "" || f.component(h.path) ||
			slices.ContainsFunc(names, func(n string) bool { return l.Has(text, n) })
	})
}

// open returns a file, or nil if the file is gone or wanted returns false. A shared file is read and parsed only once.
// The caller must close the document of a file that is not shared.
func (f *finder) open(ctx context.Context, read Read, h holder, wanted func([]byte) bool) (s *source, shared bool,
	err error) {
	k := &f.sources
	k.mu.Lock()
	if s = k.byPath[h.path]; s == nil {
		s = &source{}
		if shared = k.size < maxCached; shared {
			if k.byPath == nil {
				k.byPath = map[string]*source{}
			}
			k.byPath[h.path] = s
		}
	} else {
		shared = true
	}
	k.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.data == nil && (f.req.Allowed == nil || f.req.Allowed(h.path)) {
		s.data = read(h.path, wanted)
		k.mu.Lock()
		k.size += len(s.data)
		k.mu.Unlock()
	}
	if s.data == nil {
		return nil, shared, nil
	}
	if s.document == nil {
		d, err := f.document(ctx, h, s.data)
		if err != nil {
			return nil, shared, err
		}
		s.document, s.imports = d, sync.OnceValue(func() []symbol.Dependency { return symbol.Imports(d) })
	}
	return s, shared, nil
}

func (f *finder) document(ctx context.Context, h holder, data []byte) (*chunk.Document, error) {
	language, text := chunk.Read(h.path, data)
	switch {
	case f.name != "" && !h.defined && !f.req.Query.Complete && f.parsed.Add(int64(len(data))) > maxParsed:
		return chunk.Bare(language, text), nil
	case !chunk.HasGrammar(language):
		return chunk.Plain(language, text), nil
	}
	return f.req.Documents.Document(ctx, chunk.File{Language: language, Text: text, Hash: hashOf(data)})
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (f *finder) close() {
	f.sources.mu.Lock()
	defer f.sources.mu.Unlock()
	for _, s := range f.sources.byPath {
		if s.document != nil {
			s.document.Close()
		}
	}
	f.sources.byPath = nil
}
