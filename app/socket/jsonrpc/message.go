package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Version is what every message says of itself.
const Version = "2.0"

// The error codes of JSON-RPC, and the first of the range that it leaves to implementations.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
	ServerError    = -32000
)

// Error is the error of a message.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Message is a message that was received: a request (method and id), a notification (method) or an answer (neither
// method; result or error).
type Message struct {
	Raw    []byte          // the line
	ID     json.RawMessage // a string or a number; nil: none
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *Error
}

// IsRequest reports whether the message wants an answer.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// IsNotification reports whether the message wants none.
func (m *Message) IsNotification() bool { return m.Method != "" && m.ID == nil }

// IsAnswer reports whether the message answers a request.
func (m *Message) IsAnswer() bool { return m.Method == "" }

// members are the keys of a message. Go's decoder takes "Method" for "method"; a reader that does and one that doesn't
// would see two different messages, so other spellings are refused.
var members = []string{"jsonrpc", "id", "method", "params", "result", "error"}

// byteOrderMark begins the output of some programs on Windows.
var byteOrderMark = []byte("\ufeff")

// Parse reads one line that is not empty. The error is an *Error to answer with; m.ID is set as far as it could be
// read.
func Parse(line []byte) (m Message, err error) {
	line = bytes.TrimPrefix(line, byteOrderMark)
	m.Raw = line
	if len(line) > 0 && line[0] == '[' {
		return m, &Error{Code: InvalidRequest, Message: "Batches are not supported. Send one message a line."}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil || fields == nil {
		return m, &Error{Code: ParseError, Message: "This line is not a JSON-RPC message."}
	}
	if id := fields["id"]; len(id) > 0 && string(id) != "null" {
		if c := id[0]; c != '"' && c != '-' && (c < '0' || c > '9') {
			return m, &Error{Code: InvalidRequest, Message: "An id must be a string or a number."}
		}
		m.ID = id
	}
	for name := range fields {
		for _, want := range members {
			if name != want && strings.EqualFold(name, want) {
				return m, &Error{Code: InvalidRequest, Message: fmt.Sprintf("Unknown member %q, did you mean %q?", name, want)}
			}
		}
	}
	if method, given := fields["method"]; given {
		if json.Unmarshal(method, &m.Method) != nil || m.Method == "" {
			return m, &Error{Code: InvalidRequest, Message: "A method must be a string."}
		}
	}
	m.Params, m.Result = fields["params"], fields["result"]
	if raw := fields["error"]; len(raw) > 0 && string(raw) != "null" {
		m.Error = &Error{}
		if json.Unmarshal(raw, m.Error) != nil { // an error all the same
			m.Error = &Error{Code: InternalError, Message: "no reason given"}
		}
	}
	if m.Method == "" && m.Result == nil && m.Error == nil {
		return m, &Error{Code: InvalidRequest, Message: "A message needs a method, a result or an error."}
	}
	return m, nil
}

// FindID looks for the id in the start of a message that is too long to be read whole; nil if it is not there.
func FindID(start []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(start))
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

// Envelope is a message to be sent. Params and Result are encoded with it.
type Envelope struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Request asks; params may be nil.
func Request(id json.RawMessage, method string, params any) Envelope {
	return Envelope{JSONRPC: Version, ID: id, Method: method, Params: params}
}

// Notification tells; params may be nil.
func Notification(method string, params any) Envelope { return Request(nil, method, params) }

// Result answers a request; a nil result is null.
func Result(id json.RawMessage, result any) Envelope {
	if result == nil {
		result = null
	}
	return Envelope{JSONRPC: Version, ID: id, Result: result}
}

// Failure answers a request, or with a nil id a message whose id could not be read, with an error.
func Failure(id json.RawMessage, code int, message string) Envelope {
	if len(id) == 0 {
		id = null
	}
	return Envelope{JSONRPC: Version, ID: id, Error: &Error{Code: code, Message: message}}
}

// WithData adds details to a Failure; those that can't be encoded are left out.
func (e Envelope) WithData(data any) Envelope {
	if raw, err := json.Marshal(data); err == nil {
		e.Error.Data = raw
	}
	return e
}

var null = json.RawMessage("null")

// WithMember returns a message, or another JSON object, with one member added or replaced.
func WithMember(object []byte, name string, value json.RawMessage) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(object, &fields); err != nil {
		return nil, fmt.Errorf("set %s: %w", name, err)
	}
	if fields == nil {
		fields = map[string]json.RawMessage{}
	}
	fields[name] = value
	return json.Marshal(fields)
}

// Cancelled is the request that the parameters of MCP's notifications/cancelled name; nil if they name none.
func Cancelled(params json.RawMessage) json.RawMessage {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil
	}
	return p.RequestID
}
