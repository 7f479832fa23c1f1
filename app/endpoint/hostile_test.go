package endpoint

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/app/socket/wire"
)

// TestSilenceTakesNoPlace checks that connections without a complete message are soon closed, and other connections are
// not.
func TestSilenceTakesNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serve(t, newFake("a"))
		p := h.client(t, &wire.Hello{Project: "/p/a"}, nil)
		var silent []net.Conn
		for n := range maxSessions - 1 {
			c := h.dial()
			silent = append(silent, c)
			if n == 0 {
				must(t, second(c.Write([]byte(`{"jsonrpc":"2.0",`))))
			}
		}
		<-time.After(time.Minute)
		for _, c := range silent {
			if n, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Fatalf("%d bytes, %v", n, err)
			}
		}
		for _, p := range []*peer{p, h.peer(t, &wire.Hello{Project: "/p/a"})} {
			wantSuccess(t, p.tool("search_code", map[string]any{"query": "x"}))
		}
	})
}

// TestEndlessCalls calls without end on the real socket. One client never reads an answer. Another session is still
// served, and the calling clients stay limited.
func TestEndlessCalls(t *testing.T) {
	h, dial, stop := listen(t, newFake("a"))
	var sent atomic.Int64
	var wait sync.WaitGroup
	var hostile []net.Conn
	for n := range 2 { // the first reads nothing
		c := dial()
		hostile = append(hostile, c)
		if n > 0 {
			wait.Go(func() { drainAll(c) })
		}
		wait.Go(func() {
			for i := 0; ; i++ { // until its connection is closed
				call := `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search_code","arguments":{"query":"x"}}}` + "\n"
				if _, err := fmt.Fprintf(c, call, i); err != nil {
					return
				}
				sent.Add(1)
			}
		})
	}
	conn := dial()
	p := h.over(t, conn, &wire.Hello{Project: "/p/a"})
	p.handshake(nil)
	for range 50 {
		if r := p.tool("search_code", map[string]any{"query": "x"}); r.IsError {
			t.Fatalf("%s", r.Structured)
		}
	}
	if sent.Load() < 50 {
		t.Errorf("only %d calls were in the way", sent.Load())
	}
	for _, c := range hostile {
		c.Close()
	}
	conn.Close()
	wait.Wait()
	stop()
}
