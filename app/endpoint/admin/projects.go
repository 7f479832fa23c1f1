package admin

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/session"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// preview returns the preview of a project. It also stores the folder's identity, because an approval is valid only for
// that folder.
func preview(ctx context.Context, c *call, root string, _ wire.ProjectRef) (api.Preview, error) {
	c.session.SetPreviewed(root, c.engine.Identify(root))
	return c.engine.Preview(ctx, root)
}

func setConfig(ctx context.Context, c *call, root string, p wire.ConfigText) (wire.ConfigText, error) {
	before := c.engine.Config(root).EnhancedToolDescriptions
	problems, err := c.engine.SetConfigText(ctx, root, p.Text)
	if err != nil {
		return wire.ConfigText{}, err
	}
	if c.engine.Config(root).EnhancedToolDescriptions != before {
		c.o.ToolsChanged()
	}
	text, _, err := c.engine.ConfigText(root)
	return wire.ConfigText{ProjectRef: wire.RefTo(root), Text: text, Problems: problems}, err
}

func search(ctx context.Context, c *call, roots []string, q api.Query) (api.Results, error) {
	q.TopK, q.Corpus = cmp.Or(q.TopK, api.DefaultTopK), cmp.Or(q.Corpus, api.CorpusCode)
	if !slices.Contains(api.Corpora, q.Corpus) {
		return api.Results{}, api.ErrArgument("corpus", fmt.Sprintf("'code' or 'docs', not %s", display.Echo(q.Corpus)))
	}
	if q.TopK < 1 || q.TopK > api.MaxTopK {
		return api.Results{}, api.ErrArgument("top_k", fmt.Sprintf("a whole number from 1 to %d", api.MaxTopK))
	}
	return c.engine.Search(ctx, roots, q)
}

func findFiles(ctx context.Context, c *call, roots []string, q api.FileQuery) (api.FileResults, error) {
	if q.Limit < 1 || q.Limit > api.MaxGlob {
		return api.FileResults{}, api.ErrArgument("limit", fmt.Sprintf("a whole number from 1 to %d", api.MaxGlob))
	}
	return c.engine.Files(ctx, roots, q)
}

func findSymbol(ctx context.Context, c *call, roots []string, q api.SymbolQuery) (api.SymbolResults, error) {
	q.Complete = true
	if len(q.Name) > api.MaxName {
		return api.SymbolResults{}, api.ErrArgument("name", "the name of a function, type or variable")
	}
	return c.engine.Symbol(ctx, roots, q)
}

func publishShared(ctx context.Context, c *call, root string, p wire.Share) (api.Publication, error) {
	c.log.Info("the user publishes an index", "project", root)
	report := session.NewProgress(ctx, c.session)
	return c.engine.PublishShared(ctx, root, p.Location, func(stage api.PublishStage, done, of int) {
		const texts = 10 // percentage of the texts in the progress; the vectors are about ten times as large
		part := float64(done) / float64(max(of, 1))
		if stage == api.PublishTexts {
			report.Report(texts*part, fmt.Sprintf("Publishing texts: %d of %d files", done, of))
		} else {
			report.Report(texts+(session.Percents-texts)*part, fmt.Sprintf("Publishing vectors: %d of %d", done, of))
		}
	})
}
