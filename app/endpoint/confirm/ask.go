package confirm

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/scope"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

type Request struct {
	Session   *session.Session
	Engine    scope.Engine
	Tool      string
	Action    api.Action
	Root      string
	Project   api.Project
	Consent   api.Answer
	Round     *session.Round // Ask clears the round after using the answer
	Responses mcp.InputResponses
	Announce  func(text string)

	folder fs.FileInfo
	broad  bool // a home folder or a whole disk, about which the user is asked twice
}

// Ask returns the user's answer and the identity of the folder that the user saw. In the stateless protocol, it may
// return session.InputNeeded.
func (q *Questions) Ask(ctx context.Context, r Request) (api.Approval, error) {
	if r.folder = r.Round.Folder; r.folder == nil || r.Round.About != (subject{r.Action, r.Root}) {
		r.folder = r.Engine.Identify(r.Root)
	}
	if seen := r.Session.PreviewedFolder(r.Root); r.Consent != "" && seen != nil && r.Action != api.ActionDelete {
		r.folder = seen // the user approved the preview of this folder
	}
	a, err := q.ask(ctx, &r)
	return api.Approval{Answer: a, Folder: r.folder}, err
}

func (q *Questions) ask(ctx context.Context, r *Request) (api.Answer, error) {
	log := q.o.Log.With("action", r.Action, "project", r.Root, "client", r.Session.Name(), "role", r.Session.Role(),
		"pid", r.Session.PID()) // as reported by the kernel
	if a, answered := q.answered(r); answered {
		q.count(r.Action, r.Root, a)
		log.Info("question settled", "answer", a)
		return a, nil
	}
	r.broad = r.Action != api.ActionDelete && r.Engine.IsTooBroad(r.Root)
	if r.Consent != "" {
		own := r.Session.Role() != api.RoleAssistant
		// A home folder or a whole disk needs two approvals. The window has asked twice, but --yes is only one
		// approval.
		once := r.Session.Role() == api.RoleTerminal && r.broad
		if own && r.Consent.Yes() && !once {
			log.Info("allowed by the user's own request", "answer", r.Consent)
			q.count(r.Action, r.Root, r.Consent)
			q.forgive()
			return r.Consent, nil
		}
		log.Warn("consent that came with a call does not count", "answer", display.Name(string(r.Consent)))
	}
	if r.Action == api.ActionCreate && r.Project.AlwaysAllow {
		log.Info("allowed for this project before")
		return api.Always, nil
	}
	if r.Session.Role() == api.RoleAssistant && q.refusedOften(r.Action, r.Root) {
		log.Warn("not asked: the user has refused this several times")
		return "", errRefusedOften(r.Action, r.Root, q.windowPossible())
	}
	terminal := r.Session.Role() == api.RoleTerminal
	window := !terminal && q.windowPossible()
	// A client could answer in place of its user, so only our terminal may approve a home folder or a whole disk.
	trusted := terminal && !server.IsModernRequest(ctx) || !r.broad
	client := trusted && r.Session.Elicits(ctx)
	if !window && !client {
		why := "the client did not declare elicitation"
		if !trusted {
			why = "a client's answer is not accepted for such a broad folder"
		}
		return "", errCannotAsk(r, why, nil)
	}
	session.Yield(ctx)
	question, err := question(ctx, r)
	if err != nil {
		return "", err
	}
	if window {
		return q.askWindow(ctx, question, r)
	}
	a, err := q.askClient(ctx, question, r)
	if err == nil {
		q.count(r.Action, r.Root, a)
		if terminal && a.Yes() {
			q.forgive()
		}
		log.Info("question settled", "answer", a)
	}
	return a, err
}

// askWindow asks the user in a window. It returns an error if no window connects or all windows close.
func (q *Questions) askWindow(ctx context.Context, question api.Question, r *Request) (api.Answer, error) {
	open, fits := q.put(question, r.Session)
	if !fits {
		return "", api.New(api.Busy, "Too many questions from this assistant are waiting for an answer.",
			"too many open questions of one session", nil)
	}
	q.o.Publish(api.Event{Kind: api.EventQuestion, Question: &question})
	q.openWindow()
	r.Announce("Waiting for the user's answer in the Search MCP window")
	timeout := time.NewTimer(time.Until(question.Expires))
	defer timeout.Stop()
	var late <-chan time.Time
	for {
		seen, coming, changed := q.window()
		switch {
		case seen:
			late = nil
		case !coming:
			return q.notSeen(open)
		case late == nil:
			late = time.After(windowTime)
		}
		select {
		case a := <-open.answer:
			return a, nil
		case <-changed:
		case <-late:
			return q.notSeen(open)
		case <-timeout.C:
			q.withdraw(question.ID, api.TimedOut)
			return <-open.answer, nil // the user may have answered at the last moment
		case <-ctx.Done():
			q.withdraw(question.ID, api.Withdrawn)
			return "", ctx.Err()
		}
	}
}

// notSeen withdraws a question that no window shows, and returns an error. If the user has already answered, notSeen
// returns the answer.
func (q *Questions) notSeen(open *pending) (api.Answer, error) {
	q.withdraw(open.ID, api.Withdrawn)
	if a := <-open.answer; a != api.Withdrawn {
		return a, nil
	}
	q.o.Log.Warn("no window opened to show a question", "action", open.Action, "project", open.Project)
	// Do not ask the client instead. A client could make the window fail and then answer in place of the user.
	return "", errNotAsked(open.Action, open.Project, "and the Search MCP window could not be shown or was closed",
		"there is a desktop session, but no window shows the question", nil)
}

// askClient asks the user through the calling client. Only a terminal's answer may apply to later sessions.
func (q *Questions) askClient(ctx context.Context, question api.Question, r *Request) (api.Answer, error) {
	text := question.Title + ".\n\n" + question.Text
	if r.Session.Role() == api.RoleTerminal {
		text = question.Title + "\n\n" + question.Text
	}
	if server.IsModernRequest(ctx) {
		return "", r.Session.AskForm(session.Round{Tool: r.Tool, Step: session.StepConfirm,
			About: subject{question.Action, question.Project}, Folder: r.folder}, confirmForm(text, false))
	}
	r.Announce("Waiting for the user's answer")
	ctx, done := q.openDialog(ctx, subject{question.Action, question.Project})
	defer done()
	ctx, cancel := context.WithDeadline(ctx, question.Expires)
	defer cancel()
	a, err := q.elicit(ctx, r, text, question.CanAlways && r.Session.Role() == api.RoleTerminal)
	if err != nil || !question.Twice || !a.Yes() {
		return a, err
	}
	again, err := q.elicit(ctx, r, display.Line(question.Project)+" is not a single project but everything below that "+
		"folder. Do you really want to index all of it?", false)
	if err == nil && again == api.Accept {
		return a, nil
	}
	return again, err
}

// elicit shows a form in the client and returns the answer. A timeout is the answer TimedOut, not an error.
func (q *Questions) elicit(ctx context.Context, r *Request, text string, canAlways bool) (api.Answer, error) {
	response, err := r.Session.Elicit(ctx, confirmForm(text, canAlways))
	var elsewhere *joined
	switch {
	case errors.As(err, &elsewhere):
		return elsewhere.answer, nil
	case errors.Is(err, context.DeadlineExceeded):
		return api.TimedOut, nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		q.o.Log.Warn("the client could not ask its user", "client", r.Session.Name(), "err", err)
		return "", errCannotAsk(r, "the client failed to ask: "+display.Visible(err.Error()), err)
	}
	return formAnswer(response, canAlways), nil
}

func (q *Questions) answered(r *Request) (a api.Answer, answered bool) {
	round := *r.Round
	if round.About != (subject{r.Action, r.Root}) {
		return "", false
	}
	*r.Round = session.Round{} // an answer is used only once
	if time.Now().After(round.Expires) {
		return api.TimedOut, true
	}
	response := server.ElicitationResponse(r.Responses, string(round.Step))
	if response == nil {
		return "", false
	}
	return formAnswer(&response.ElicitationResponse, false), true
}
