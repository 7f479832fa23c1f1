package endpoint

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
)

// front is a streamable HTTP server in front of the socket, because the official conformance suite supports only HTTP.
// Each HTTP session or stateless request is a connection to the socket. Messages pass unchanged, so that the suite
// tests the socket's own loop.
type front struct {
	dial func() (net.Conn, error)

	mu     sync.Mutex
	relays map[string]*relay
}

// relay is one connection to the socket.
type relay struct {
	conn net.Conn
	rest chan []byte // messages outside any request

	mu      sync.Mutex
	open    []string // ids of open requests, the newest last
	streams map[string]chan []byte
	ended   bool
}

// envelope is the part of a message that determines its route.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

func (f *front) connect() (*relay, error) {
	conn, err := f.dial()
	if err != nil {
		return nil, err
	}
	r := &relay{conn: conn, rest: make(chan []byte, 256), streams: map[string]chan []byte{}}
	go r.read()
	return r, nil
}

func (r *relay) read() {
	in := bufio.NewReaderSize(r.conn, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.ended = true
			for _, stream := range r.streams {
				close(stream)
			}
			r.streams = nil
			return
		}
		r.pass(bytes.TrimSpace(line))
	}
}

// pass routes a message of the server: an answer by its id, any other message to the newest request.
func (r *relay) pass(line []byte) {
	var e envelope
	if json.Unmarshal(line, &e) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Method == "" {
		if stream := r.streams[string(e.ID)]; stream != nil {
			stream <- line
			close(stream)
			delete(r.streams, string(e.ID))
			r.open = slices.DeleteFunc(r.open, func(id string) bool { return id == string(e.ID) })
		}
		return
	}
	if n := len(r.open); n > 0 {
		r.streams[r.open[n-1]] <- line
		return
	}
	select {
	case r.rest <- line:
	default: // no reader
	}
}

// request registers a request. The channel receives its messages and is closed after the answer.
func (r *relay) request(id string) (chan []byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return nil, false
	}
	stream := make(chan []byte, 256)
	r.streams[id] = stream
	r.open = append(r.open, id)
	return stream, true
}

func (f *front) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if host, _, err := net.SplitHostPort(q.Host); err != nil || (host != "127.0.0.1" && host != "localhost") {
		http.Error(w, "a foreign host", http.StatusForbidden)
		return
	}
	name := q.Header.Get("Mcp-Session-Id")
	f.mu.Lock()
	r := f.relays[name]
	f.mu.Unlock()
	switch {
	case name != "" && r == nil:
		http.Error(w, "no such session", http.StatusNotFound)
	case q.Method == http.MethodPost:
		f.post(w, q, r)
	case r == nil:
		http.Error(w, "no session", http.StatusMethodNotAllowed)
	case q.Method == http.MethodGet:
		events(w, q, r.rest)
	case q.Method == http.MethodDelete:
		f.mu.Lock()
		delete(f.relays, name)
		f.mu.Unlock()
		r.conn.Close()
	default:
		http.Error(w, "no such method", http.StatusMethodNotAllowed)
	}
}

func (f *front) post(w http.ResponseWriter, q *http.Request, r *relay) {
	body, err := io.ReadAll(io.LimitReader(q.Body, maxLine))
	var e envelope
	var line bytes.Buffer
	if err != nil || json.Unmarshal(body, &e) != nil || json.Compact(&line, body) != nil {
		http.Error(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`, http.StatusBadRequest)
		return
	}
	if r == nil {
		if r, err = f.connect(); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if e.Method == "initialize" {
			name := rand.Text()
			f.mu.Lock()
			f.relays[name] = r
			f.mu.Unlock()
			w.Header().Set("Mcp-Session-Id", name)
		} else {
			defer r.conn.Close()
		}
	}
	line.WriteByte('\n')
	isRequest := len(e.ID) > 0 && e.Method != ""
	var stream chan []byte
	if isRequest {
		open := false
		if stream, open = r.request(string(e.ID)); !open {
			http.Error(w, "the session has ended", http.StatusNotFound)
			return
		}
	}
	if _, err := r.conn.Write(line.Bytes()); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if !isRequest {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	events(w, q, stream)
}

// events writes messages as server-sent events until the channel is closed.
func events(w http.ResponseWriter, q *http.Request, stream <-chan []byte) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w)
	_ = flush.Flush()
	for {
		select {
		case line, more := <-stream:
			if !more {
				return
			}
			fmt.Fprintf(w, "event: message\ndata: %s\n\n", line)
			_ = flush.Flush()
		case <-q.Context().Done():
			return
		}
	}
}
