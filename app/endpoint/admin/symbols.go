package admin

import (
	"context"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Symbols finds names by syntax.
type Symbols interface {
	Symbol(ctx context.Context, roots []string, q api.SymbolQuery) (api.SymbolResults, error)
	Outline(ctx context.Context, root string, q api.OutlineQuery) (api.Outline, error)
}

// Grepping finds the lines that match a pattern.
type Grepping interface {
	Grep(ctx context.Context, roots []string, q api.GrepQuery) (api.GrepResults, error)
}

func grep(ctx context.Context, c *call, e Grepping, p wire.Grep) (api.GrepResults, error) {
	roots, err := c.find().All(ctx, p.Projects)
	if err != nil {
		return api.GrepResults{}, err
	}
	return e.Grep(ctx, roots, p.Query)
}

// findSymbol returns all results without shortening them, because a user waits for the answer.
func findSymbol(ctx context.Context, c *call, e Symbols, p wire.Symbol) (api.SymbolResults, error) {
	q := p.Query
	q.Complete = true
	if len(q.Name) > api.MaxName {
		return api.SymbolResults{}, api.ErrArgument("name", "the name of a function, type or variable")
	}
	roots, err := c.find().All(ctx, p.Projects)
	if err != nil {
		return api.SymbolResults{}, err
	}
	return e.Symbol(ctx, roots, q)
}

// outline returns the outline of a file in the named project, or in the session's project.
func outline(ctx context.Context, c *call, e Symbols, p wire.Outline) (api.Outline, error) {
	var named []string
	if p.Project != "" {
		named = []string{p.Project}
	}
	roots, err := c.find().All(ctx, named)
	if err != nil {
		return api.Outline{}, err
	}
	return e.Outline(ctx, roots[0], p.Query)
}
