package e2e

import (
	"path/filepath"
	"sync"
	"testing"
)

// TestCallsDuringDelete checks that every tool called while an index is deleted answers from it or reports it as
// missing.
func TestCallsDuringDelete(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	w.write(filepath.Join(root, "README.md"), "# Shelf\n\nLists and heaps.\n")
	var editors []*editor
	for range 3 {
		editors = append(editors, w.connect(root))
	}
	calls := []struct {
		tool string
		args map[string]any
	}{
		{"search_code", map[string]any{"query": "push an element"}}, {"search_docs", map[string]any{"query": "lists"}},
		{"search_by_path", map[string]any{"pattern": "**/*.go"}}, {"find_symbol", map[string]any{"name": "Push",
			"uses": true}},
		{"outline", map[string]any{"path": "container/heap/heap.go"}}, {"outline", nil}, {"get_index_status", nil},
		{"reindex_file", map[string]any{"path": "container/heap/heap.go"}},
	}
	answered, gone := 0, 0
	for range 2 {
		w.mustCLI("index", root, "--yes")
		var wg sync.WaitGroup
		var mu sync.Mutex
		stop := make(chan struct{})
		for i, e := range editors {
			wg.Go(func() {
				for n := i; ; n++ {
					c := calls[n%len(calls)]
					res, err := e.c.CallTool(t.Context(), request(c.tool, c.args))
					if err != nil {
						t.Errorf("%s: %v", c.tool, err)
						return
					}
					fields, _ := res.StructuredContent.(map[string]any)
					mu.Lock()
					if res.IsError && fields["code"] != "INDEX_NOT_FOUND" {
						t.Errorf("%s: %v", c.tool, fields)
					}
					if res.IsError {
						gone++
					} else {
						answered++
					}
					mu.Unlock()
					select {
					case <-stop:
						return
					default:
					}
				}
			})
		}
		w.mustCLI("delete", "--project", root, "--yes")
		close(stop)
		wg.Wait()
	}
	if answered == 0 {
		t.Errorf("%d calls were answered, %d without an index", answered, gone)
	}
}
