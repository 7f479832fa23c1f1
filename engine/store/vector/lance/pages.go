//go:build cgo && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package lance

import (
	"context"
	"fmt"
	"slices"

	"github.com/lancedb/lancedb-go/pkg/contracts"

	"searchmcp/engine/api"
	"searchmcp/engine/store/vector"
)

// LanceDB returns the rows of a query as JSON. Parsing needs ten times the memory of the JSON, so a page has at most 2
// MB.
const (
	keyPage    = 20_000 // rows without vectors, 100 bytes each
	rowPage    = 500    // rows with vectors, 4 KB each
	vectorPage = 250
)

// pages calls visit with pages of at most limit rows, until visit returns false.
func (db *DB) pages(
	ctx context.Context, at vector.Location, columns []string, limit int, visit func([]map[string]any) (bool, error),
) error {
	for offset := 0; ; offset += limit {
		rows, err := query(ctx, db, at, "list vectors", func(t contracts.ITable) ([]map[string]any, error) {
			return t.Select(ctx, contracts.QueryConfig{Columns: columns, Limit: &limit, Offset: &offset})
		})
		if err != nil {
			return err
		}
		more, err := visit(rows)
		if err != nil {
			return fmt.Errorf("list vectors: %w", err)
		}
		if !more || len(rows) < limit {
			return nil
		}
	}
}

func (db *DB) Keys(ctx context.Context, at vector.Location, visit func([]vector.Key) bool) error {
	return db.pages(ctx, at, []string{"id", "path", "content_hash"}, keyPage, func(rows []map[string]any) (bool, error) {
		keys := make([]vector.Key, len(rows))
		var err error
		for i, r := range rows {
			keys[i] = vector.Key{ID: column[string](r, "id", &err), Path: column[string](r, "path", &err),
				ContentHash: column[string](r, "content_hash", &err)}
		}
		return err == nil && visit(keys), err
	})
}

func (db *DB) Rows(ctx context.Context, at vector.Location, visit func([]vector.Row) error) error {
	columns := []string{"id", "path", "start_line", "end_line", "content_hash", "vector"}
	return db.pages(ctx, at, columns, rowPage, func(found []map[string]any) (bool, error) {
		rows := make([]vector.Row, len(found))
		for i, r := range found {
			var err error
			if rows[i], err = rowOf(r); err != nil {
				return false, err
			}
		}
		return true, visit(rows)
	})
}

func (db *DB) Vectors(ctx context.Context, at vector.Location, ids []string) (map[string]api.Vector, error) {
	out := make(map[string]api.Vector, len(ids))
	for part := range slices.Chunk(ids, vectorPage) {
		rows, err := query(ctx, db, at, "read vectors", func(t contracts.ITable) ([]map[string]any, error) {
			return t.Select(ctx, contracts.QueryConfig{Columns: []string{"id", "vector"}, Where: in("id", part)})
		})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[column[string](r, "id", &err)] = vectorOf(r, &err)
		}
		if err != nil {
			return nil, fmt.Errorf("read vectors: %w", err)
		}
	}
	return out, nil
}

func rowOf(r map[string]any) (row vector.Row, err error) {
	row = vector.Row{ID: column[string](r, "id", &err), Path: column[string](r, "path", &err),
		ContentHash: column[string](r, "content_hash", &err), StartLine: int(column[float64](r, "start_line", &err)),
		EndLine: int(column[float64](r, "end_line", &err)), Vector: vectorOf(r, &err)}
	return row, err
}

// vectorOf returns the vector of a row. It sets err if the row has no valid vector.
func vectorOf(row map[string]any, err *error) (v api.Vector) {
	values := column[[]any](row, "vector", err)
	if *err == nil && len(values) != len(v) {
		*err = fmt.Errorf("%w: a vector has %d components", vector.ErrCorrupt, len(values))
	}
	for i := range values {
		if *err != nil {
			break
		}
		f, ok := values[i].(float64)
		if v[i] = float32(f); !ok {
			*err = fmt.Errorf("%w: a component is not a number", vector.ErrCorrupt)
		}
	}
	return v
}
