package endpoint

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

// The sentences of RFC 4.5 and 4.7, word for word, and ours for create_index.
const (
	askReindex = "This will rebuild the entire index. Continue?"
	askDelete  = "Delete the index for this project? This cannot be undone."
	askCreate  = "Index this project so that it can be searched? Its files are read on this computer only and nothing is sent anywhere."
)

// inputNeeded ends a call that must come again with a person's or the client's answer (2026-07-28).
type inputNeeded struct{ result *mcp.CallToolResult }

func (inputNeeded) Error() string { return "input required" }

// consent asks a person whether action may be done to root. It returns Accept, Always, Decline or TimedOut. An error
// means that nobody was asked, that the caller has gone, or (inputNeeded) that the call comes again with the answer.
func (c *call) consent(ctx context.Context, action api.Action, root string) (api.Answer, error) {
	if a, answered, err := c.answered(action, root); answered || err != nil {
		return a, err
	}
	hello := c.session.facts()
	if hello.Confirmed {
		c.srv.log.Info("confirmed by --yes", "action", action, "project", root, "pid", hello.PID)
		return api.Accept, nil
	}
	if action == api.ActionCreate {
		if p, err := c.backend.Status(ctx, root); err == nil && p.AlwaysAllow {
			c.srv.log.Info("allowed for this project before", "action", action, "project", root, "asker", c.session.client())
			return api.Always, nil
		}
	}
	if !c.canAsk(ctx) {
		return "", errCannotAsk(action, root)
	}
	releaseSlot(ctx) // a person is slow, others must not wait for one
	q, err := c.question(ctx, action, root)
	if err != nil {
		return "", err
	}
	if hello.Role != wire.RoleTerminal && c.srv.windowPossible() {
		a, err := c.askWindow(ctx, q)
		if !errors.Is(err, errNoWindow) {
			return a, err
		}
		c.srv.log.Warn("no window came to show a question", "action", action, "project", root)
		if !c.elicits(ctx) {
			return "", errCannotAsk(action, root)
		}
	}
	a, err := c.askClient(ctx, q)
	if err == nil {
		c.srv.log.Info("question settled", "action", action, "project", root, "asker", q.Asker, "answer", a)
	}
	return a, err
}

// canAsk reports whether there is any way to a person.
func (c *call) canAsk(ctx context.Context) bool {
	return c.elicits(ctx) || (c.srv.windowPossible() && c.session.facts().Role != wire.RoleTerminal)
}

// elicits reports whether this client can put a form to its person, by what it declared for this request or session.
func (c *call) elicits(ctx context.Context) bool { return elicits(c.capabilities(ctx)) }

func (c *call) capabilities(ctx context.Context) mcp.ClientCapabilities {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		if info.ClientCapabilities == nil {
			return mcp.ClientCapabilities{}
		}
		return *info.ClientCapabilities
	}
	return c.session.GetClientCapabilities()
}

// errCannotAsk says how a person can do it. No text that an assistant reads names a way around the question.
func errCannotAsk(action api.Action, root string) *api.Error {
	command := map[api.Action]string{
		api.ActionCreate:  "search-mcp index " + quote(root),
		api.ActionReindex: "search-mcp reindex --project " + quote(root),
		api.ActionDelete:  "search-mcp delete --project " + quote(root),
	}[action]
	return api.New(api.ConfirmationRequired,
		fmt.Sprintf("A person has to confirm this, and there is no way to ask one from here. Please ask the user to run this in a terminal: %s", command),
		fmt.Sprintf("%s needs a person's confirmation: no desktop session, and the client did not declare elicitation", action), nil)
}

// quote makes a path one word of a shell's command line.
func quote(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool { return !strings.ContainsRune(plainRunes, r) }) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

const plainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-:\\~@+"

// question words what a person is asked (docs/specification.md#confirmation): the RFC's sentence, the project,
// what will happen, how many files, time and size, and who asks.
func (c *call) question(ctx context.Context, action api.Action, root string) (api.Question, error) {
	q := api.Question{
		ID: newID(), Action: action, Project: root, Name: filepath.Base(root), Asker: c.session.client(),
		CanAlways: action == api.ActionCreate,
	}
	p, err := c.backend.Status(ctx, root)
	if err != nil {
		return q, err
	}
	if p.Name != "" {
		q.Name = p.Name
	}
	var lines []string
	if action == api.ActionDelete {
		q.Title = fmt.Sprintf("%s wants to delete the index of %s", capital(q.Asker), visible(q.Name))
		lines = []string{askDelete, "", "Project: " + visible(root),
			fmt.Sprintf("The index of %s (%s) is removed. The project's own files are not touched.", files(p.Files), size(p.SizeBytes))}
	} else {
		preview, err := c.backend.Preview(ctx, root)
		if err != nil {
			return q, err
		}
		q.Preview, q.Twice = &preview, preview.Broad
		verb, sentence := "index", askCreate
		if action == api.ActionReindex {
			verb, sentence = "rebuild the index of", askReindex
		}
		q.Title = fmt.Sprintf("%s wants to %s %s", capital(q.Asker), verb, visible(q.Name))
		if preview.OverLimit {
			lines = append(lines, api.ErrFileLimit(preview.Files, c.backend.Config(root).MaxFiles).UserMessage)
		}
		lines = append(lines, sentence, "", "Project: "+visible(root), estimate(preview))
		for _, w := range preview.Warnings {
			lines = append(lines, visible(w))
		}
	}
	lines = append(lines, "Asked by: "+q.Asker)
	q.Text = strings.Join(lines, "\n")
	q.Asked = time.Now() // the preview above may have taken a while
	q.Expires = q.Asked.Add(answerTime)
	return q, nil
}

func estimate(p api.Preview) string {
	atLeast := ""
	if p.Truncated {
		atLeast = "at least "
	}
	text := fmt.Sprintf("%s%s (%s), about %s of index", atLeast, files(p.Files), size(p.Bytes), size(p.DiskBytes))
	if p.Duration > 0 {
		text += ", done in about " + length(p.Duration)
	}
	if p.Searchable > 0 && p.Searchable < p.Duration {
		text += ", searchable after about " + length(p.Searchable)
	}
	return text
}

var errNoWindow = errors.New("no window came")

// askWindow puts the question to the windows of the app, and opens one if there is none.
func (c *call) askWindow(ctx context.Context, q api.Question) (api.Answer, error) {
	open, fits := c.srv.gate.put(q, c.session.id)
	if !fits {
		return "", api.New(api.Busy, "Too many questions of this assistant wait for an answer already.", "too many open questions of one session", nil)
	}
	c.srv.publish(api.Event{Kind: api.EventQuestion, Question: &q})
	viewer := c.srv.gate.viewer()
	c.srv.openWindow(q.Project)
	c.progress.say("Waiting for a person to answer in the Search MCP window")
	timeout := time.NewTimer(time.Until(q.Expires))
	defer timeout.Stop()
	noWindow := time.NewTimer(windowTime)
	defer noWindow.Stop()
	for {
		select {
		case a := <-open.answer:
			return a, nil
		case <-viewer:
			noWindow.Stop()
			viewer = nil
		case <-noWindow.C:
			if viewer != nil {
				c.srv.withdraw(q.ID, api.Withdrawn)
				return "", errNoWindow
			}
		case <-timeout.C:
			c.srv.withdraw(q.ID, api.TimedOut)
			return <-open.answer, nil // the person may have been faster
		case <-ctx.Done():
			c.srv.withdraw(q.ID, api.Withdrawn)
			return "", ctx.Err()
		}
	}
}

// askClient puts the question to the person through the client that called, twice for a broad root.
func (c *call) askClient(ctx context.Context, q api.Question) (api.Answer, error) {
	if server.IsModernRequest(ctx) {
		return "", c.openRound(round{step: stepConfirm, root: q.Project, action: q.Action, twice: q.Twice},
			string(stepConfirm), confirmForm(q.Title+".\n\n"+q.Text, q.CanAlways))
	}
	c.progress.say("Waiting for a person to answer")
	ctx, cancel := context.WithDeadline(ctx, q.Expires)
	defer cancel()
	a, err := c.elicit(ctx, confirmForm(q.Title+".\n\n"+q.Text, q.CanAlways))
	if err != nil || !q.Twice || !a.Yes() {
		return a, err
	}
	again, err := c.elicit(ctx, confirmForm(askTwice(q.Project), false))
	if err == nil && again == api.Accept {
		return a, nil
	}
	return again, err
}

func askTwice(root string) string {
	return fmt.Sprintf("%s is not a single project but everything below that folder. Do you really want all of it indexed?", visible(root))
}

// elicit sends one form by the handshake era's own request. The end of the time for an answer is an answer.
func (c *call) elicit(ctx context.Context, form mcp.ElicitationParams) (api.Answer, error) {
	result, err := c.session.RequestElicitation(ctx, mcp.ElicitationRequest{Params: form})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return api.TimedOut, nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		c.srv.log.Warn("the client could not ask its person", "client", c.session.client(), "err", err)
		return "", api.New(api.ConfirmationRequired, "The question could not be put to a person.", visible(err.Error()), err)
	}
	return formAnswer(&result.ElicitationResponse), nil
}

// openRound ends this call; the client comes again with the answer.
func (c *call) openRound(r round, key string, form mcp.ElicitationParams) error {
	r.session, r.tool = c.session.id, c.tool.name
	return inputNeeded{server.NewInputRequestBuilder(c.srv.rounds.put(r)).Elicit(key, form).ToolResult()}
}

// answered looks for the answer that this call brings to a question of ours.
func (c *call) answered(action api.Action, root string) (a api.Answer, answered bool, err error) {
	r := c.round
	if r.action != action || r.root != root || (r.step != stepConfirm && r.step != stepAgain) {
		return "", false, nil
	}
	c.round = round{} // an answer counts once
	if time.Now().After(r.expires) {
		return api.TimedOut, true, nil
	}
	response := server.ElicitationResponse(c.request.Params.InputResponses, string(r.step))
	if response == nil {
		return "", false, nil
	}
	a = formAnswer(&response.ElicitationResponse)
	if r.twice && r.step == stepConfirm && a.Yes() {
		return "", false, c.openRound(round{step: stepAgain, root: root, action: action, always: a == api.Always},
			string(stepAgain), confirmForm(askTwice(root), false))
	}
	if r.always && a == api.Accept {
		a = api.Always
	}
	c.srv.log.Info("question settled", "action", action, "project", root, "asker", c.session.client(), "answer", a)
	return a, true, nil
}

// confirmForm is the form of a yes-or-no question. Accepting it is the answer; the boxes only refine it.
func confirmForm(message string, canAlways bool) mcp.ElicitationParams {
	properties := map[string]any{
		"confirm": map[string]any{"type": "boolean", "title": "Go ahead", "default": true},
	}
	if canAlways {
		properties["always"] = map[string]any{"type": "boolean", "title": "Always allow for this project", "default": false}
	}
	return mcp.ElicitationParams{Message: message, RequestedSchema: map[string]any{"type": "object", "properties": properties}}
}

// formAnswer reads a confirmForm. Whatever is not clearly a yes is a no.
func formAnswer(r *mcp.ElicitationResponse) api.Answer {
	if r.Action != mcp.ElicitationResponseActionAccept {
		return api.Decline
	}
	content, isObject := r.Content.(map[string]any)
	if r.Content != nil && !isObject {
		return api.Decline
	}
	if confirm, given := content["confirm"]; given && confirm != true {
		return api.Decline
	}
	if content["always"] == true {
		return api.Always
	}
	return api.Accept
}
