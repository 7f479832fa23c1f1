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
	kept    *trees.Store
	parser  symbol.Parser
	reader  *chunk.Trees
	log     *slog.Logger
	filling atomic.Bool // fill is at work
	filled  atomic.Bool // it has been through
}

func newDocuments(dir string, parser symbol.Parser, log *slog.Logger) *documents {
	return &documents{kept: trees.New(dir, chunk.TreeVersion()), parser: parser, reader: chunk.NewTrees(nil), log: log}
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

// fill parses the files of the code that have no tree, once at a time: an index that was made without, or files that a
// shared index has. It begins with the first question, so that only who asks pays for it, and again with one that left
// files unread; it ends with the project.
func (r *Registry) fill(p *Project, unread int) {
	d := p.documents
	if d.filled.Load() && unread == 0 || p.actor.Snapshot().State == api.StatePaused ||
		!d.filling.CompareAndSwap(false, true) {
		return
	}
	names := p.names()
	paths := names.Paths(api.CorpusCode)
	names.release()
	r.wg.Go(func() {
		defer d.filling.Store(false)
		n := 0
		for _, path := range paths {
			if p.ctx.Err() != nil {
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
	})
}

// fillOne parses one file for the questions to come, at the priority of an index.
func (r *Registry) fillOne(p *Project, path string) bool {
	if !p.allowed(path) || !chunk.HasGrammar(chunk.Language(path, nil)) {
		return false
	}
	data, ok := p.readNow(path)
	if !ok {
		return false
	}
	language := chunk.Language(path, data[:min(len(data), 4096)])
	f := chunk.File{Language: language, Text: chunk.Text(data), Hash: scan.Hash(data)}
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
