package find

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path"
	"runtime"
	"slices"
	"sync"
	"time"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
	"searchmcp/engine/search/symbol"
)

// readFiles reads the queued files until the time or maxRead is used up. If no definition has been found by then, it
// continues with the files that define the name.
func (f *finder) readFiles(ctx context.Context, budget time.Duration) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	var mu sync.Mutex // guards the variables below and f.next, f.read and f.failed
	defined, late, failed := false, false, error(nil)
	next := func() (h holder, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if f.common && defined && f.next >= maxDefining && f.next < f.defined {
			f.rest, f.next = f.rest+f.defined-f.next, f.defined
		}
		if f.next == len(f.queue) || failed != nil || reading.Err() != nil ||
			(late || !f.req.Query.Complete && f.seen.Load() >= maxRead) && (defined || f.next >= f.defined) {
			return h, false
		}
		f.next++
		return f.queue[f.next-1], true
	}
	done := func(h holder, got *file, err error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			if f.failed++; !late && failed == nil {
				failed = err
			}
		case got != nil:
			f.read[h.path] = got
			defined = defined || len(got.Definitions) > 0
		}
		if late && defined && f.left() <= 0 {
			stop()
		}
	}
	if !f.req.Query.Complete {
		defer time.AfterFunc(budget, func() {
			mu.Lock()
			defer mu.Unlock()
			if late = true; defined && f.left() <= 0 {
				stop()
			}
		}).Stop()
		defer time.AfterFunc(budget+answerTime/2, stop).Stop()
	}
	var workers sync.WaitGroup
	for range max(2, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			read, closed := f.req.Open()
			defer closed()
			for h, ok := next(); ok; h, ok = next() {
				got, err := f.readFile(reading, read, h)
				done(h, got, err)
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return failed
}

// readFile reads and parses one file. It returns nil if the file does not contain the name.
func (f *finder) readFile(ctx context.Context, read Read, h holder) (*file, error) {
	s, done, err := f.open(ctx, read, h, func(data []byte) bool { return f.has(h, data) })
	if s == nil || err != nil {
		return nil, err
	}
	defer done()
	d := s.document
	out := &file{path: h.path, language: d.Language, text: d.Text,
		bare: d.Root == nil && len(d.Definitions) == 0 && chunk.HasGrammar(d.Language)}
	language := lang.OfFile(h.path, nil)
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

func (f *finder) under(ctx context.Context, read Read, h holder, alias string) (out symbol.File, err error) {
	s, done, err := f.open(ctx, read, h, nil)
	if s == nil || err != nil {
		return out, err
	}
	defer done()
	if alias != "" {
		out.References = symbol.Extract(s.document, alias).References
	}
	out.Imports = s.imports()
	return out, nil
}

// maxCached limits the bytes of cached files. A syntax tree is about ten times as large as its file.
const maxCached = 4 << 20

type source struct {
	mu       sync.Mutex // locked while the file is read and parsed; lock before finder.cacheMu
	data     []byte     // nil until read
	document *chunk.Document
	imports  func() []symbol.Dependency
}

func (f *finder) has(h holder, data []byte) bool {
	f.seen.Add(int64(len(data)))
	language, text := lang.OfFile(h.path, data[:min(len(data), 4<<10)]), chunk.Decode(data)
	return f.name == "" || h.defined && lang.Of(language).Selectors || f.component(h.path) ||
		slices.ContainsFunc(f.namesIn(language), func(n string) bool { return lang.Of(language).Has(text, n) })
}

// open returns a file, or nil if the file is gone or wanted returns false. The caller must call done after use.
func (f *finder) open(ctx context.Context, read Read, h holder, wanted func([]byte) bool) (s *source, done func(),
	err error) {
	f.cacheMu.Lock()
	done = func() {}
	if s = f.cache[h.path]; s == nil {
		s = &source{}
		if f.cached < maxCached {
			f.cache[h.path] = s
		} else {
			done = func() { s.document.Close() }
		}
	}
	f.cacheMu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.data == nil && (f.req.Allowed == nil || f.req.Allowed(h.path)) {
		s.data = read(h.path, wanted)
		f.cacheMu.Lock()
		f.cached += len(s.data)
		f.cacheMu.Unlock()
	}
	if s.data == nil {
		return nil, nil, nil
	}
	if s.document == nil {
		if s.document, err = f.document(ctx, h, s.data); err != nil {
			return nil, nil, err
		}
		s.imports = sync.OnceValue(func() []symbol.Dependency { return symbol.Imports(s.document) })
	}
	return s, done, nil
}

func (f *finder) document(ctx context.Context, h holder, data []byte) (*chunk.Document, error) {
	language, text := chunk.Read(h.path, data)
	if f.name != "" && !f.req.Query.Complete && (f.unscoped || !h.defined) {
		before := f.parsed.Add(int64(len(data))) - int64(len(data))
		if h.defined && before > maxDefiners || !h.defined && before+int64(len(data)) > maxParsed {
			f.partial.Store(h.defined || f.partial.Load())
			return chunk.Unparsed(language, text), nil
		}
	}
	if !chunk.HasGrammar(language) {
		return chunk.Plain(language, text), nil
	}
	hash := fmt.Sprintf("%x", sha256.Sum256(data))
	return f.req.Documents.Document(ctx, chunk.File{Language: language, Text: text, Hash: hash})
}

func (f *finder) close() {
	for _, s := range f.cache {
		if s.document != nil {
			s.document.Close()
		}
	}
}
