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

// The library transfers rows as JSON. Pages limit its size to a few megabytes. A key takes some 100 bytes, a vector 4
// KB and, once parsed, ten times as much.
const (
	keyPage    = 20_000
	rowPage    = 500
	vectorPage = 250
)

// pages reads columns of all rows in pages until visit returns false.
func (db *DB) pages(
	ctx context.Context, at vector.Place, columns []string, limit int, visit func([]map[string]any) (bool, error),
) error {
	for offset := 0; ; offset += limit {
		var rows []map[string]any
		err := db.call(ctx, at, "list vectors", func(t contracts.ITable) (err error) {
			rows, err = t.Select(ctx, contracts.QueryConfig{Columns: columns, Limit: &limit, Offset: &offset})
			return err
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

// Keys implements vector.Native.
func (db *DB) Keys(ctx context.Context, at vector.Place, visit func([]vector.Key) bool) error {
	return db.pages(ctx, at, []string{"id", "path", "content_hash"}, keyPage, func(rows []map[string]any) (bool, error) {
		keys := make([]vector.Key, len(rows))
		for i, r := range rows {
			id, ok1 := r["id"].(string)
			path, ok2 := r["path"].(string)
			hash, ok3 := r["content_hash"].(string)
			if !ok1 || !ok2 || !ok3 {
				return false, fmt.Errorf("%w: a row has a missing column", vector.ErrCorrupt)
			}
			keys[i] = vector.Key{ID: id, Path: path, ContentHash: hash}
		}
		return visit(keys), nil
	})
}

// Rows implements vector.Native.
func (db *DB) Rows(ctx context.Context, at vector.Place, visit func([]vector.Row) error) error {
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

// Vectors implements vector.Native.
func (db *DB) Vectors(ctx context.Context, at vector.Place, ids []string) (map[string]api.Vector, error) {
	out := make(map[string]api.Vector, len(ids))
	for part := range slices.Chunk(ids, vectorPage) {
		var rows []map[string]any
		err := db.call(ctx, at, "read vectors", func(t contracts.ITable) (err error) {
			rows, err = t.Select(ctx, contracts.QueryConfig{Columns: []string{"id", "vector"}, Where: in("id", part)})
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			id, ok := r["id"].(string)
			values, ok2 := r["vector"].([]any)
			if !ok || !ok2 {
				return nil, fmt.Errorf("read vectors: %w: a row has a missing column", vector.ErrCorrupt)
			}
			if out[id], err = vectorIn(values); err != nil {
				return nil, fmt.Errorf("read vectors: %w", err)
			}
		}
	}
	return out, nil
}

func rowOf(r map[string]any) (vector.Row, error) {
	id, ok1 := r["id"].(string)
	path, ok2 := r["path"].(string)
	hash, ok3 := r["content_hash"].(string)
	start, ok4 := r["start_line"].(float64)
	end, ok5 := r["end_line"].(float64)
	values, ok6 := r["vector"].([]any)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 {
		return vector.Row{}, fmt.Errorf("%w: a row has a missing column", vector.ErrCorrupt)
	}
	v, err := vectorIn(values)
	return vector.Row{ID: id, Path: path, ContentHash: hash, StartLine: int(start), EndLine: int(end), Vector: v}, err
}

// vectorIn decodes a vector from the library's JSON.
func vectorIn(values []any) (v api.Vector, err error) {
	if len(values) != api.VectorDim {
		return v, fmt.Errorf("%w: a vector has %d components", vector.ErrCorrupt, len(values))
	}
	for i, x := range values {
		f, ok := x.(float64)
		if !ok {
			return v, fmt.Errorf("%w: a component is no number", vector.ErrCorrupt)
		}
		v[i] = float32(f)
	}
	return v, nil
}
