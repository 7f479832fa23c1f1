package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path"
	"time"

	"searchmcp/app/bench/quality"
	"searchmcp/app/bench/quality/token"
	"searchmcp/app/endpoint/tools"
	"searchmcp/engine"
	"searchmcp/engine/api"
)

// slow is the time above which -misses lists an answer.
const slow = 50 * time.Millisecond

// large measures the times of answers in the project dir, for names drawn from the outlines of its files.
func (o *options) large(ctx context.Context, eng *engine.Engine, dir string, w io.Writer) error {
	if err := index(ctx, eng, dir); err != nil {
		return err
	}
	status, err := eng.Status(ctx, dir)
	if err != nil {
		return err
	}
	files, err := eng.Files(ctx, []string{dir}, api.FileQuery{Pattern: "**", Limit: api.MaxGlob})
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	var t tally
	complete, uses := 0, 0
	for len(t.times) < o.n {
		file := files.Matches[r.IntN(len(files.Matches))]
		outline, err := eng.Outline(ctx, dir, api.OutlineQuery{Path: file})
		if err != nil || len(outline.Nodes) == 0 || path.Ext(file) == ".md" {
			continue
		}
		n := outline.Nodes[r.IntN(len(outline.Nodes))]
		if !plain(n.Name) {
			continue
		}
		q := api.SymbolQuery{Name: n.Name, Path: file, Uses: true}
		began := time.Now()
		found, err := eng.Symbol(ctx, []string{dir}, q)
		if err != nil {
			return err
		}
		t.times = append(t.times, time.Since(began))
		if took := time.Since(began); o.misses && took > slow {
			fmt.Fprintf(w, "%s for %s in %s: %d definitions, %d uses, %d files unread\n", ms(took), n.Name, file,
				len(found.Definitions), found.TotalUses, found.Unread)
		}
		answer, err := tools.SymbolAnswer(found, q, tools.SymbolTokens)
		if err != nil {
			return err
		}
		tokens, err := token.Count(string(answer))
		if err != nil {
			return err
		}
		t.tokens = append(t.tokens, tokens)
		uses += found.TotalUses
		if found.Unread == 0 {
			complete++
		}
	}
	_, err = fmt.Fprintf(w,
		"%d files, %d names: %s median, %s p95; tokens %d median, %d p95; %d of the answers complete, %.1f uses each\n",
		status.Files, len(t.times), t.time(0.5), t.time(0.95), quality.Quantile(t.tokens, 0.5),
		quality.Quantile(t.tokens, 0.95), complete, float64(uses)/float64(len(t.times)))
	return err
}
