package chunk

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
)

// Version must change when the rules for cutting files change, here or in text.Unit. Indexes with another version are
// rebuilt.
const Version = "25"

// MaxChunks is the maximum number of chunks of a file (RFC 5.2, Resource Limits).
const MaxChunks = 1000

// Method is the method by which a file was cut.
type Method string

const (
	BySyntax   Method = "syntax"   // tree-sitter
	ByHeadings Method = "headings" // prose
	ByCells    Method = "cells"    // notebooks
	ByBlocks   Method = "blocks"   // indentation and keywords
	BySplitter Method = "splitter" // the RFC's recursive character splitter
)

// Reason explains why a file was not cut along its syntax.
type Reason string

const (
	ReasonNone     Reason = ""
	ReasonHuge     Reason = "huge"     // too large for a parser
	ReasonMinified Reason = "minified" // lines are too long for hand-written text
	ReasonTimeout  Reason = "timeout"  // the parser exceeded its time limit
	ReasonBroken   Reason = "broken"   // most of the file has syntax errors
	ReasonSkipped  Reason = "skipped"  // a parser crashed on this content
	ReasonAway     Reason = "away"     // no parser was available; a retry may succeed
	ReasonMany     Reason = "many"     // more than MaxChunks chunks; the splitter's larger chunks cover more
)

// Info describes how a file was cut.
type Info struct {
	Language string
	Method   Method
	Reason   Reason
	Lines    int
	Replaced int    // number of invalid bytes, each replaced with U+FFFD
	Guessed  string // the encoding, if it is a guess
	Errors   bool   // parts of the file could not be parsed
	// CutFrom is the number of the first line after the last chunk if the file exceeds MaxChunks, or 0.
	CutFrom int
}

// Chunker cuts files. It is safe for concurrent use.
type Chunker struct{ syntax Syntax }

// New returns a Chunker that uses s to cut files with a grammar.
func New(s Syntax) *Chunker { return &Chunker{syntax: s} }

// Chunk cuts the file at path, which is relative and slash-separated. contentHash is the hexadecimal SHA-256 of data.
// The last chunk may represent the whole file in the semantic search (see outline).
func (c *Chunker) Chunk(
	ctx context.Context, path string, corpus api.Corpus, data []byte, contentHash string,
) ([]api.Chunk, Info, error) {
	info := Info{Language: lang.OfFile(path, data)}
	chunks, err := c.chunks(ctx, path, corpus, data, contentHash, &info)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, Info{}, fmt.Errorf("chunk %s: %w", path, err)
	}
	return chunks, info, nil
}

func (c *Chunker) chunks(
	ctx context.Context, path string, corpus api.Corpus, data []byte, contentHash string, info *Info,
) ([]api.Chunk, error) {
	if nb, ok := parseNotebook(path, data); ok {
		chunks := notebookCells(&nb, data, path, contentHash)
		info.Method, info.Lines = ByCells, bytes.Count(data, []byte("\n"))+1
		decls, err := c.declared(ctx, File{Language: nb.language(), Hash: contentHash, Text: nb.code(data)})
		addSymbols(chunks, decls)
		assignDecls(chunks, decls)
		if len(chunks) > MaxChunks {
			info.CutFrom = chunks[MaxChunks].StartLine
			chunks = chunks[:MaxChunks]
		}
		return chunks, err
	}
	text, replaced, guessed := validText(data)
	src := sourceOf(text)
	info.Lines, info.Replaced, info.Guessed = src.lines(), replaced, guessed
	f := File{Language: info.Language, Hash: contentHash, Text: text}
	pieces, decls, inner, err := c.cut(ctx, f, corpus, src, info)
	if err != nil {
		return nil, err
	}
	if len(pieces) > MaxChunks && info.Method != BySplitter {
		info.Method, info.Reason = BySplitter, ReasonMany
		pieces = plain(src, corpus)
	}
	if len(pieces) > MaxChunks {
		info.CutFrom = src.lineAt(pieces[MaxChunks-1].End) + 1
		pieces = pieces[:MaxChunks]
	}
	chunks := finish(src, pieces, path, info.Language, contentHash)
	addSymbols(chunks, inner)
	assignDecls(chunks, decls)
	if o, ok := outline(chunks); ok && corpus == api.CorpusCode {
		chunks = append(chunks, o)
	}
	return chunks, nil
}

// cut cuts a file into pieces. inner contains the declarations of embedded code, such as a script in HTML.
func (c *Chunker) cut(
	ctx context.Context, f File, corpus api.Corpus, src *source, info *Info,
) (pieces []Piece, decls, inner []api.Decl, err error) {
	info.Method = BySplitter
	l := lang.Of(f.Language)
	switch {
	case l.Headings != lang.NoHeadings || f.Language == "" && corpus == api.CorpusDocs:
		info.Method = ByHeadings
		pieces, decls = byHeadings(src, l.Headings, limitsOf(corpus))
		inner, err = c.declared(ctx, f)
		return pieces, append(decls, inner...), inner, err
	case l.Rules == nil && !l.ByLines():
		return plain(src, corpus), nil, nil, nil
	case minified(src):
		info.Reason = ReasonMinified
		return plain(src, corpus), nil, nil, nil
	case len(src.text) > hugeFile:
		info.Reason = ReasonHuge
	case l.Rules == nil:
		info.Method = ByBlocks
		pieces, defs := byBlocks(src, l)
		inner, err = c.declared(ctx, f)
		return pieces, append(inner, declsOf(src, defs)...), inner, err
	default:
		made, err := c.syntaxCut(ctx, f, src)
		info.Errors, info.Reason = made.Errors, made.Reason
		if err != nil || info.Reason == ReasonNone {
			info.Method = BySyntax
			return made.Pieces, made.Decls, nil, err
		}
	}
	pieces = plain(src, corpus)
	defs := lineDefs(src, l)
	attach(src, pieces, defs)
	return pieces, declsOf(src, extendEnds(src, defs)), nil, nil
}

func addSymbols(chunks []api.Chunk, decls []api.Decl) {
	for _, d := range decls {
		i := slices.IndexFunc(chunks, func(c api.Chunk) bool { return c.StartLine <= d.Line && d.Line <= c.EndLine })
		if i >= 0 && !slices.Contains(chunks[i].Symbols, d.Name) {
			chunks[i].Symbols = append(chunks[i].Symbols, d.Name)
		}
	}
}

// declared returns the declarations in a file's code, such as the script of a Vue file.
func (c *Chunker) declared(ctx context.Context, f File) ([]api.Decl, error) {
	if _, _, ok := f.code(); !ok || !Parseable(f.Text) {
		return nil, nil
	}
	made, err := c.syntaxCut(ctx, f, sourceOf(f.Text))
	return made.Decls, err
}

// syntaxCut cuts a file along its syntax tree and validates the ranges that another process computed.
func (c *Chunker) syntaxCut(ctx context.Context, f File, src *source) (Cut, error) {
	made, err := c.syntax.Cut(ctx, f)
	if err != nil {
		return Cut{}, err
	}
	for _, d := range made.Decls {
		if d.Start < 1 || d.Line < d.Start || d.End < d.Line || d.End > src.lines() {
			return Cut{}, fmt.Errorf("cut by syntax: declaration of lines %d, %d to %d of %d", d.Start, d.Line, d.End,
				src.lines())
		}
	}
	for _, p := range made.Pieces {
		if p.Start < 0 || p.Start > p.End || p.End > len(src.text) {
			return Cut{}, fmt.Errorf("cut by syntax: piece of bytes %d to %d of %d", p.Start, p.End, len(src.text))
		}
	}
	return made, nil
}

// longLine is the length of a long line in bytes. A file of mostly long lines is minified.
const longLine = 500

func minified(src *source) bool {
	long := 0
	for i := range src.lines() {
		if n := src.starts[i+1] - src.starts[i]; n > longLine && !quoted(src.line(i)) {
			long += n
		}
	}
	return 2*long > len(src.text)
}

// quoted reports whether most of a line is inside quotes.
func quoted(line string) bool {
	for _, quote := range []string{`"`, "'", "`"} {
		inside := 0
		for i, part := range strings.Split(line, quote) {
			inside += i % 2 * len(part)
		}
		if 2*inside > len(line) {
			return true
		}
	}
	return false
}

func plain(src *source, corpus api.Corpus) []Piece {
	spans := src.split(span{0, len(src.text)}, limitsOf(corpus))
	pieces := make([]Piece, len(spans))
	for i, sp := range spans {
		pieces[i] = pieceOf(sp)
	}
	return pieces
}

func finish(src *source, pieces []Piece, path, language, contentHash string) []api.Chunk {
	out := make([]api.Chunk, 0, len(pieces))
	for _, p := range pieces {
		sp := src.trim(p.span())
		if src.empty(sp) {
			continue
		}
		n := len(out)
		out = append(out, api.Chunk{
			ID: api.ChunkID(path, contentHash, n), Path: path, Text: src.text[sp.start:sp.end],
			StartLine: src.lineAt(sp.start) + 1, EndLine: src.lineAt(sp.end-1) + 1,
			ContentHash: contentHash, Ordinal: n, Language: language,
			Breadcrumb: p.Breadcrumb, Symbols: p.Symbols,
		})
	}
	return out
}
