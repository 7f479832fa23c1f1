package present

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"slices"
	"strings"

	"searchmcp/engine/api"
)

type Problem struct {
	Happened, Means string
	Action          Do
	Label           Text
	Detail          string
}

const tryAgain Text = "Try again"

func ProblemOf(err error) Problem {
	if err == nil || errors.Is(err, context.Canceled) {
		return Problem{}
	}
	if e, ok := errors.AsType[*api.Error](err); ok {
		return ProblemOfError(*e)
	}
	if f, ok := errors.AsType[*failed](err); ok {
		return Problem{Happened: T(f.what), Means: T(f.why()), Detail: line(f.err.Error()), Action: DoRetry, Label: tryAgain}
	}
	return Problem{Happened: T("That failed: %s", Cause(line(err.Error()))), Action: DoRetry, Label: tryAgain}
}

type failed struct {
	what Text
	err  error
}

func (f *failed) Error() string { return f.err.Error() }
func (f *failed) Unwrap() error { return f.err }

func (f *failed) why() Text {
	switch {
	case errors.Is(f.err, exec.ErrNotFound):
		return "The program it needs isn't installed."
	case errors.Is(f.err, fs.ErrPermission):
		return "You don't have permission to do that."
	case errors.Is(f.err, fs.ErrNotExist):
		return "It no longer exists."
	case errors.Is(f.err, context.DeadlineExceeded):
		return "It took too long."
	}
	return ""
}

// Failed returns err with a sentence for the user. A cancellation or an *api.Error is returned unchanged.
func Failed(what Text, err error) error {
	var e *api.Error
	if err == nil || errors.As(err, &e) || errors.Is(err, context.Canceled) {
		return err
	}
	return &failed{what, err}
}

func ProblemOfError(e api.Error) Problem {
	h := help[e.Code]
	p := Problem{Happened: Sentence(e.UserMessage), Means: T(h.means), Action: h.do, Label: h.label,
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
	api.IndexNotFound: {"It can't be searched until then.", DoIndex, "Index…"},
	api.ModelDownloadFailed: {"Search MCP keeps looking for it. If it is still missing later, reinstall Search MCP.",
		DoCheck, "Check everything"},
	api.IndexCorrupt: {"Your files are not affected. A rebuild creates the index again from them.", DoReindex,
		"Rebuild…"},
	api.PermissionDenied: {"Correct the permissions, then try again.", DoRetry, tryAgain},
	api.DiskFull:         {"The index is unchanged.", DoRetry, tryAgain},
	api.InvalidPattern: {"In a pattern, * matches within a folder and ** matches any number of folders.", DoRetry,
		tryAgain},
	api.ProjectOffline: {"If the folder has moved, choose its new location.", DoLocate, "Locate…"},
	api.FolderUnreadable: {"Give yourself read access. The project will then be available again automatically.", DoReveal,
		"Show in file manager"},
	api.Busy:         {"Try again in a moment.", DoRetry, tryAgain},
	api.ShuttingDown: {"Search MCP is quitting. You can start it again here.", DoStart, "Start"},
	api.Internal:     {"This is a bug in Search MCP. The log has the details.", DoCheck, "Check everything"},
}

func Lost(byUser bool, cause error) Problem {
	p := Problem{
		Happened: T("Search MCP is not running."),
		Means:    T("Editors can't search until it runs again. Your indexes are safe."),
		Action:   DoStart, Label: "Start",
	}
	if byUser {
		p.Happened = T("Search MCP has quit.")
	}
	if cause != nil {
		p.Detail = cause.Error()
	}
	return p
}

type Check struct {
	OK    bool
	Title string

	Messages, Details, Remedies []string
}

var subjects = map[string]Text{
	"data folder": "Data folder", "disk": "Disk space", "worker": "Program files", "ONNX Runtime": "Program files",
	"model": "Model for search by meaning", "app": "App", "projects": "Projects", "editors": "Editors",
}

func Checks(findings []api.Finding) []Check {
	var all []Check
	for _, f := range findings {
		title := line(strings.TrimPrefix(f.Subject, "project "))
		if t := subjects[f.Subject]; t != "" {
			title = T(t)
		}
		at := slices.IndexFunc(all, func(c Check) bool { return c.Title == title })
		if at < 0 {
			at = len(all)
			all = append(all, Check{OK: true, Title: title})
		}
		c := &all[at]
		if f.OK {
			continue
		}
		c.OK = false
		for into, s := range map[*[]string]string{&c.Messages: Sentence(f.Text), &c.Details: line(f.Detail),
			&c.Remedies: Sentence(f.Remedy)} {
			if s != "" && !slices.Contains(*into, s) {
				*into = append(*into, s)
			}
		}
	}
	for i := range all {
		if all[i].OK {
			all[i].Messages = []string{T("Fine")}
		}
	}
	bad := slices.DeleteFunc(slices.Clone(all), func(c Check) bool { return c.OK })
	return append(bad, slices.DeleteFunc(all, func(c Check) bool { return !c.OK })...)
}
