package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"searchmcp/app/socket/jsonrpc"
	"searchmcp/engine/api"
	"searchmcp/engine/host/disk"
)

var ErrQuitting = api.New(api.ShuttingDown, "Search MCP is quitting. Try again once it is running.",
	"the app is shutting down", nil)

func ErrInternal(cause error) *api.Error {
	return api.New(api.Internal, "Something went wrong inside Search MCP. Its log has the details.",
		"unexpected error; see the app's log", cause)
}

// Explain returns the error for the client. It logs an unexpected error with the operation that failed.
func Explain(log *slog.Logger, operation string, err error) *api.Error {
	var e *api.Error
	switch {
	case errors.As(disk.Error(err, ""), &e):
		return e
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return api.New(api.Busy, "The request was cancelled before it finished. Try again.", "cancelled", err)
	default:
		log.Error("request failed", "what", operation, "err", err)
		return cmp.Or(api.ErrOpenFiles(err), ErrInternal(err))
	}
}

func Failure(id json.RawMessage, e *api.Error) jsonrpc.Envelope {
	return jsonrpc.Failure(id, jsonrpc.ServerError, e.UserMessage).WithData(e)
}
