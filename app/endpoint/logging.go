package endpoint

import (
	"context"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

const logger = "search-mcp"

// followLog sends MCP log messages about the app and the session's last project.
func (s *Server) followLog(ctx context.Context, b Engine) {
	states := map[string]api.State{}
	for _, p := range b.Projects() {
		states[p.ID] = p.State
	}
	for e := range b.Subscribe(ctx) {
		switch e.Kind {
		case api.EventProblem:
			s.sendLog("", mcp.LoggingLevelWarning, e.Message)
		case api.EventRemoved:
			delete(states, e.ProjectID)
		case api.EventProject:
			if e.Project == nil || states[e.Project.ID] == e.Project.State {
				continue
			}
			before := states[e.Project.ID]
			states[e.Project.ID] = e.Project.State
			if level, text := news(before, *e.Project); text != "" {
				s.sendLog(e.Project.Root(), level, text)
			}
		}
	}
}

// news returns the log message about a change of the project's state, with its level. The message is "" if assistants
// don't need it.
func news(before api.State, p api.Project) (mcp.LoggingLevel, string) {
	why := ""
	if p.Problem != nil {
		why = " " + p.Problem.UserMessage
	}
	switch p.State {
	case api.StateReady:
		return mcp.LoggingLevelInfo, fmt.Sprintf("The index of %s is complete: %s.", p.Name, display.Files(p.Files))
	case api.StateEmbedding:
		if before == api.StateIndexing {
			return mcp.LoggingLevelInfo, fmt.Sprintf("%s can be searched by words; search by meaning follows.", p.Name)
		}
	case api.StateOffline, api.StateDegraded:
		return mcp.LoggingLevelWarning, fmt.Sprintf("%s: %s.%s", p.Name, p.Term(), why)
	case api.StateError:
		return mcp.LoggingLevelError, fmt.Sprintf("%s can't be searched.%s", p.Name, why)
	}
	return "", ""
}

// sendLog sends text to the sessions that use the project at root, or to all sessions if root is "".
func (s *Server) sendLog(root string, level mcp.LoggingLevel, text string) {
	message := mcp.NewLoggingMessageNotification(level, logger, display.Visible(text))
	for _, ses := range s.snapshot() {
		if !ses.GetsLogs(root) {
			continue
		}
		err := s.mcp.SendLogMessageToSpecificClient(ses.SessionID(), message)
		if err != nil && !errors.Is(err, server.ErrSessionNotFound) {
			s.log.Debug("log message not delivered", "session", ses.SessionID(), "err", err)
		}
	}
}
