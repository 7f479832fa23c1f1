package bridge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// JSON-RPC error codes. codeApp is the one of implementations; everything about the app's absence uses it.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeApp            = -32000
)

// The methods whose state the bridge keeps.
const (
	methodInitialize   = "initialize"
	methodDiscover     = "server/discover"
	methodInitialized  = "notifications/initialized"
	methodCancelled    = "notifications/cancelled"
	methodListen       = "subscriptions/listen"
	methodAcknowledged = "notifications/subscriptions/acknowledged"
	methodToolsChanged = "notifications/tools/list_changed"
	methodSetLevel     = "logging/setLevel"
	methodSubscribe    = "resources/subscribe"
	methodUnsubscribe  = "resources/unsubscribe"
)

// metaSubscription is the _meta key that ties a notification to its listen stream (2026-07-28).
const metaSubscription = "io.modelcontextprotocol/subscriptionId"

// metaVersion is the _meta key of a request's protocol version (2026-07-28).
const metaVersion = "io.modelcontextprotocol/protocolVersion"

// repeatable lists the requests that may be sent once more to the next app if the one that had them went away: they only
// read, and an editor that gets an error for one of them shows a dead server.
var repeatable = map[string]bool{
	methodInitialize: true, methodDiscover: true, "ping": true, "tools/list": true, "prompts/list": true,
	"resources/list": true, "resources/templates/list": true, methodListen: true,
}

// message is one line with what the bridge must know of it.
type message struct {
	raw    []byte
	id     json.RawMessage // nil: a notification
	method string          // "": an answer
	params json.RawMessage
	failed bool // an answer with an error
}

func (m *message) request() bool      { return m.method != "" && m.id != nil }
func (m *message) notification() bool { return m.method != "" && m.id == nil }

// key is how an id is found again: its bytes without space around them.
func key(id json.RawMessage) string { return string(bytes.TrimSpace(id)) }

// failure is an error that goes back to the sender.
type failure struct {
	code int
	text string
}

func (f *failure) Error() string { return f.text }

// members are the keys of a JSON-RPC message. Go's decoder takes "Method" for "method"; a reader that does and one that
// doesn't would see two different messages, so other spellings are refused.
var members = []string{"jsonrpc", "id", "method", "params", "result", "error"}

// parse reads one line. The error is a *failure and m.id is set as far as it could be read.
func parse(line []byte) (m message, err error) {
	m.raw = line
	if line[0] == '[' {
		return m, &failure{codeInvalidRequest, "Batches are not supported. Send one message a line."}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil || fields == nil {
		return m, &failure{codeParse, "This line is not a JSON-RPC message."}
	}
	if id := fields["id"]; len(id) > 0 && key(id) != "null" {
		if c := key(id)[0]; c != '"' && c != '-' && (c < '0' || c > '9') {
			return m, &failure{codeInvalidRequest, "An id must be a string or a number."}
		}
		m.id = id
	}
	for name := range fields {
		for _, want := range members {
			if name != want && strings.EqualFold(name, want) {
				return m, &failure{codeInvalidRequest, fmt.Sprintf("Unknown member %q, did you mean %q?", name, want)}
			}
		}
	}
	if method, given := fields["method"]; given {
		if json.Unmarshal(method, &m.method) != nil || m.method == "" {
			return m, &failure{codeInvalidRequest, "A method must be a string."}
		}
	} else if m.id == nil {
		return m, &failure{codeInvalidRequest, "A message needs a method or an id."}
	}
	m.params = fields["params"]
	_, m.failed = fields["error"]
	return m, nil
}

// withID returns the message with another id.
func withID(line []byte, id json.RawMessage) []byte {
	return withMember(line, "id", id)
}

func withMember(line []byte, name string, value json.RawMessage) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(line, &fields) != nil {
		return line // not reached: only parsed messages come here
	}
	fields[name] = value
	return encode(fields)
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		// Only maps of strings and of valid raw JSON are encoded here.
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Search MCP could not encode a message."}}`)
	}
	return data
}

func errorFor(id json.RawMessage, code int, text string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return encode(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text}})
}

func notification(method string, params any) []byte {
	m := map[string]any{"jsonrpc": "2.0", "method": method}
	if params != nil {
		m["params"] = params
	}
	return encode(m)
}

// target is what a notifications/cancelled is about.
func target(m *message) json.RawMessage {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.params, &p) != nil {
		return nil
	}
	return p.RequestID
}

// readLine reads one message without its newline; what stands before EOF without one counts too. Of a line longer than
// limit it returns the first limit bytes; size is the whole length.
func readLine(r *bufio.Reader, limit int) (line []byte, size int, err error) {
	for {
		part, err := r.ReadSlice('\n')
		size += len(part)
		if room := limit - len(line); room > 0 {
			line = append(line, part[:min(room, len(part))]...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && size > 0, err == nil:
			return bytes.TrimSpace(line), size, nil
		default:
			return nil, 0, err
		}
	}
}

// idOf looks for the id in the beginning of a message that is too long to be read whole.
func idOf(begin []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(begin))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil
		}
		if name == "id" {
			return value
		}
	}
	return nil
}
