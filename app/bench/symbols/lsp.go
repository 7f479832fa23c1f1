package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"searchmcp/app/socket/jsonrpc"
)

// server is a connection to a language server over its standard input and output (Language Server Protocol 3.17).
type server struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	root string

	calls jsonrpc.Calls
	done  chan struct{} // closed when the server has ended
	write sync.Mutex

	mu    sync.Mutex
	began time.Time
	busy  int       // number of tasks in progress
	quiet time.Time // end of the last task
	// inactive are the lines that clangd ignores by path, which are code for other systems.
	inactive map[string][]span
}

func start(ctx context.Context, root string, options any, argv ...string) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, argv[0], argv[1:]...), root: root, done: make(chan struct{}),
		began: time.Now(), inactive: map[string][]span{}}
	s.cmd.Dir = root
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	go s.read(bufio.NewReader(out))
	hello := map[string]any{
		"processId": nil, "rootUri": s.uri(""), "initializationOptions": options,
		"workspaceFolders": []any{map[string]any{"uri": s.uri(""), "name": "project"}},
		"capabilities": map[string]any{
			"textDocument": map[string]any{
				"documentSymbol":              map[string]any{"hierarchicalDocumentSymbolSupport": true},
				"inactiveRegionsCapabilities": map[string]any{"inactiveRegions": true},
			},
			"workspace": map[string]any{"configuration": true, "workspaceFolders": true},
			"window":    map[string]any{"workDoneProgress": true},
		},
	}
	if err := s.call(ctx, "initialize", hello, nil); err != nil {
		return nil, err
	}
	return s, s.notify("initialized", map[string]any{})
}

func (s *server) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = s.call(ctx, "shutdown", nil, nil)
	_ = s.notify("exit", nil)
	_ = s.in.Close()
	done := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		_ = s.cmd.Process.Kill()
		<-done
	}
}

func (s *server) uri(path string) string {
	u := url.URL{Scheme: "file", Path: filepath.Join(s.root, filepath.FromSlash(path))}
	return u.String()
}

// path returns the path of a URI, relative to the project, and whether it is in the project.
func (s *server) path(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(s.root, u.Path)
	return filepath.ToSlash(rel), err == nil && !strings.HasPrefix(rel, "..")
}

func (s *server) send(m jsonrpc.Envelope) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	s.write.Lock()
	defer s.write.Unlock()
	_, err = fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(b), b)
	return err
}

func (s *server) notify(method string, params any) error {
	return s.send(jsonrpc.Notification(method, params))
}

func (s *server) call(ctx context.Context, method string, params, result any) error {
	id, answer := s.calls.Open()
	defer s.calls.Close(id)
	if err := s.send(jsonrpc.Request(id, method, params)); err != nil {
		return err
	}
	select {
	case m := <-answer:
		switch {
		case m.Error != nil:
			return fmt.Errorf("%s: %w", method, m.Error)
		case result == nil || len(m.Result) == 0:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-s.done:
		return errors.New("the server has exited")
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// read reads messages until the server exits, and answers its requests.
func (s *server) read(r *bufio.Reader) {
	for {
		m, err := readMessage(r)
		if err != nil {
			close(s.done)
			return
		}
		switch {
		case m.IsRequest():
			var result any
			if m.Method == "workspace/configuration" {
				var asked struct{ Items []any }
				_ = json.Unmarshal(m.Params, &asked)
				result = make([]any, len(asked.Items))
			}
			_ = s.send(jsonrpc.Result(m.ID, result))
		case m.Method == "textDocument/inactiveRegions":
			var p struct {
				TextDocument struct{ URI string }
				Regions      []span
			}
			_ = json.Unmarshal(m.Params, &p)
			if path, ok := s.path(p.TextDocument.URI); ok {
				s.mu.Lock()
				s.inactive[path] = p.Regions
				s.mu.Unlock()
			}
		case m.Method == "$/progress":
			var p struct{ Value struct{ Kind string } }
			_ = json.Unmarshal(m.Params, &p)
			s.mu.Lock()
			switch p.Value.Kind {
			case "begin":
				s.busy++
			case "end":
				s.busy--
				s.quiet = time.Now()
			}
			s.mu.Unlock()
		case m.IsAnswer():
			s.calls.Answer(m)
		}
	}
}

func readMessage(r *bufio.Reader) (m jsonrpc.Message, err error) {
	length := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return m, err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if rest, ok := strings.CutPrefix(line, "Content-Length:"); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(rest)); err != nil {
				return m, err
			}
		}
	}
	b := make([]byte, length)
	if _, err := io.ReadFull(r, b); err != nil || length == 0 {
		return m, err
	}
	m, _ = jsonrpc.Parse(b) // an invalid answer has only an ID and ends its call without a result
	return m, nil
}

// settle waits until the server has been idle for three seconds, but at most two minutes after its start.
func (s *server) settle(ctx context.Context, least time.Duration) {
	const calm, most = 3 * time.Second, 2 * time.Minute
	for ctx.Err() == nil && time.Since(s.began) < most {
		s.mu.Lock()
		idle := s.busy <= 0 && time.Since(s.quiet) > calm && time.Since(s.began) > least
		s.mu.Unlock()
		if idle {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// documentSymbol is LSP's DocumentSymbol. Servers may return them as a tree or as a list.
type documentSymbol struct {
	Name           string           `json:"name"`
	Kind           int              `json:"kind"`
	Range          span             `json:"range"`
	SelectionRange *span            `json:"selectionRange"`
	Children       []documentSymbol `json:"children"`
}

func (s *server) symbols(ctx context.Context, path string) (list []documentSymbol, err error) {
	err = s.call(ctx, "textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": s.uri(path)}},
		&list)
	return list, err
}

// references returns the references to the symbol defined at a position. The TypeScript server treats each "this.name
// = …" as a declaration.
func (s *server) references(ctx context.Context, path string, at position,
	declarations bool) (places []place, err error) {
	var list []struct {
		URI   string `json:"uri"`
		Range span   `json:"range"`
	}
	err = s.call(ctx, "textDocument/references", map[string]any{
		"textDocument": map[string]any{"uri": s.uri(path)}, "position": at,
		"context": map[string]any{"includeDeclaration": declarations},
	}, &list)
	for _, l := range list {
		if p, ok := s.path(l.URI); ok {
			places = append(places, place{p, l.Range.Start.Line + 1})
		}
	}
	return places, err
}
