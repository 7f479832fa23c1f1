package worker

import (
	"context"
	"errors"
	"fmt"

	"searchmcp/engine/chunk"
	"searchmcp/engine/native"
	"searchmcp/engine/symbol"
)

// Extract implements symbol.Extractor. Who asks waits for the answer, so a file that can't be parsed now is left to
// the search by words.
func (s *Syntax) Extract(ctx context.Context, f chunk.File, name string) (symbol.File, error) {
	plain := func() symbol.File {
		d := chunk.Plain(f.Language, f.Text)
		return symbol.Extract(d, name)
	}
	if s.poison.Has(f.Hash) {
		return plain(), nil
	}
	args := make(native.Body, 0, len(f.Language)+len(f.Text)+len(name)+16).Text(f.Language).Text(f.Text).Text(name)
	r, err := s.p.Retry(ctx, opExtract, args, nil)
	var died *native.Died
	switch {
	case err == nil:
		return readExtract(r)
	case errors.As(err, &died) && died.Alone && !died.Memory:
		s.poison.Add(f.Hash, "parse "+f.Language, died.Cause)
		return plain(), nil
	case errors.Is(err, native.ErrUnavailable):
		return plain(), nil
	}
	return symbol.File{}, fmt.Errorf("extract symbols: %w", err)
}

// Extracting answers Extract's calls in the worker.
func Extracting(e symbol.Extractor) map[byte]native.Handler {
	return map[byte]native.Handler{opExtract: func(
		ctx context.Context, r *native.Reader, _ func(native.Body)) (native.Body, error) {
		f, name := chunk.File{Language: r.Text(), Text: r.Text()}, r.Text()
		if err := r.End(); err != nil {
			return nil, err
		}
		got, err := e.Extract(ctx, f, name)
		if err != nil {
			return nil, err
		}
		b := native.Body{}.Bool(got.Words).Texts(got.Imports).Uint(len(got.Definitions))
		for _, d := range got.Definitions {
			b = b.Text(d.Name).Texts(d.Scope).Text(string(d.Kind)).Uint(d.Line).Uint(d.Last).Uint(d.NameLine).Uint(d.Column).
				Text(d.Signature).Text(d.Comment).Bool(d.Member).Bool(d.Abstract).Bool(d.Place).Bool(d.Inner).
				Texts(d.Gives).Text(d.Parameters).Texts(d.Bases).Text(d.Alias)
		}
		b = b.Uint(len(got.References))
		for _, u := range got.References {
			b = b.Uint(u.Line).Uint(u.Column).Uint(int(u.Role)).Text(u.Receiver).Text(u.Type).Texts(
				u.Expr).Texts(u.In).Bool(u.Local)
		}
		return b, nil
	}}
}

func readExtract(r *native.Reader) (symbol.File, error) {
	f := symbol.File{Words: r.Bool(), Imports: r.Texts()}
	f.Definitions = make([]symbol.Definition, r.Count())
	for i := range f.Definitions {
		d := &f.Definitions[i]
		d.Name, d.Scope, d.Kind = r.Text(), r.Texts(), chunk.Kind(r.Text())
		d.Line, d.Last, d.NameLine, d.Column = r.Uint(), r.Uint(), r.Uint(), r.Uint()
		d.Signature, d.Comment, d.Member, d.Abstract, d.Place, d.Inner = r.Text(), r.Text(), r.Bool(),
			r.Bool(), r.Bool(), r.Bool()
		d.Gives, d.Parameters, d.Bases, d.Alias = r.Texts(), r.Text(), r.Texts(), r.Text()
	}
	f.References = make([]symbol.Reference, r.Count())
	for i := range f.References {
		u := &f.References[i]
		u.Line, u.Column, u.Role = r.Uint(), r.Uint(), symbol.Role(r.Uint())
		u.Receiver, u.Type, u.Expr, u.In, u.Local = r.Text(), r.Text(), r.Texts(), r.Texts(), r.Bool()
	}
	return f, r.End()
}
