// Package prompts provides MCP prompts for the user. They are constant and need no engine. It is pure, without
// goroutines or locks.
package prompts

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/display"
)

// maxPromptArgument is the length of a query in characters (RFC 4.2), because the argument becomes a query.
const maxPromptArgument = 500

// Reference describes a prompt for documentation.
type Reference struct{ Name, Title, Description, Argument, Meaning string }

// prompt is an MCP prompt, which most clients offer as a command. The user sends it, so it is written in the first
// person.
type prompt struct {
	name, title, description string
	argument, meaning        string // its only argument, optional, and its meaning
	// text returns the message; given is the argument, or "".
	text func(given string) string
}

var prompts = []prompt{
	{
		name: "explain_project", title: "Explain this project",
		description: "An overview of the project: what it is for, how it is built, where to begin reading.",
		argument:    "part", meaning: "A part of the project, such as a folder or a subject. The whole project if left out.",
		text: explainProject,
	},
	{
		name: "find_where", title: "Find where something happens",
		description: "The places in the code where something happens, with files and lines.",
		argument:    "what", meaning: "What happens, in plain words, such as: expired sessions are removed.",
		text: findWhere,
	},
}

func explainProject(part string) string {
	subject := "this project"
	if part != "" {
		subject = "the part of this project that I call " + quoted(part)
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
	return `Find where this happens in the project: ` + quoted(what) + `

Use search_code of the server "search" with that as a short question. If the first results miss, ask again with the words that the code would use, or narrow by path or language. Read the lines around the best results before you answer.

Give me the places, the most important first, as file and lines with one sentence each on what happens there. Say so if nothing in the results fits.`
}

// quoted quotes the argument on one line without invisible characters.
func quoted(typed string) string { return fmt.Sprintf("%q", typed) }

// given returns the sanitized argument.
func (p prompt) given(arguments map[string]string) string {
	return display.Shorten(strings.Join(strings.Fields(display.Visible(arguments[p.argument])), " "), maxPromptArgument)
}

// Add registers the prompts.
func Add(s *server.MCPServer) {
	list := make([]server.ServerPrompt, len(prompts))
	for i, p := range prompts {
		list[i] = server.ServerPrompt{
			Prompt: mcp.Prompt{
				Name: p.name, Title: p.title, Description: p.description,
				Arguments: []mcp.PromptArgument{{Name: p.argument, Description: p.meaning}},
			},
			Handler: func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				text := p.text(p.given(r.Params.Arguments))
				return mcp.NewGetPromptResult(p.description, []mcp.PromptMessage{
					mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text)),
				}), nil
			},
		}
	}
	s.AddPrompts(list...)
}

// All describes every prompt.
func All() []Reference {
	out := make([]Reference, 0, len(prompts))
	for _, p := range prompts {
		out = append(out, Reference{p.name, p.title, p.description, p.argument, p.meaning})
	}
	return out
}
