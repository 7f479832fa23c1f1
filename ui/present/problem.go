package present

import (
	"context"
	"errors"

	"searchmcp/engine/api"
)

// Problem is an error as a person meets it: what happened, what it means for them, one button that helps, and the technical
// line for whoever wants it.
type Problem struct {
	Happened string
	Means    string
	Action   Do
	Label    string
	Detail   string
}

// ProblemOf words an error. The zero Problem means that there is nothing to show: the person gave up themselves.
func ProblemOf(err error) Problem {
	if err == nil || errors.Is(err, context.Canceled) {
		return Problem{}
	}
	var e *api.Error
	if !errors.As(err, &e) {
		return Problem{Happened: "That did not work.", Means: "Nothing was changed.", Action: DoRetry, Label: "Try again", Detail: err.Error()}
	}
	return ProblemOfError(*e)
}

// ProblemOfError is ProblemOf for an error that belongs to a project or to the app.
func ProblemOfError(e api.Error) Problem {
	h := help[e.Code]
	p := Problem{Happened: e.UserMessage, Means: h.means, Action: h.do, Label: h.label, Detail: e.DeveloperMessage}
	if p.Action == DoNone {
		p.Action, p.Label = DoRetry, "Try again"
	}
	return p
}

var help = map[api.Code]struct {
	means string
	do    Do
	label string
}{
	api.IndexNotFound:       {"It can't be searched until then.", DoIndex, "Index…"},
	api.ModelDownloadFailed: {"Searching by words works; searching by meaning has to wait.", DoRetry, "Try again"},
	api.IndexCorrupt:        {"Your files are not affected. A rebuild makes the index anew from them.", DoReindex, "Rebuild…"},
	api.PermissionDenied:    {"Files that can't be read are left out of the index.", DoRetry, "Try again"},
	api.DiskFull:            {"The index was left as it was before.", DoRetry, "Try again"},
	api.InvalidPattern:      {"In a pattern * stands for anything within a folder, ** for any folders.", DoRetry, "Try again"},
	api.ProjectOffline:      {"Its index is kept. If the folder has moved, say where it is now.", DoLocate, "Locate…"},
	api.Busy:                {"It will work in a moment.", DoRetry, "Try again"},
	api.ShuttingDown:        {"The app is going. It can be started again here.", DoStart, "Start"},
	api.Internal:            {"This is a fault of ours. The log tells more.", DoCheck, "Check everything"},
}

// Lost is the message for a connection that has ended.
func Lost(byPerson bool, cause error) Problem {
	p := Problem{
		Happened: "Search MCP is not running.", Means: "Editors can't search until it runs again. Your indexes are safe.",
		Action: DoStart, Label: "Start",
	}
	if byPerson {
		p.Happened = "Search MCP was ended."
	}
	if cause != nil {
		p.Detail = cause.Error()
	}
	return p
}
