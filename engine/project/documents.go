package project

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"

	"searchmcp/engine/api"
	"searchmcp/engine/chunk"
	"searchmcp/engine/scan"
	"searchmcp/engine/store/trees"
	"searchmcp/engine/symbol"
)

// documents gives a project's files with their syntax trees: kept ones of the same content, others are parsed and kept.
type documents struct {
	kept   *trees.Store
	parser symbol.Parser
	reader *chunk.Trees
	log    *slog.Logger
	wanted chan struct{} // signalled: fillTrees has work
	filled atomic.Bool   // it has been through all files
	missed atomic.Bool   // a question could not wait for a file to be parsed
}

func newDocuments(dir string, parser symbol.Parser, log *slog.Logger) *documents {
	return &documents{
		kept: trees.New(dir, chunk.TreeVersion()), parser: parser, reader: chunk.NewTrees(nil), log: log,
		wanted: make(chan struct{}, 1),
	}
}

// Document implements symbol.Documents. A file that no parser can take, or not now, has its definitions found by lines.
func (d *documents) Document(ctx context.Context, path string, f chunk.File) (*chunk.Document, error) {
	if tree, ok := d.kept.Get(path, f.Hash); ok {
		if doc, err := d.reader.Document(f, tree); err == nil {
			return doc, nil
		}
	}
	if !chunk.Parseable(f.Text) {
		return chunk.Plain(f.Language, f.Text), nil
	}
	tree, err := d.parser.Tree(ctx, f)
	switch {
	case errors.Is(err, symbol.ErrNoParser):
		return chunk.Plain(f.Language, f.Text), nil
	case err != nil:
		d.missed.Store(true)
		return nil, err
	}
	d.keep(trees.Item{Path: path, Hash: f.Hash, Tree: tree})
	return d.reader.Document(f, tree)
}

func (d *documents) keep(items ...trees.Item) {
	if err := d.kept.Put(items); err != nil {
		d.log.Warn("syntax trees not kept", "err", err) // the next question parses the files again
	}
}

func (d *documents) close() {
	if err := d.kept.Close(); err != nil {
		d.log.Warn("syntax trees not closed", "err", err)
	}
}

// asked is called after each question: the first one has the files parsed that have no tree, so that only who asks pays
// for it, and so has one that could not wait for a parser.
func (d *documents) asked() {
	if d.filled.Load() && !d.missed.Load() {
		return
	}
	select {
	case d.wanted <- struct{}{}:
	default: // it is at work
	}
}

// fillTrees parses files of the code that have no tree when it is asked for, until ctx ends: an index that was made
// without, or what a shared index has.
func (r *Registry) fillTrees(ctx context.Context, p *Project) {
	d := p.documents
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wanted:
		}
		if p.actor.Snapshot().State == api.StatePaused {
			continue
		}
		d.missed.Store(false)
		names := p.names()
		paths := names.Paths(api.CorpusCode)
		names.release()
		n := 0
		for _, path := range paths {
			if ctx.Err() != nil {
				return
			}
			if !d.kept.Known(path) && r.fillOne(p, path) {
				n++
			}
		}
		d.filled.Store(true)
		if n > 0 {
			d.log.Info("syntax trees made", "files", n)
		}
	}
}

// fillOne parses one file for the questions to come, at the priority of an index.
func (r *Registry) fillOne(p *Project, path string) bool {
	if !p.allowed(path) {
		return false
	}
	data, ok := p.readNow(path)
	if !ok {
		return false
	}
	f := chunk.File{Hash: scan.Hash(data)}
	f.Language, f.Text = chunk.Read(path, data)
	if !chunk.HasGrammar(f.Language) || !chunk.Parseable(f.Text) {
		return false
	}
	tree, err := r.opt.Filler.Tree(p.ctx, f)
	if err != nil {
		return false // the next question asks again
	}
	p.documents.keep(trees.Item{Path: path, Hash: f.Hash, Tree: tree})
	return true
}
