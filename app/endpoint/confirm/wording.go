package confirm

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

// The questions as RFC 4.5 and 4.7 define them.
const (
	askReindex = "This will rebuild the entire index. Continue?"
	askDelete  = "Delete the index for this project? This cannot be undone."
	askCreate  = "Index this project so that it can be searched? " +
		"Its files are read on this computer only and nothing is sent anywhere."
)

func command(action api.Action, root string) string {
	return map[api.Action]string{
		api.ActionCreate:  "search-mcp index " + quote(root),
		api.ActionReindex: "search-mcp reindex --project " + quote(root),
		api.ActionDelete:  "search-mcp delete --project " + quote(root),
	}[action]
}

// errNotAsked returns an error with the command that the user can run. The error must not mention a way to avoid the
// question, because an assistant reads it.
func errNotAsked(action api.Action, root, state, reason string, cause error) *api.Error {
	return api.New(api.ConfirmationRequired,
		"The user has to approve this, "+state+". Please ask the user to run this in a terminal: "+command(action, root),
		string(action)+" needs the user's approval: "+reason, cause)
}

func errCannotAsk(r *Request, why string, cause error) *api.Error {
	return errNotAsked(r.Action, r.Root, "but can't be asked from here", "there is no desktop session, and "+why, cause)
}

func errRefusedOften(action api.Action, root string, window bool) *api.Error {
	until := "do it themselves in a terminal: " + command(action, root)
	if window {
		until = "open the Search MCP window, or " + until
	}
	return api.New(api.ConfirmationRequired,
		"The user has refused this several times and is not asked again until they "+until,
		"refused several times in a row", nil)
}

// quote returns path as a single word of a shell command, without line breaks.
func quote(path string) string {
	if display.Line(path) != path {
		return "$'" + display.Line(strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(path)) + "'"
	}
	if !strings.ContainsFunc(path, func(r rune) bool { return !strings.ContainsRune(plainRunes, r) }) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

const plainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-:\\~@+"

func question(ctx context.Context, r *Request) (api.Question, error) {
	q := api.Question{
		ID: rand.Text(), Action: r.Action, Project: r.Root, Name: filepath.Base(r.Root),
		Client: r.Session.Name(), Process: r.Session.Process(), Role: r.Session.Role(),
		CanAlways: r.Action == api.ActionCreate,
	}
	if r.Project.Name != "" {
		q.Name = r.Project.Name
	}
	q.Name = display.Name(q.Name)
	who := q.Client
	if q.Role == api.RoleWindow {
		who = "The window"
	}
	begin := display.Capital(who) + " wants to " // in a terminal, the user is the requester
	if q.Role == api.RoleTerminal {
		begin = ""
	}
	var lines []string
	if r.Action == api.ActionDelete {
		q.Title = titled(begin, "delete the index of", q.Name)
		lines = []string{askDelete, "", "Project: " + display.Line(r.Root),
			fmt.Sprintf("The index of %s (%s) is removed. The project's own files are not touched.",
				display.Files(r.Project.Files), display.Size(r.Project.SizeBytes))}
	} else {
		preview, err := r.Engine.Preview(ctx, r.Root)
		if err != nil {
			return q, err
		}
		if preview.Problem != nil {
			return q, preview.Problem
		}
		q.Preview, q.Twice = &preview, r.broad
		verb, sentence := "index", askCreate
		if r.Action == api.ActionReindex {
			verb, sentence = "rebuild the index of", askReindex
		}
		q.Title = titled(begin, verb, q.Name)
		if preview.OverLimit {
			lines = append(lines, api.ErrFileLimit(preview.Files, r.Engine.Config(r.Root).MaxFiles).UserMessage)
		}
		lines = append(lines, sentence, "", "Project: "+display.Line(r.Root), estimate(preview))
		for _, w := range preview.Warnings {
			lines = append(lines, display.Line(w))
		}
	}
	switch {
	case q.Role == api.RoleTerminal:
	case q.Process != "":
		lines = append(lines, "Asked by: "+who+" ("+q.Process+")")
	default:
		lines = append(lines, "Asked by: "+who)
	}
	q.Text = strings.Join(lines, "\n")
	q.Asked = time.Now() // the preview may have taken some time
	q.Expires = q.Asked.Add(session.AnswerTime)
	return q, nil
}

func titled(begin, verb, name string) string {
	if begin == "" {
		return strings.ToUpper(verb[:1]) + verb[1:] + " " + name + "?"
	}
	return begin + verb + " " + name
}

func estimate(p api.Preview) string {
	atLeast := ""
	if p.Truncated {
		atLeast = "at least "
	}
	text := fmt.Sprintf("%s%s (%s), about %s of index, done in about %s", atLeast, display.Files(p.Files),
		display.Size(p.Bytes), display.Size(p.DiskBytes), display.Duration(max(p.Duration, time.Second)))
	if p.Searchable > 0 && p.Searchable < p.Duration {
		text += ", searchable after about " + display.Duration(p.Searchable)
	}
	return text
}

// confirmForm returns a form with the field confirm, which has no default, so that a client must set it.
func confirmForm(message string, canAlways bool) mcp.ElicitationParams {
	properties := map[string]any{"confirm": map[string]any{"type": "boolean", "title": "Go ahead"}}
	if canAlways {
		properties["always"] = map[string]any{"type": "boolean", "title": "Always allow for this project", "default": false}
	}
	schema := map[string]any{"type": "object", "properties": properties, "required": []string{"confirm"}}
	return mcp.ElicitationParams{Message: message, RequestedSchema: schema}
}

// formAnswer returns the answer in a form. It is a yes only if the form was accepted and confirm is true.
func formAnswer(r *mcp.ElicitationResponse, canAlways bool) api.Answer {
	content, _ := r.Content.(map[string]any)
	switch {
	case r.Action != mcp.ElicitationResponseActionAccept || content["confirm"] != true:
		return api.Decline
	case canAlways && content["always"] == true:
		return api.Always
	}
	return api.Accept
}
