package worker

import (
	"context"
	"errors"
	"fmt"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/search/symbol"
)

// Syntax is chunk.Syntax and symbol.Parser in a process of its own. Safe for concurrent use.
type Syntax struct {
	p      *native.Process
	poison *Poison
	away   func() // called when a file was not parsed for another reason than itself
}

// NewSyntax returns the parsers of a process. A content that killed it alone is remembered by poison and never
// parsed again. away, which may be nil, is called after each file that is to be cut again.
func NewSyntax(p *native.Process, poison *Poison, away func()) *Syntax {
	return &Syntax{p, poison, away}
}

// Cut implements chunk.Syntax. Where the process cannot run or ends for another reason than this content, twice, the
// file is for the splitter: its words are found, and it is cut again when the process runs (chunk.ReasonAway).
func (s *Syntax) Cut(ctx context.Context, f chunk.File) (chunk.Cut, error) {
	if s.poison.Has(f.Hash) {
		return chunk.Cut{Reason: chunk.ReasonSkipped}, nil
	}
	args := make(native.Body, 0, len(f.Language)+len(f.Text)+8).Text(f.Language).Text(f.Text)
	r, err := s.p.Retry(ctx, opCut, args, nil)
	if errors.Is(err, native.ErrUnavailable) {
		r, err = s.p.Retry(ctx, opCut, args, nil) // an upgrade in the middle, a start that failed once
	}
	var died *native.Died
	switch {
	case err == nil:
		return readCut(r)
	case errors.As(err, &died) && died.Blames():
		s.poison.Add(f.Hash, "parse "+f.Language, died.Cause)
		return chunk.Cut{Reason: chunk.ReasonSkipped}, nil
	case errors.Is(err, native.ErrUnavailable), died != nil && !died.Memory:
		if s.away != nil {
			s.away()
		}
		return chunk.Cut{Reason: chunk.ReasonAway}, nil
	}
	return chunk.Cut{}, fmt.Errorf("cut by syntax: %w", err)
}

// Tree implements symbol.Parser. A process that cannot run fails the call at once.
func (s *Syntax) Tree(ctx context.Context, f chunk.File) ([]byte, error) {
	if s.poison.Has(f.Hash) {
		return nil, nil
	}
	args := make(native.Body, 0, len(f.Language)+len(f.Text)+8).Text(f.Language).Text(f.Text)
	r, err := s.p.Retry(ctx, opTree, args, nil)
	var died *native.Died
	switch {
	case err == nil:
		tree := r.Bytes()
		return tree, r.End()
	case errors.As(err, &died) && died.Blames():
		s.poison.Add(f.Hash, "parse "+f.Language, died.Cause)
		return nil, nil
	case errors.Is(err, native.ErrUnavailable):
		return nil, fmt.Errorf("%w: %w", symbol.ErrNoParser, err)
	}
	return nil, fmt.Errorf("parse: %w", err)
}

// Parsing answers Syntax's calls in the worker.
func Parsing(s *chunk.Trees) map[byte]native.Handler {
	made := func(ctx context.Context, r *native.Reader, _ func(native.Body)) (native.Body, error) {
		f := chunk.File{Language: r.Text(), Text: r.Text()}
		if err := r.End(); err != nil {
			return nil, err
		}
		t, err := s.Tree(ctx, f)
		if err != nil {
			return nil, err
		}
		return make(native.Body, 0, len(t)+8).Bytes(t), nil
	}
	cut := func(ctx context.Context, r *native.Reader, _ func(native.Body)) (native.Body, error) {
		f := chunk.File{Language: r.Text(), Text: r.Text()}
		if err := r.End(); err != nil {
			return nil, err
		}
		c, err := s.Cut(ctx, f)
		if err != nil {
			return nil, err
		}
		b := make(native.Body, 0, 64*(len(c.Pieces)+1))
		b = b.Bool(c.Errors).Text(string(c.Reason)).Uint(len(c.Pieces))
		for _, p := range c.Pieces {
			b = b.Uint(p.Start).Uint(p.End - p.Start).Texts(p.Breadcrumb).Texts(p.Symbols)
		}
		b = b.Uint(len(c.Decls))
		for _, d := range c.Decls {
			b = b.Text(d.Name).Text(d.Kind).Texts(d.Scope).Text(d.Signature).
				Uint(d.Start).Uint(d.Line - d.Start).Uint(d.End - d.Line)
		}
		return b, nil
	}
	return map[byte]native.Handler{opCut: cut, opTree: made}
}

func readCut(r *native.Reader) (chunk.Cut, error) {
	c := chunk.Cut{Errors: r.Bool(), Reason: chunk.Reason(r.Text())}
	c.Pieces = make([]chunk.Piece, r.Count())
	for i := range c.Pieces {
		p := &c.Pieces[i]
		p.Start = r.Uint()
		p.End = p.Start + r.Uint()
		p.Breadcrumb, p.Symbols = r.Texts(), r.Texts()
	}
	c.Decls = make([]api.Decl, r.Count())
	for i := range c.Decls {
		d := &c.Decls[i]
		d.Name, d.Kind, d.Scope, d.Signature = r.Text(), r.Text(), r.Texts(), r.Text()
		d.Start = r.Uint()
		d.Line = d.Start + r.Uint()
		d.End = d.Line + r.Uint()
	}
	return c, r.End()
}
