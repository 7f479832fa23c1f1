package endpoint

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/engine/api"
)

// frame is any JSON-RPC message. Ids stay bytes, because a number beyond 2^53 must come back as it was sent.
type frame struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
}

// hasID reports whether the message is a request or an answer, in contrast to a notification.
func (f *frame) hasID() bool { return len(f.ID) > 0 && !bytes.Equal(f.ID, nullID) }

// validID accepts what JSON-RPC allows: strings and numbers.
func (f *frame) validID() bool {
	c := f.ID[0]
	return c == '"' || c == '-' || (c >= '0' && c <= '9')
}

// meta is what the session itself needs of a request's _meta.
type meta struct {
	ProgressToken json.RawMessage `json:"progressToken"`
	Version       string          `json:"io.modelcontextprotocol/protocolVersion"`
}

// meta returns the request's _meta, its zero value if there is none or it is malformed (which HandleMessage reports).
func (f *frame) meta() meta {
	var p struct {
		Meta meta `json:"_meta"`
	}
	if json.Unmarshal(f.Params, &p) != nil {
		return meta{}
	}
	return p.Meta
}

func (m meta) modern() bool { return mcp.IsModernProtocol(m.Version) }

var nullID = json.RawMessage("null")

type response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

type failure struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   rpcError        `json:"error"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

type request struct {
	JSONRPC string `json:"jsonrpc"`
	ID      string `json:"id,omitempty"` // "" makes it a notification
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

// appErrorCode is the JSON-RPC code of errors that carry an *api.Error in data; the range is the one reserved for
// implementations.
const appErrorCode = -32000

func ok(id json.RawMessage, result any) any {
	return response{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Result: result}
}

func fail(id json.RawMessage, code int, message string) failure {
	if len(id) == 0 {
		id = nullID
	}
	return failure{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: rpcError{Code: code, Message: message}}
}

// failWith answers a request that is not a tool call with an *api.Error: the message for the person, all three fields
// in data.
func failWith(id json.RawMessage, e *api.Error) failure {
	f := fail(id, appErrorCode, e.UserMessage)
	f.Error.Data = e
	return f
}

// errTooLong is returned by readLine for a line over the limit. The line has been consumed; reading may go on.
var errTooLong = errors.New("the message is too long")

// readLine reads up to a newline, without it. A longer line than limit is skipped without being kept. What stands
// before EOF without a newline is half a message and is dropped.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long || len(line)+len(part) > limit {
			long, line = true, nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(line) > 0 && errors.Is(err, io.EOF):
			return nil, fmt.Errorf("half a message: %w", io.EOF)
		case err != nil:
			return nil, err
		case long:
			return nil, errTooLong
		}
		return bytes.TrimSpace(line), nil
	}
}
