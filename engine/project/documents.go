package project

import (
	"context"
	"errors"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/search/symbol"
)

type documents struct {
	parser symbol.Parser
	reader *chunk.Trees
}

// Document parses f and finds its definitions. Without a parser, it searches the lines for definitions.
func (d *documents) Document(ctx context.Context, f chunk.File) (*chunk.Document, error) {
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
	return d.reader.Document(f, tree)
}
