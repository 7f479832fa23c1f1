package find

import (
	"context"
	"runtime"
	"strings"
	"time"

	"searchmcp/engine/chunk"
	"searchmcp/engine/symbol"
)

// readFiles reads the queue, a few files beside each other, as far as time allows. When it is over, what is being
// parsed is not waited for: the worker ends it and keeps it for the next question. Only an answer without any
// definition waits longer, for the files that define the name.
func (f *finder) readFiles(ctx context.Context, name string) error {
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
	next, flying, done, defined := 0, 0, 0, false
	var failed error
	var over <-chan time.Time
	late, last := false, false
	for {
		for flying < workers && next < len(f.queue) && failed == nil && reading.Err() == nil &&
			(!late || !defined && next < f.defined || done+flying < leastFiles && !last) {
			h := f.queue[next]
			next, flying = next+1, flying+1
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
			switch {
			case r.err == nil:
				if done++; r.got != nil {
					f.read[r.path] = r.got
					defined = defined || len(r.got.Definitions) > 0
				}
			case f.prompt.Err() == nil && failed == nil:
				failed = r.err
			}
			if f.began.IsZero() {
				if f.began = time.Now(); !f.req.Query.Complete {
					over = time.After(readingTime - f.spent)
				}
			}
		case <-over:
			late, last = true, late
			over = time.After(mostTime - readingTime)
		}
		if late && defined {
			if f.hurry(); done >= leastFiles || last {
				stop()
			}
		}
	}
	f.unread = len(f.queue) - done
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return failed
}

// readFile reads and parses one file; nil if the name is not in it.
func (f *finder) readFile(ctx context.Context, h holder, name string) (*file, error) {
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
	out := &file{path: h.path, language: language, lines: strings.Split(text, "\n")}
	if !chunk.HasGrammar(language) || !chunk.Parseable(text) {
		out.File = symbol.Extract(chunk.Plain(language, text), name)
		return out, nil
	}
	if len(text) > largeFile && f.prompt != nil {
		ctx = f.prompt
	}
	var err error
	out.File, err = f.req.Extract.Extract(ctx, chunk.File{Language: language, Text: text, Hash: hashOf(text)}, name)
	return out, err
}
