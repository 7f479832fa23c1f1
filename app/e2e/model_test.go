package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// model is a scripted language model on the loopback interface. It knows only the tools that the client lists and the
// results of its calls. It implements the four APIs of the clients, with streaming if requested.
type model struct {
	url string

	mu     sync.Mutex
	called []string // called tools of ours, in order
	steps  int
	failed string // the first invalid request
}

type turn struct {
	tools    []string // tools by the client's names
	deferred []string // tools listed by name only
	reviewed []string // deferred tools whose description the client has sent
	results  []string // results of all calls so far
}

// step is the model's output: a tool call or a text.
type step struct {
	ours string // the tool's name without the client's prefix
	tool string
	args map[string]any
	text string
}

const question = "Where is the smallest element of a heap removed?"

// The clients' tools with which a model loads deferred tools.
const (
	loader   = "ToolSearch"  // Claude Code: makes the tool available
	reviewer = "tool_search" // Qwen Code: describes the tool; caller calls it
	caller   = "tool_call"
)

// call returns a step that calls one of our tools in the client's way.
func (t turn) call(name string, args map[string]any) step {
	of := func(tools []string) string {
		if i := slices.IndexFunc(tools, func(tool string) bool { return strings.HasSuffix(tool, name) }); i >= 0 {
			return tools[i]
		}
		return ""
	}
	if tool := of(t.tools); tool != "" {
		return step{ours: name, tool: tool, args: args}
	}
	tool, has := of(t.deferred), func(name string) bool { return slices.Contains(t.tools, name) }
	choice := map[string]any{"query": "select:" + tool, "max_results": 1}
	switch {
	case tool != "" && has(loader):
		return step{tool: loader, args: choice}
	case tool != "" && has(reviewer) && !slices.Contains(t.reviewed, tool):
		return step{tool: reviewer, args: choice}
	case tool != "" && has(caller):
		return step{ours: name, tool: caller, args: map[string]any{"name": tool, "arguments": args}}
	}
	return step{text: "There is no tool for that."}
}

// next is the script: search, request an index if there is none, search again, and answer with the best place.
func next(t turn) step {
	search := t.call("search_code", map[string]any{"query": question, "top_k": 3})
	if len(t.results) == 0 {
		return search
	}
	last := t.results[len(t.results)-1]
	switch {
	case strings.Contains(last, "INDEX_NOT_FOUND"):
		return t.call("create_index", map[string]any{})
	case strings.Contains(last, "chunksCreated"):
		return search
	}
	if at := strings.Index(last, `{"results":[`); at >= 0 {
		var found struct {
			Results []struct {
				Path      string
				StartLine int
			}
		}
		if err := json.NewDecoder(strings.NewReader(last[at:])).Decode(&found); err == nil && len(found.Results) > 0 {
			best := found.Results[0]
			return step{text: fmt.Sprintf("It is in %s, from line %d.", best.Path, best.StartLine)}
		}
	}
	return step{text: "That did not work: " + last}
}

func newModel(t *testing.T) *model {
	m := &model{}
	server := httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

func (m *model) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	path := r.URL.Path
	switch {
	case err != nil || r.Method == http.MethodHead:
	case strings.HasSuffix(path, "/count_tokens"), strings.HasSuffix(path, ":countTokens"):
		fmt.Fprintf(w, `{"input_tokens":%[1]d,"totalTokens":%[1]d}`, len(body)/4)
	case strings.HasSuffix(path, "/messages"):
		answer(m, w, body, messages{})
	case strings.HasSuffix(path, "/chat/completions"):
		answer(m, w, body, completions{})
	case strings.HasSuffix(path, "/responses"):
		answer(m, w, body, responses{})
	case strings.Contains(path, "enerateContent"):
		answer(m, w, body, contents{})
	default:
		fmt.Fprint(w, `{}`)
	}
}

// dialect is a model's API.
type dialect interface {
	turn(body []byte) (turn, error)
	// events returns the answer as server-sent events. whole returns it as a single document.
	events(s step, id string) []event
	whole(s step, id string) any
	streams(body []byte) bool
}

// event is one server-sent event; name may be empty.
type event struct {
	name string
	data any
}

func answer(m *model, w http.ResponseWriter, body []byte, d dialect) {
	t, err := d.turn(body)
	s := next(t)
	m.mu.Lock()
	if err != nil && m.failed == "" {
		m.failed = fmt.Sprintf("%v in %.300s", err, body)
	}
	if s.ours != "" {
		m.called = append(m.called, s.ours)
	}
	m.steps++
	id := fmt.Sprintf("call_%d", m.steps)
	m.mu.Unlock()
	if !d.streams(body) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(d.whole(s, id)) // a disconnected client fails its own test
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range d.events(s, id) {
		if e.name != "" {
			fmt.Fprintf(w, "event: %s\n", e.name)
		}
		data, isText := e.data.(string)
		if !isText {
			data = encoded(e.data)
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
}

// calls returns the called tools of ours.
func (m *model) calls() (names []string, failed string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.called), m.failed
}

type object = map[string]any

func encoded(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // only maps of strings and numbers
	}
	return string(data)
}

// flat returns the text of a content, which is a text or a list of parts.
func flat(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return string(raw)
	}
	for _, p := range parts {
		text += p.Text
	}
	return text
}

func wantsStream(body []byte) bool {
	var r struct{ Stream bool }
	return json.Unmarshal(body, &r) == nil && r.Stream
}

// deferredNames finds the deferred tools of our server.
var deferredNames = regexp.MustCompile(`mcp__search__\w+`)

// messages is Anthropic's Messages API.
type messages struct{}

func (messages) turn(body []byte) (t turn, err error) {
	var r struct {
		Messages []struct{ Content json.RawMessage }
		Tools    []struct{ Name string }
	}
	err = json.Unmarshal(body, &r)
	for _, tool := range r.Tools {
		t.tools = append(t.tools, tool.Name)
	}
	for _, m := range r.Messages {
		var parts []struct {
			Type    string
			Content json.RawMessage
		}
		if json.Unmarshal(m.Content, &parts) != nil {
			continue // a plain text
		}
		for _, p := range parts {
			if text := flat(p.Content); p.Type == "tool_result" && text != "" { // the loader's result has no text
				t.results = append(t.results, text)
			}
		}
	}
	t.deferred = deferredNames.FindAllString(string(body), -1)
	return t, err
}

func (messages) streams(body []byte) bool { return wantsStream(body) }

func (messages) whole(s step, id string) any {
	content, reason := object{"type": "text", "text": s.text}, "end_turn"
	if s.tool != "" {
		content, reason = object{"type": "tool_use", "id": id, "name": s.tool, "input": s.args}, "tool_use"
	}
	return object{"id": "msg_" + id, "type": "message", "role": "assistant", "model": "scripted",
		"content":     []any{content},
		"stop_reason": reason, "usage": object{"input_tokens": 1, "output_tokens": 1}}
}

func (messages) events(s step, id string) []event {
	block, delta, reason := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": s.text}, "end_turn"
	if s.tool != "" {
		block = object{"type": "tool_use", "id": id, "name": s.tool, "input": object{}}
		delta, reason = object{"type": "input_json_delta", "partial_json": encoded(s.args)}, "tool_use"
	}
	events := []event{
		{data: object{"type": "message_start", "message": object{"id": "msg_" + id, "type": "message", "role": "assistant",
			"model":   "scripted",
			"content": []any{}, "usage": object{"input_tokens": 1, "output_tokens": 1}}}},
		{data: object{"type": "content_block_start", "index": 0, "content_block": block}},
		{data: object{"type": "content_block_delta", "index": 0, "delta": delta}},
		{data: object{"type": "content_block_stop", "index": 0}},
		{data: object{"type": "message_delta", "delta": object{"stop_reason": reason}, "usage": object{"output_tokens": 1}}},
		{data: object{"type": "message_stop"}},
	}
	for i := range events {
		events[i].name, _ = events[i].data.(object)["type"].(string)
	}
	return events
}

// completions is OpenAI's Chat Completions API.
type completions struct{}

func (completions) turn(body []byte) (t turn, err error) {
	var r struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Tools []struct{ Function struct{ Name string } }
	}
	err = json.Unmarshal(body, &r)
	for _, tool := range r.Tools {
		t.tools = append(t.tools, tool.Function.Name)
	}
	for _, m := range r.Messages {
		if m.Role != "tool" {
			continue
		}
		text := flat(m.Content)
		if shown := deferredNames.FindAllString(text, -1); strings.Contains(text, "<functions>") {
			t.reviewed = append(t.reviewed, shown...)
		} else {
			t.results = append(t.results, text)
		}
	}
	t.deferred = deferredNames.FindAllString(string(body), -1)
	return t, err
}

func (completions) streams(body []byte) bool { return wantsStream(body) }

func (completions) message(s step, id string) (m object, reason string) {
	if s.tool == "" {
		return object{"role": "assistant", "content": s.text}, "stop"
	}
	return object{"role": "assistant", "tool_calls": []any{object{"index": 0, "id": id, "type": "function",
		"function": object{"name": s.tool, "arguments": encoded(s.args)}}}}, "tool_calls"
}

func (c completions) whole(s step, id string) any {
	message, reason := c.message(s, id)
	return object{"id": "chat_" + id, "object": "chat.completion", "model": "scripted",
		"choices": []any{object{"index": 0, "message": message, "finish_reason": reason}}}
}

func (c completions) events(s step, id string) []event {
	message, reason := c.message(s, id)
	chunk := func(delta object, finish any) event {
		return event{data: object{"id": "chat_" + id, "object": "chat.completion.chunk", "model": "scripted",
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}}}}
	}
	return []event{chunk(message, nil), chunk(object{}, reason), {data: "[DONE]"}}
}

// responses is OpenAI's Responses API.
type responses struct{}

func (responses) turn(body []byte) (t turn, err error) {
	var r struct {
		Input []struct {
			Type   string
			Output json.RawMessage
		}
		Tools []struct {
			Name  string
			Tools []struct{ Name string } // tools of a namespace
		}
	}
	err = json.Unmarshal(body, &r)
	for _, tool := range r.Tools {
		t.tools = append(t.tools, tool.Name)
		for _, inner := range tool.Tools {
			t.tools = append(t.tools, tool.Name+namespaced+inner.Name)
		}
	}
	for _, item := range r.Input {
		if item.Type == "function_call_output" {
			t.results = append(t.results, flat(item.Output))
		}
	}
	return t, err
}

// namespaced separates the namespace and the name of a tool, which the API has in separate fields.
const namespaced = "\x00"

func (responses) streams([]byte) bool { return true }

func (responses) item(s step, id string) object {
	if s.tool == "" {
		return object{"type": "message", "id": "msg_" + id, "role": "assistant", "status": "completed",
			"content": []any{object{"type": "output_text", "text": s.text, "annotations": []any{}}}}
	}
	item := object{"type": "function_call", "id": "fc_" + id, "call_id": id, "name": s.tool, "arguments": encoded(s.args),
		"status": "completed"}
	if space, name, found := strings.Cut(s.tool, namespaced); found {
		item["namespace"], item["name"] = space, name
	}
	return item
}

func (r responses) whole(s step, id string) any {
	return object{"id": "resp_" + id, "object": "response", "status": "completed", "model": "scripted",
		"output": []any{r.item(s, id)},
		"usage":  object{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}
}

func (r responses) events(s step, id string) []event {
	item := r.item(s, id)
	return []event{
		{"response.created", object{"type": "response.created", "response": object{"id": "resp_" + id, "object": "response",
			"status": "in_progress", "output": []any{}}}},
		{"response.output_item.added", object{"type": "response.output_item.added", "output_index": 0, "item": item}},
		{"response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": item}},
		{"response.completed", object{"type": "response.completed", "response": r.whole(s, id)}},
	}
}

// contents is Google's Generative Language API.
type contents struct{}

func (contents) turn(body []byte) (t turn, err error) {
	var r struct {
		Contents []struct {
			Parts []struct {
				FunctionResponse *struct{ Response json.RawMessage }
			}
		}
		Tools []struct {
			FunctionDeclarations []struct{ Name string }
		}
	}
	err = json.Unmarshal(body, &r)
	for _, group := range r.Tools {
		for _, tool := range group.FunctionDeclarations {
			t.tools = append(t.tools, tool.Name)
		}
	}
	for _, c := range r.Contents {
		for _, p := range c.Parts {
			if p.FunctionResponse == nil {
				continue
			}
			var response struct{ Output, Error string }
			if json.Unmarshal(p.FunctionResponse.Response, &response) == nil && response.Output+response.Error != "" {
				t.results = append(t.results, response.Output+response.Error)
			} else {
				t.results = append(t.results, string(p.FunctionResponse.Response))
			}
		}
	}
	return t, err
}

func (contents) streams(body []byte) bool { return true }

func (contents) whole(s step, _ string) any {
	part := object{"text": s.text}
	if s.tool != "" {
		part = object{"functionCall": object{"name": s.tool, "args": s.args}}
	}
	return object{"candidates": []any{object{"index": 0, "finishReason": "STOP", "content": object{"role": "model",
		"parts": []any{part}}}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}}
}

func (c contents) events(s step, id string) []event { return []event{{data: c.whole(s, id)}} }
