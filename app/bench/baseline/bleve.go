package baseline

import (
	"context"
	"fmt"
	"strconv"

	"github.com/blevesearch/bleve/v2"
)

// top is the number of results of a search, which is the product's default.
const top = 10

type bleveIndex struct{ bleve.Index }

// Bleve creates an index with bleve's standard mapping and BM25 in dir, which must not exist.
func Bleve(dir string) (Index, error) {
	mapping := bleve.NewIndexMapping()
	mapping.ScoringModel = "bm25"
	x, err := bleve.New(dir, mapping)
	if err != nil {
		return nil, fmt.Errorf("create bleve index: %w", err)
	}
	return bleveIndex{x}, nil
}

func (x bleveIndex) Add(_ context.Context, rows []Row) error {
	b := x.NewBatch()
	for _, r := range rows {
		if err := b.Index(r.Path+":"+strconv.Itoa(r.Line), map[string]string{"path": r.Path, "text": r.Text}); err != nil {
			return fmt.Errorf("add to bleve index: %w", err)
		}
	}
	if err := x.Batch(b); err != nil {
		return fmt.Errorf("write bleve index: %w", err)
	}
	return nil
}

func (x bleveIndex) Search(ctx context.Context, question string) (int, error) {
	req := bleve.NewSearchRequestOptions(bleve.NewMatchQuery(question), top, 0, false)
	req.Fields = []string{"path", "text"}
	found, err := x.SearchInContext(ctx, req)
	if err != nil {
		return 0, fmt.Errorf("search bleve index: %w", err)
	}
	return len(found.Hits), nil
}
