package worker

import (
	"context"
	"errors"
	"fmt"

	"searchmcp/engine/host/native"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/search/symbol"
)

// Syntax parses files in a worker. It implements chunk.Syntax and symbol.Parser.
type Syntax struct {
	p      *native.Process
	poison *Poison
	away   func()
}

func NewSyntax(p *native.Process, poison *Poison, away func()) *Syntax {
	return &Syntax{p, poison, away}
}

// Cut splits the file f into chunks. Without a working parser, Cut splits the file by size and returns
// chunk.ReasonAway.
func (s *Syntax) Cut(ctx context.Context, f chunk.File) (chunk.Cut, error) {
	if s.poison.Has(f.Hash) {
		return chunk.Cut{Reason: chunk.ReasonSkipped}, nil
	}
	c, err := opCut.Call(ctx, s.p.Retry, f)
	if errors.Is(err, native.ErrUnavailable) {
		// Retry once, because starting the worker may fail during an upgrade.
		c, err = opCut.Call(ctx, s.p.Retry, f)
	}
	var died *native.CrashError
	switch {
	case err == nil:
		return c, nil
	case errors.As(err, &died) && died.CausedByCall():
		s.poison.Add(f.Hash, "parse "+f.Language, died.Cause)
		return chunk.Cut{Reason: chunk.ReasonSkipped}, nil
	case errors.Is(err, native.ErrUnavailable), died != nil && !died.Memory:
		if s.away != nil {
			s.away()
		}
		return chunk.Cut{Reason: chunk.ReasonAway}, nil
	}
	return chunk.Cut{}, fmt.Errorf("split by syntax: %w", err)
}

// Tree returns the encoded syntax tree of f. If the worker can't run, Tree returns symbol.ErrNoParser at once.
func (s *Syntax) Tree(ctx context.Context, f chunk.File) ([]byte, error) {
	if s.poison.Has(f.Hash) {
		return nil, nil
	}
	tree, err := opTree.Call(ctx, s.p.Retry, f)
	var died *native.CrashError
	switch {
	case err == nil:
		return tree, nil
	case errors.As(err, &died) && died.CausedByCall():
		s.poison.Add(f.Hash, "parse "+f.Language, died.Cause)
		return nil, nil
	case errors.Is(err, native.ErrUnavailable):
		return nil, fmt.Errorf("%w: %w", symbol.ErrNoParser, err)
	}
	return nil, fmt.Errorf("parse: %w", err)
}

func ParseHandlers(s *chunk.Trees) native.Handlers {
	h := native.Handlers{}
	opCut.Serve(h, s.Cut)
	opTree.Serve(h, s.Tree)
	return h
}
