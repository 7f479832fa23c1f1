package find

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"sync"
	"time"

	"searchmcp/engine/chunk"
	"searchmcp/engine/symbol"
)

// readFiles reads the queue from f.next on, a few files beside each other, for as long as budget says. When that is
// over, what is being parsed is not waited for. Only an answer without any definition waits longer, for the files that
// define the name, and one of a few files.
func (f *finder) readFiles(ctx context.Context, name string, budget time.Duration) error {
	type result struct {
		path string
		got  *file
		err  error
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	f.prompt, f.hurry = context.WithCancel(reading)
	defer func() {
		f.hurry()
		f.prompt = nil
	}()
	workers := max(2, runtime.GOMAXPROCS(0))
	results := make(chan result, workers)
	flying, defined := 0, false
	for _, got := range f.read {
		defined = defined || len(got.Definitions) > 0
	}
	var failed error
	var over <-chan time.Time
	if !f.req.Query.Complete {
		over = time.After(budget)
	}
	late, last := false, false
	for {
		for flying < workers && f.next < len(f.queue) && failed == nil && reading.Err() == nil &&
			(!late || !defined && f.next < f.defined || f.done+flying < leastFiles && !last) {
			h := f.queue[f.next]
			f.next, flying = f.next+1, flying+1
			go func() {
				got, err := f.readFile(reading, h, name)
				results <- result{h.path, got, err}
			}()
		}
		if flying == 0 {
			break
		}
		select {
		case r := <-results:
			flying--
			if r.err != nil {
				if f.failed++; f.prompt.Err() == nil && failed == nil {
					failed = r.err
				}
				break
			}
			if f.done++; r.got != nil {
				f.read[r.path] = r.got
				defined = defined || len(r.got.Definitions) > 0
			}
		case <-over:
			late, last = true, late
			over = time.After(mostTime - time.Since(f.began))
		}
		if late && defined {
			if f.hurry(); f.done >= leastFiles || last {
				stop()
			}
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return failed
}

// readFile reads and parses one file; nil if the name is not in it.
func (f *finder) readFile(ctx context.Context, h holder, name string) (*file, error) {
	s, err := f.source(ctx, h, name)
	if s == nil || err != nil {
		return nil, err
	}
	d := s.document
	out := &file{path: h.path, language: d.Language, text: d.Text, File: symbol.Extract(d, name)}
	f.kept.put(h.path, s, len(out.Definitions) > 0)
	return out, nil
}

// source is a file as it was read.
type source struct {
	data     []byte
	document *chunk.Document
}

// source returns a file that was kept, or reads it; nil if the name is not in it. Who takes it puts it back or closes
// it.
func (f *finder) source(ctx context.Context, h holder, name string) (*source, error) {
	if s := f.kept.take(h.path); s != nil {
		if name == "" || symbol.HasWord(s.data, name) {
			return s, nil
		}
		f.kept.put(h.path, s, true)
		return nil, nil
	}
	if f.req.Allowed != nil && !f.req.Allowed(h.path) {
		return nil, nil
	}
	data, ok := f.req.Read(h.path)
	if !ok || name != "" && !symbol.HasWord(data, name) {
		return nil, nil
	}
	language := h.language
	if language == "" {
		language = chunk.Language(h.path, data[:min(len(data), 4096)])
	}
	text := chunk.Text(data)
	if !chunk.HasGrammar(language) {
		return &source{data, chunk.Plain(language, text)}, nil
	}
	if len(text) > largeFile && f.prompt != nil {
		ctx = f.prompt
	}
	file := chunk.File{Language: language, Text: text, Hash: hashOf(data)}
	d, err := f.req.Documents.Document(ctx, h.path, file)
	if err != nil {
		return nil, err
	}
	return &source{data, d}, nil
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// maxKept is how many files of one question stay as they were read, each some thirty times its text: what defines a
// name is asked for its types' names, too.
const maxKept = 64

// kept are files that a question has read and may ask again. It is safe for concurrent use; the zero value is empty.
type kept struct {
	mu      sync.Mutex // a leaf
	sources map[string]*source
}

// take hands a file out: it belongs to one goroutine. nil if it is not kept.
func (k *kept) take(path string) *source {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.sources[path]
	delete(k.sources, path)
	return s
}

// put takes a file back, or closes it where it is not worth keeping.
func (k *kept) put(path string, s *source, again bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sources == nil {
		k.sources = map[string]*source{}
	}
	if !again || len(k.sources) >= maxKept || k.sources[path] != nil {
		s.document.Close()
		return
	}
	k.sources[path] = s
}

// close ends the use of all files of the question.
func (f *finder) close() {
	f.kept.mu.Lock()
	defer f.kept.mu.Unlock()
	for _, s := range f.kept.sources {
		s.document.Close()
	}
	f.kept.sources = nil
}
