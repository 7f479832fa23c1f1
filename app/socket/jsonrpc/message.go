package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

const Version = "2.0"

// Error codes of JSON-RPC.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
	ServerError    = -32000 // the first code that an implementation may define
)

type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// Message is a request (with method and id), a notification (with only a method) or an answer (with a result or an
// error).
type Message struct {
	Raw    []byte
	ID     json.RawMessage // a string or a number, or nil
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *Error
}

func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

func (m *Message) IsNotification() bool { return m.Method != "" && m.ID == nil }

func (m *Message) IsAnswer() bool { return m.Method == "" }

// members are the names that Parse accepts. Parse refuses other spellings such as "ID", which another decoder could
// interpret differently.
var members = []string{"jsonrpc", "id", "method", "params", "result", "error"}

var byteOrderMark = []byte("\ufeff")

// Parse parses a line. If the line is not a valid message, it returns an *Error to send as the answer. m.ID is set if
// the id could be read.
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
		if json.Unmarshal(raw, m.Error) != nil { // a malformed error is still an error
			m.Error = &Error{Code: InternalError, Message: "no reason given"}
		}
	}
	if m.Method == "" && m.Result == nil && m.Error == nil {
		return m, &Error{Code: InvalidRequest, Message: "A message needs a method, a result or an error."}
	}
	return m, nil
}

// FindID returns the id of an oversized message, or nil if its beginning, start, does not contain the id.
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

type Envelope struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

func Request(id json.RawMessage, method string, params any) Envelope {
	return Envelope{JSONRPC: Version, ID: id, Method: method, Params: params}
}

func Notification(method string, params any) Envelope { return Request(nil, method, params) }

// Result returns an answer with a result. A nil result is encoded as null.
func Result(id json.RawMessage, result any) Envelope {
	if result == nil {
		result = null
	}
	return Envelope{JSONRPC: Version, ID: id, Result: result}
}

// Failure returns an answer with an error. A nil id means that the message's id could not be read.
func Failure(id json.RawMessage, code int, message string) Envelope {
	if len(id) == 0 {
		id = null
	}
	return Envelope{JSONRPC: Version, ID: id, Error: &Error{Code: code, Message: message}}
}

func (e Envelope) WithData(data any) Envelope {
	if raw, err := json.Marshal(data); err == nil {
		e.Error.Data = raw
	}
	return e
}

var null = json.RawMessage("null")

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

func Cancelled(params json.RawMessage) json.RawMessage {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil
	}
	return p.RequestID
}
