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

// Version is the version of the rules in this package and in text.Unit. It must change if any file then results in
// different rows. A store of another version is rebuilt.
const Version = "22"

// MaxChunks is the maximum number of chunks of a file (RFC 5.2, Resource Limits).
const MaxChunks = 1000

// Method is how a file was cut.
type Method string

const (
	BySyntax   Method = "syntax"   // tree-sitter
	ByHeadings Method = "headings" // prose
	ByCells    Method = "cells"    // notebooks
	ByBlocks   Method = "blocks"   // indentation and keywords
	BySplitter Method = "splitter" // the RFC's recursive character splitter
)

// Reason explains why a file was cut by the splitter although its language has a grammar or rules.
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

// Info describes how a file was cut and how its chunks differ from its content.
type Info struct {
	Language string // as returned by Language
	Method   Method
	Reason   Reason // why no better method was used
	Lines    int
	Minified bool
	Replaced int    // invalid UTF-8 bytes and NULs, each replaced with U+FFFD
	Guessed  string // the encoding if detected without certainty
	Errors   bool   // the parser could not parse the whole file
	// CutFrom is the first line (1-based) that is not in a chunk because of MaxChunks, or 0.
	CutFrom int
}

// Chunker cuts files. It is safe for concurrent use.
type Chunker struct{ syntax Syntax }

// New returns a Chunker that uses s to cut files with a grammar.
func New(s Syntax) *Chunker { return &Chunker{syntax: s} }

// Chunk cuts the content of the file at path (relative, slash-separated). contentHash is data's SHA-256 in lower-case
// hex. The last chunk of a code file may be its outline, which has no line numbers. Errors come only from ctx and
// Syntax. If the input can't be parsed, it is cut at lines, and Info.Reason explains why.
func (c *Chunker) Chunk(
	ctx context.Context, path string, corpus api.Corpus, data []byte, contentHash string,
) ([]api.Chunk, Info, error) {
	if err := ctx.Err(); err != nil {
		return nil, Info{}, fmt.Errorf("chunk %s: %w", path, err)
	}
	info := Info{Language: Language(path, data[:min(len(data), headSize)])}
	if isNotebook(path) {
		if nb, ok := parseNotebook(data); ok {
			chunks := notebookCells(&nb, data, path, contentHash)
			info.Method, info.Lines = ByCells, bytes.Count(data, []byte("\n"))+1
			f := File{Language: nb.language(), Hash: contentHash, Text: nb.code(data)}
			decls, err := c.declared(ctx, f)
			if err != nil {
				return nil, Info{}, fmt.Errorf("chunk %s: %w", path, err)
			}
			for _, d := range decls {
				i := slices.IndexFunc(chunks, func(c api.Chunk) bool { return c.StartLine <= d.Line && d.Line <= c.EndLine })
				if i >= 0 && !slices.Contains(chunks[i].Symbols, d.Name) {
					chunks[i].Symbols = append(chunks[i].Symbols, d.Name)
				}
			}
			assignDecls(chunks, decls)
			if len(chunks) > MaxChunks {
				info.CutFrom = chunks[MaxChunks].StartLine
				chunks = chunks[:MaxChunks]
			}
			return chunks, info, nil
		}
	}
	text, replaced, guessed := validText(data)
	src := sourceOf(text)
	info.Lines, info.Replaced, info.Guessed = src.lines(), replaced, guessed
	pieces, decls, err := c.cut(ctx, path, corpus, src, contentHash, &info)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, Info{}, fmt.Errorf("chunk %s: %w", path, err)
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
	assignDecls(chunks, decls)
	if o, ok := outline(chunks); ok && corpus == api.CorpusCode {
		chunks = append(chunks, o)
	}
	return chunks, info, nil
}

func (c *Chunker) cut(
	ctx context.Context, path string, corpus api.Corpus, src *source, contentHash string, info *Info,
) ([]Piece, []api.Decl, error) {
	info.Method = BySplitter
	language := info.Language
	if form := lang.Of(language).Headings; form != lang.NoHeadings || language == "" && corpus == api.CorpusDocs {
		info.Method = ByHeadings
		pieces, decls := byHeadings(src, form, limitsOf(corpus))
		inner, err := c.within(ctx, src, pieces, File{Language: language, Hash: contentHash, Text: src.text})
		return pieces, append(decls, inner...), err
	}
	l := lang.Of(language)
	if l.Rules == nil && !l.ByLines() {
		return plain(src, corpus), nil, nil
	}
	info.Minified = minified(src)
	switch {
	case info.Minified:
		info.Reason = ReasonMinified
	case len(src.text) > hugeFile:
		info.Reason = ReasonHuge
	case l.Rules == nil:
		info.Method = ByBlocks
		pieces, defs := byBlocks(src, l)
		inner, err := c.within(ctx, src, pieces, File{Language: language, Hash: contentHash, Text: src.text})
		return pieces, append(inner, declsOf(src, defs)...), err
	default:
		made, err := c.syntaxCut(ctx, File{Language: language, Hash: contentHash, Text: src.text}, src)
		if err != nil {
			return nil, nil, err
		}
		info.Errors, info.Reason = made.Errors, made.Reason
		if info.Reason == ReasonNone {
			info.Method = BySyntax
			return made.Pieces, made.Decls, nil
		}
	}
	pieces := plain(src, corpus)
	if info.Minified {
		return pieces, nil, nil
	}
	defs := lineDefs(src, l)
	attach(src, pieces, defs)
	return pieces, declsOf(src, extendEnds(src, defs)), nil
}

// within returns the declarations in the code of a page and adds their names to the page's pieces.
func (c *Chunker) within(ctx context.Context, src *source, pieces []Piece, f File) ([]api.Decl, error) {
	inner, err := c.declared(ctx, f)
	for _, d := range inner {
		at := src.starts[d.Line-1]
		i := slices.IndexFunc(pieces, func(p Piece) bool { return p.Start <= at && at < p.End })
		if i >= 0 && !slices.Contains(pieces[i].Symbols, d.Name) {
			pieces[i].Symbols = append(pieces[i].Symbols, d.Name)
		}
	}
	return inner, err
}

// declared returns the declarations in a file's code, for example in the script of a Vue file. It returns none if the
// file has no code, is huge or is minified.
func (c *Chunker) declared(ctx context.Context, f File) ([]api.Decl, error) {
	if _, _, ok := f.code(); !ok || len(f.Text) > hugeFile {
		return nil, nil
	}
	src := sourceOf(f.Text)
	if minified(src) {
		return nil, nil
	}
	made, err := c.syntaxCut(ctx, f, src)
	return made.Decls, err
}

// syntaxCut cuts a file along its tree and checks the ranges, because another process may have computed them.
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

// longLine is the maximum length in bytes of an ordinary line. A file of mostly longer lines is treated as minified,
// unless most of a line is in quotes, which is fast to parse.
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
