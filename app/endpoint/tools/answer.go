package tools

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

type plainText struct{ text string }

type notes struct {
	Notes []string `json:"notes,omitempty"`
}

func (n *notes) addNote(text string) { n.Notes = append(n.Notes, text) }

func (n *notes) addNotes(texts ...string) {
	n.Notes = append(n.Notes, slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return s == "" })...)
}

type noting interface{ addNote(text string) }

// bounded is a result that shrink can shorten, for example to half its length if share is 0.5.
type bounded interface{ shrink(share float64) bool }

// readable is a result with a text for models. If the text is empty, models get the JSON.
type readable interface{ readable() string }

func fewer(n int, share float64) int { return min(int(float64(n)*share), n-1) }

// cuttable is a list with a minimum length.
type cuttable struct {
	length, least int
	cut           func(n int)
}

func to[T any](least int, s *[]T) cuttable {
	return cuttable{len(*s), least, func(n int) { *s = (*s)[:n] }}
}

// drop shortens the first list above its minimum length to the given share. It reports whether there was such a list.
func drop(share float64, lists ...cuttable) bool {
	for _, l := range lists {
		if l.length > l.least {
			l.cut(max(l.least, fewer(l.length, share)))
			return true
		}
	}
	return false
}

// size is embedded in results that limit their own length.
type size struct {
	chars  int
	finish func()
}

func (s *size) bound() *size { return s }

const (
	noteSpace     = 120
	charsPerToken = 4 // approximate number of characters per token
)

func fit(output any) ([]byte, error) {
	display.VisibleAll(output)
	limit, finish := api.MaxResult, func() {}
	if own, has := output.(interface{ bound() *size }); has && own.bound().finish != nil {
		limit, finish = min(own.bound().chars, limit)-noteSpace, own.bound().finish
	}
	for {
		text, err := encode(output)
		if err != nil {
			return nil, err
		}
		n := utf8.RuneCount(text)
		if b, is := output.(bounded); n > limit && is && b.shrink(float64(limit)/float64(n)) {
			continue
		}
		finish()
		display.VisibleAll(output)
		return encode(output)
	}
}

// render returns output as a tool result. The result has both text and structured content, because some clients read
// only one of them. It adds more to the notes of output.
func render(log *slog.Logger, tool string, output any, more notes) *mcp.CallToolResult {
	if p, plain := output.(*plainText); plain {
		for _, note := range more.Notes {
			p.text += "\n\n" + note
		}
		text := display.Visible(display.Shorten(p.text, api.MaxResult))
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(text)}}
	}
	if n, noting := output.(noting); noting {
		for _, note := range more.Notes {
			n.addNote(note)
		}
	}
	text, err := fit(output)
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

// RenderError returns an error as a tool result, because models don't see other errors (RFC 6.1).
func RenderError(e *api.Error) *mcp.CallToolResult {
	text, err := encode(api.Error{Code: e.Code, UserMessage: errorText(e.UserMessage),
		DeveloperMessage: errorText(e.DeveloperMessage)})
	if err != nil { // unreachable: strings can always be encoded
		text = []byte(`{}`)
	}
	return both(text, true)
}

// maxError is the maximum length of an error's messages in characters, because a message may repeat an argument.
const maxError = 4000

func errorText(s string) string { return display.Shorten(display.Visible(s), maxError) }

func both(text []byte, isError bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{mcp.NewTextContent(string(text))},
		StructuredContent: json.RawMessage(text),
		IsError:           isError,
	}
}
