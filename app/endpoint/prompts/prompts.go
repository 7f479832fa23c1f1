// Package prompts provides MCP prompts for the user. The prompts are constant. The package has no goroutines or locks.
package prompts

import (
	"context"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/display"
)

// maxPromptArgument is the maximum length of an argument, which becomes part of a query (RFC 4.2).
const maxPromptArgument = 500

// Prompt is an MCP prompt. Its text is in the first person, because the user sends it.
type Prompt struct {
	Name, Title, Description string
	Argument, Meaning        string
	text                     func(given string) string
}

var All = []Prompt{
	{
		Name: "explain_project", Title: "Explain this project",
		Description: "An overview of the project: its purpose, its structure, and where to begin reading.",
		Argument:    "part", Meaning: "A part of the project, such as a folder or a subject. Default: the whole project.",
		text: explainProject,
	},
	{
		Name: "find_where", Title: "Find where something happens",
		Description: "The places in the code where something happens, with files and lines.",
		Argument:    "what", Meaning: "What happens, in plain words, such as: expired sessions are removed.",
		text: findWhere,
	},
}

func explainProject(part string) string {
	subject := "this project"
	if part != "" {
		subject = "the part of this project that I call " + strconv.Quote(part)
	}
	return `Explain ` + subject + ` to somebody who sees it for the first time. Use the tools of the server "search":

1. get_index_status: is the project indexed and up to date? If not, say so and ask me before you index it.
2. search_docs: what it is for, how it is used, how it is designed.
3. search_code and search_by_path: where it starts, its main parts, how they work together. Read the files around the best results.

Then tell me, briefly: what it is for; its main parts and what each is responsible for; the way of one typical request or run through them; where to begin reading. Name files and lines. Say what you could not find instead of guessing.`
}

func findWhere(what string) string {
	if what == "" {
		return `Ask me what I am looking for in this project. Then find the places in the code where it happens with the tool search_code of the server "search", and give me files and lines with one sentence each.`
	}
	return `Find where this happens in the project: ` + strconv.Quote(what) + `

Use search_code of the server "search" with that as a short question. If the first results miss, ask again with the words that the code would use, or narrow by path or language. Read the lines around the best results before you answer.

Give me the places, the most important first, as file and lines with one sentence each on what happens there. Say so if nothing in the results fits.`
}

func (p Prompt) given(arguments map[string]string) string {
	return display.Shorten(strings.Join(strings.Fields(display.Visible(arguments[p.Argument])), " "), maxPromptArgument)
}

func Add(s *server.MCPServer) {
	list := make([]server.ServerPrompt, len(All))
	for i, p := range All {
		list[i] = server.ServerPrompt{
			Prompt: mcp.Prompt{
				Name: p.Name, Title: p.Title, Description: p.Description,
				Arguments: []mcp.PromptArgument{{Name: p.Argument, Description: p.Meaning}},
			},
			Handler: func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				text := p.text(p.given(r.Params.Arguments))
				return mcp.NewGetPromptResult(p.Description, []mcp.PromptMessage{
					mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text)),
				}), nil
			},
		}
	}
	s.AddPrompts(list...)
}
