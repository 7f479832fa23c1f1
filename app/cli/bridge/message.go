package bridge

import (
	"encoding/json"

	"searchmcp/app/socket/jsonrpc"
	"searchmcp/engine/api"
)

const (
	methodInitialize   = "initialize"
	methodDiscover     = "server/discover"
	methodInitialized  = "notifications/initialized"
	methodCancelled    = "notifications/cancelled"
	methodListen       = "subscriptions/listen"
	methodAcknowledged = "notifications/subscriptions/acknowledged"
	methodToolsChanged = "notifications/tools/list_changed"
)

// metaSubscription is the key in _meta under which a notification contains the id of its listen stream.
const metaSubscription = "io.modelcontextprotocol/subscriptionId"

// repeatable lists the requests that the bridge sends again to a new app, because they change nothing.
var repeatable = map[string]bool{
	methodInitialize: true, methodDiscover: true, "ping": true, "tools/list": true, "resources/list": true,
	"resources/templates/list": true, methodListen: true,
}

func withMember(object []byte, name string, value json.RawMessage) []byte {
	changed, err := jsonrpc.WithMember(object, name, value)
	if err != nil {
		return object // unreachable: callers pass parsed messages
	}
	return changed
}

func encode(e jsonrpc.Envelope) []byte {
	data, err := json.Marshal(e)
	if err != nil { // unreachable: an envelope contains only strings, raw JSON and maps of these
		return []byte(`{"jsonrpc":"2.0","id":null,` +
			`"error":{"code":-32603,"message":"Search MCP could not encode a message."}}`)
	}
	return data
}

func errorFor(id json.RawMessage, code int, text string) []byte {
	return encode(jsonrpc.Failure(id, code, text))
}

func failure(id json.RawMessage, e *api.Error) []byte {
	return encode(jsonrpc.Failure(id, jsonrpc.ServerError, e.UserMessage).WithData(e))
}

func notification(method string, params any) []byte {
	return encode(jsonrpc.Notification(method, params))
}
