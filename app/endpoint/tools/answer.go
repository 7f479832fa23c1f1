package tools

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

// plainText is a text-only result.
type plainText struct{ text string }

// notes are sentences at the end of a result.
type notes struct {
	Notes []string `json:"notes,omitempty"`
}

func (n *notes) addNote(text string) { n.Notes = append(n.Notes, text) }

type noting interface{ addNote(text string) }

// bounded results can be shortened. shrink removes about the given share of the result. It reports whether it could
// remove anything.
type bounded interface{ shrink(share float64) bool }

// readable results have a text in addition to their structure. If the text is empty, the JSON is used as the text.
type readable interface{ readable() string }

// fewer returns n reduced by share, at most n-1.
func fewer(n int, share float64) int { return min(int(float64(n)*share), n-1) }

// fit shrinks a result until its text has at most limit characters.
func fit(b bounded, limit int) ([]byte, error) {
	for {
		text, err := encode(b)
		if err != nil {
			return nil, err
		}
		n := utf8.RuneCount(text)
		if n <= limit || !b.shrink(float64(limit)/float64(n)) {
			return text, nil
		}
	}
}

// render converts a tool's output into the result for the client: visible, within the size limit, and both as text and
// as structure, because some clients read only one.
func render(log *slog.Logger, tool string, output any, unknown []string) *mcp.CallToolResult {
	if p, plain := output.(*plainText); plain {
		if len(unknown) > 0 {
			p.text += "\n\n" + ignored(unknown)
		}
		text := display.Visible(display.Shorten(p.text, api.MaxResult))
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(text)}}
	}
	if n, noting := output.(noting); noting && len(unknown) > 0 {
		n.addNote(ignored(unknown))
	}
	display.VisibleAll(output)
	text, err := encode(output)
	if err == nil && len(text) > api.MaxResult {
		if b, bounded := output.(bounded); bounded {
			text, err = fit(b, api.MaxResult)
		}
	}
	if err != nil {
		return RenderError(session.Explain(log, tool, fmt.Errorf("encode result: %w", err)))
	}
	result := both(text, false)
	if r, is := output.(readable); is {
		if plain := r.readable(); plain != "" {
			result.Content = []mcp.Content{mcp.NewTextContent(plain)}
		}
	}
	return result
}

// RenderError returns the error of RFC 6.1 as a result, so that the model sees it.
func RenderError(e *api.Error) *mcp.CallToolResult {
	shown := api.Error{
		Code: e.Code, UserMessage: display.Visible(e.UserMessage), DeveloperMessage: display.Visible(e.DeveloperMessage),
	}
	text, err := encode(shown)
	if err != nil { // unreachable, because encoding strings never fails
		text = []byte(`{}`)
	}
	return both(text, true)
}

func both(text []byte, isError bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{mcp.NewTextContent(string(text))},
		StructuredContent: json.RawMessage(text),
		IsError:           isError,
	}
}
