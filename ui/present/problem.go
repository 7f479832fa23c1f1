package present

import (
	"context"
	"errors"

	"searchmcp/engine/api"
)

// Problem is an error as a person meets it: what happened, what it means for them, one button that helps, and the
// technical line for whoever wants it.
type Problem struct {
	Happened string
	Means    string
	Action   Do
	Label    Text
	Detail   string
}

const tryAgain Text = "Try again"

// ProblemOf words an error. The zero Problem means that there is nothing to show: the person gave up themselves.
func ProblemOf(err error) Problem {
	if err == nil || errors.Is(err, context.Canceled) {
		return Problem{}
	}
	var e *api.Error
	if !errors.As(err, &e) {
		return Problem{Happened: T("That did not work."), Means: T("Nothing was changed."), Action: DoRetry,
			Label: tryAgain, Detail: err.Error()}
	}
	return ProblemOfError(*e)
}

// ProblemOfError is ProblemOf for an error that belongs to a project or to the app.
func ProblemOfError(e api.Error) Problem {
	h := help[e.Code]
	p := Problem{Happened: Said(e.UserMessage), Means: T(h.means), Action: h.do, Label: h.label,
		Detail: e.DeveloperMessage}
	if p.Action == DoNone {
		p.Action, p.Label = DoRetry, tryAgain
	}
	return p
}

var help = map[api.Code]struct {
	means Text
	do    Do
	label Text
}{
	api.IndexNotFound:       {"It can't be searched until then.", DoIndex, "Index…"},
	api.ModelDownloadFailed: {"Searching by words works; searching by meaning has to wait.", DoRetry, tryAgain},
	api.IndexCorrupt: {"Your files are not affected. A rebuild makes the index anew from them.", DoReindex,
		"Rebuild…"},
	api.PermissionDenied: {"Files that can't be read are left out of the index.", DoRetry, tryAgain},
	api.DiskFull:         {"The index was left as it was before.", DoRetry, tryAgain},
	api.InvalidPattern: {"In a pattern * stands for anything within a folder, ** for any folders.", DoRetry,
		tryAgain},
	api.ProjectOffline: {"Its index is kept. If the folder has moved, say where it is now.", DoLocate, "Locate…"},
	api.Busy:           {"It will work in a moment.", DoRetry, tryAgain},
	api.ShuttingDown:   {"The app is going. It can be started again here.", DoStart, "Start"},
	api.Internal:       {"This is a fault of ours. The log tells more.", DoCheck, "Check everything"},
}

// Lost is the message for a connection that has ended.
func Lost(byPerson bool, cause error) Problem {
	p := Problem{
		Happened: T("Search MCP is not running."),
		Means:    T("Editors can't search until it runs again. Your indexes are safe."),
		Action:   DoStart, Label: "Start",
	}
	if byPerson {
		p.Happened = T("Search MCP was ended.")
	}
	if cause != nil {
		p.Detail = cause.Error()
	}
	return p
}
