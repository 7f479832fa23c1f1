package endpoint

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"searchmcp/app/socket/wire"
)

// TestTwentySessionsLeaveNothingBehind checks that with twenty concurrent editors, some of which disconnect midway,
// every call is answered and no resource leaks.
func TestTwentySessionsLeaveNothingBehind(t *testing.T) {
	const editors, calls = 20, 500 // 10,000 calls
	before := runtime.NumGoroutine()
	h, dial, stop := listen(t, newFake("a", "b"))
	var wait sync.WaitGroup
	for n := range editors {
		wait.Go(func() {
			conn := dial()
			p := h.over(t, conn, &wire.Hello{Project: "/p/" + string("ab"[n%2])})
			defer conn.Close()
			p.handshake(nil)
			for i := range calls {
				if n%5 == 4 && i == calls/2 {
					p.request("tools/call", map[string]any{"name": "search_code", "arguments": map[string]any{"query": "x"}})
					return // the editor disconnects without waiting
				}
				want := fmt.Sprintf(`roots: /p/%c"`, "ab"[n%2])
				var r toolResult
				switch i % 4 {
				case 0:
					r, want = p.tool("list_projects", nil), `"totalProjects":2`
				case 1:
					r, want = p.modernTool("get_index_status", nil, nil, nil), `"status":"ready"`
				default:
					r = p.tool("search_code", map[string]any{"query": "x"})
				}
				if !strings.Contains(string(r.Structured), want) {
					t.Errorf("editor %d, call %d: %s", n, i, r.Structured)
				}
			}
		})
	}
	wait.Wait()
	stop()
	if left := h.Sessions(); len(left) > 0 {
		t.Errorf("%d sessions are left", len(left))
	}
	deadline := time.After(time.Minute)
	for runtime.NumGoroutine() > before {
		select {
		case <-deadline:
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		default:
			runtime.Gosched()
		}
	}
}
