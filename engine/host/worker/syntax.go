package worker

import (
	"context"
	"errors"
	"fmt"

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
	c, err := opCut.Call(ctx, s.p.Retry, f)
	if errors.Is(err, native.ErrUnavailable) {
		c, err = opCut.Call(ctx, s.p.Retry, f) // an upgrade in the middle, a start that failed once
	}
	var died *native.Died
	switch {
	case err == nil:
		return c, nil
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
	tree, err := opTree.Call(ctx, s.p.Retry, f)
	var died *native.Died
	switch {
	case err == nil:
		return tree, nil
	case errors.As(err, &died) && died.Blames():
		s.poison.Add(f.Hash, "parse "+f.Language, died.Cause)
		return nil, nil
	case errors.Is(err, native.ErrUnavailable):
		return nil, fmt.Errorf("%w: %w", symbol.ErrNoParser, err)
	}
	return nil, fmt.Errorf("parse: %w", err)
}

// Parsing answers Syntax's calls in the worker.
func Parsing(s *chunk.Trees) native.Handlers {
	h := native.Handlers{}
	opCut.Serve(h, s.Cut)
	opTree.Serve(h, s.Tree)
	return h
}
