//go:build cgo && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package lance

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/lancedb/lancedb-go/pkg/lancedb"

	"searchmcp/engine/store/vector"
)

// A table of an earlier version, whose texts are not compressed and which has no sketch, is written and searched.
func TestLanceOlderTable(t *testing.T) {
	dir := t.TempDir()
	rows := testRows(rand.New(rand.NewPCG(1, 2)), 40)
	fields := schema.Fields()
	for i := range fields {
		fields[i].Metadata = arrow.Metadata{}
	}
	plain, err := lancedb.NewSchema(arrow.NewSchema(fields, nil))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := lancedb.Connect(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := conn.CreateTable(t.Context(), "project_docs", plain)
	if err != nil {
		t.Fatal(err)
	}
	rec := record(rows[:20])
	defer rec.Release()
	if err := table.AddRecords(t.Context(), []arrow.Record{rec}, nil); err != nil {
		t.Fatal(err)
	}
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(vector.SketchDir(dir, "project_docs")); err != nil {
		t.Fatal(err)
	}
	again := openTest(t, dir)
	if err := again.Add(t.Context(), rows[20:]); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{3, 33} {
		hits, err := again.Search(t.Context(), vector.Query{Vector: rows[n].Vector, K: 2})
		if err != nil || len(hits) != 2 || hits[0].ID != rows[n].ID {
			t.Errorf("row %d: %+v, %v", n, hits, err)
		}
	}
}
