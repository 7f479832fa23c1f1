package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// editor is an MCP client that runs the bridge as an editor does.
type editor struct {
	t *testing.T
	c *client.Client
	// answer is the user's answer to the next question. asked contains the questions so far.
	mu     sync.Mutex
	answer mcp.ElicitationResponseAction
	asked  []string
	// before is called before the answer, unless it is nil.
	before func()
	// notes returns the parameters of the notifications since the bridge was started.
	notes func(mcp.MCPMethod) []map[string]any
}

// noAnswer is the answer of a user who does not respond, and emptyAccept an accepted form without content.
const noAnswer, emptyAccept mcp.ElicitationResponseAction = "none", "empty"

func (e *editor) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	e.mu.Lock()
	e.asked = append(e.asked, r.Params.Message)
	if e.answer == noAnswer {
		e.mu.Unlock()
		<-e.t.Context().Done()
		return nil, e.t.Context().Err()
	}
	defer e.mu.Unlock()
	if e.before != nil {
		e.before()
	}
	res := &mcp.ElicitationResult{}
	res.Action = e.answer
	switch e.answer {
	case mcp.ElicitationResponseActionAccept:
		res.Content = e.accept(r.Params.RequestedSchema)
	case emptyAccept:
		res.Action = mcp.ElicitationResponseActionAccept
	}
	return res, nil
}

// accept returns the content of a form filled in by a user who agrees.
func (e *editor) accept(schema any) map[string]any {
	var form struct {
		Properties map[string]struct {
			Type    string
			Enum    []any
			Default any
		}
		Required []string
	}
	decode(e.t, string(must(json.Marshal(schema))), &form)
	out := map[string]any{}
	for name, p := range form.Properties {
		switch {
		case len(p.Enum) > 0:
			out[name] = p.Enum[0]
		case p.Type == "boolean":
			out[name] = true
			if p.Default != nil || !slices.Contains(form.Required, name) {
				e.t.Errorf("%s has a default or is not required", name)
			}
		}
	}
	return out
}

func (e *editor) answerWith(a mcp.ElicitationResponseAction) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answer, e.asked = a, nil
}

func (e *editor) questions() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.asked...)
}

// connect starts the bridge in dir.
func (w *world) connect(dir string, args ...string) *editor {
	w.t.Helper()
	if !w.bridgeStarts && !w.running() {
		w.mustCLI("projects") // with desktopOff; questions would go to a real desktop
	}
	e := &editor{t: w.t, answer: mcp.ElicitationResponseActionAccept}
	tr := transport.NewStdioWithOptions(filepath.Join(w.bin, "search-mcp"), w.env, append([]string{"mcp"}, args...),
		transport.WithCommandFunc(func(ctx context.Context, command string, env, args []string) (*exec.Cmd, error) {
			cmd := exec.CommandContext(ctx, command, args...)
			cmd.Env, cmd.Dir = env, dir
			return cmd, nil
		}))
	options := []client.ClientOption{}
	if !w.mute {
		options = append(options, client.WithElicitationHandler(e))
	}
	if w.handshake {
		//lint:ignore SA1019 most editors still begin with initialize
		options = append(options, client.WithLegacyProtocolOnly())
	}
	e.c = client.NewClient(tr, options...)
	e.notes = e.heard()
	ctx, cancel := context.WithTimeout(w.t.Context(), 5*time.Minute)
	defer cancel()
	check(w.t, e.c.Start(context.WithoutCancel(w.t.Context())))
	w.t.Cleanup(func() { _ = e.c.Close() })
	init := mcp.InitializeRequest{}
	init.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	init.Params.ClientInfo = mcp.Implementation{Name: "test-editor", Version: "1"}
	if !w.mute {
		init.Params.Capabilities.Elicitation = &mcp.ElicitationCapability{}
	}
	if _, err := e.c.Initialize(ctx, init); err != nil {
		w.t.Fatalf("initialize: %v", err)
	}
	return e
}

// indexed indexes the project at root and connects an editor in it.
func (w *world) indexed(root string) *editor {
	w.t.Helper()
	w.mustCLI("index", root, "--yes")
	return w.connect(root)
}

// call calls a tool and decodes its structured content into out.
func (e *editor) call(tool string, args map[string]any, out any) *mcp.CallToolResult {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(e.t.Context(), 15*time.Minute)
	defer cancel()
	req := request(tool, args)
	if tool == "create_index" || tool == "reindex_project" {
		req.Params.Meta = &mcp.Meta{ProgressToken: tool}
	}
	res, err := e.c.CallTool(ctx, req)
	if err != nil {
		e.t.Fatalf("%s: %v", tool, err)
	}
	e.checkAnswer(tool, res)
	if out != nil {
		decode(e.t, string(must(json.Marshal(res.StructuredContent))), out)
	}
	return res
}

type hits struct {
	Results []struct {
		Path, Text, Project string
		Score               float64
		StartLine, EndLine  int
		Stale               bool
	}
	TotalResults int
	Code         string
}

func (h hits) paths() string {
	var s []string
	for _, r := range h.Results {
		s = append(s, fmt.Sprintf("%s:%d %.2f", r.Path, r.StartLine, r.Score))
	}
	return strings.Join(s, "\n")
}

// rank returns the rank, from 1, of the first hit whose path has this prefix, or 0.
func (h hits) rank(prefix string) int {
	for i, r := range h.Results {
		if strings.HasPrefix(r.Path, prefix) {
			return i + 1
		}
	}
	return 0
}

// TestMainJob tests the product's main job in both versions of the protocol. An editor has a real code base indexed
// with the user's approval and gets the progress, finds results by meaning without common words, and deletes the index.
// On Linux it has no network.
func TestMainJob(t *testing.T) {
	t.Parallel()
	if doneWithoutNetwork(t) {
		return
	}
	w := newWorld(t)
	w.fresh = true
	root := w.copyGo("shelf", "container", "encoding/csv", "text/tabwriter", "net/mail")
	for _, w.handshake = range []bool{true, false} { // the second run reuses the vectors
		mainJob(t, w, root)
	}
}

func mainJob(t *testing.T, w *world, root string) {
	e := w.connect(root)

	var h hits
	e.answerWith(emptyAccept)
	var created struct {
		Status, ProjectPath, Duration string
		FilesIndexed, ChunksCreated   int
	}
	if e.call("create_index", nil, &created); created.Status != "cancelled" || len(e.questions()) != 1 {
		t.Fatalf("declined: %+v after %q", created, e.questions())
	}
	e.answerWith(mcp.ElicitationResponseActionAccept)
	before := e.notified(mcp.MethodNotificationProgress)
	if e.call("create_index", nil, &created); created.Status != "success" || created.ProjectPath != root ||
		created.FilesIndexed < 20 || created.ChunksCreated < created.FilesIndexed {
		t.Fatalf("create_index: %+v", created)
	}
	last, steps := -1.0, ""
	for _, n := range e.notes(mcp.MethodNotificationProgress)[before:] {
		at, _ := n["progress"].(float64)
		if n["progressToken"] != "create_index" || n["total"] != 100.0 || at <= last || at > 100 {
			t.Errorf("after %v: %v", last, n)
		}
		last, steps = at, steps+fmt.Sprintln(n["message"])
	}
	if vectors := `: \d+ of \d+ passages`; w.handshake && !regexp.MustCompile(vectors).MatchString(steps) {
		t.Errorf("progress until %v: %q", last, steps)
	}

	// Of these words only the shortest occur in the expected files.
	for question, want := range map[string]string{
		"line up columns of output neatly":                  "text/tabwriter/",
		"spreadsheet rows separated by commas":              "encoding/csv/",
		"priority queue where the smallest comes out first": "container/heap/",
		"parse who sent an e-mail from its header":          "net/mail/",
	} {
		e.call("search_code", map[string]any{"query": question, "top_k": 10}, &h)
		if r := h.rank(want); r == 0 || r > 3 {
			t.Errorf("%q: %s at rank %d\n%s", question, want, r, h.paths())
		}
	}

	e.answerWith(mcp.ElicitationResponseActionAccept)
	var deleted struct{ Status, ProjectPath, Message string }
	if e.call("delete_index", nil, &deleted); deleted.Status != "success" ||
		deleted.Message != "Index deleted successfully" {
		t.Fatalf("delete_index: %+v", deleted)
	}
	if res := e.call("search_code", map[string]any{"query": "anything"}, &h); !res.IsError || h.Code != "INDEX_NOT_FOUND" {
		t.Fatalf("search after the deletion: %+v", res)
	}
}
