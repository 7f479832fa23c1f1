package tools

import (
	"fmt"
	"slices"
	"strings"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

// omissions counts the files that are missing in an index, by reason, and gives examples.
type omissions struct {
	Skipped       []skipCount  `json:"skipped,omitempty"`
	IndexedInPart []partial    `json:"indexedInPart,omitempty"`
	FilesInPart   int          `json:"filesInPart,omitempty"`
	RFCNotices    []*api.Error `json:"notices,omitempty"`
}

type skipCount struct {
	Reason   string   `json:"reason"`
	Files    int      `json:"files"`
	Because  string   `json:"because"`
	Examples []string `json:"examples,omitempty"`
}

type partial struct {
	Path    string `json:"path"`
	Because string `json:"because"`
}

// problemOf returns a copy of e without its cause.
func problemOf(e *api.Error) *api.Error {
	return &api.Error{Code: e.Code, UserMessage: e.UserMessage, DeveloperMessage: e.DeveloperMessage}
}

func omissionsOf(p api.Project) omissions {
	o := omissions{FilesInPart: p.PartialFiles}
	for _, reason := range p.Skipped.Sorted() {
		o.Skipped = append(o.Skipped, skipCount{string(reason), p.Skipped[reason], reason.InWords(),
			slices.Clone(p.Examples[reason])})
	}
	for _, f := range p.Partial {
		o.IndexedInPart = append(o.IndexedInPart, partial{f.Path, f.InWords()})
	}
	for _, n := range p.Notices {
		o.RFCNotices = append(o.RFCNotices, problemOf(n))
	}
	return o
}

func (o *omissions) shrink(share float64) bool {
	var lists []cuttable
	for i := range o.Skipped {
		lists = append(lists, to(0, &o.Skipped[i].Examples))
	}
	return drop(share, append(lists, to(0, &o.IndexedInPart))...)
}

func sentences(p api.Project) []string {
	var out []string
	notices := p.Notices
	if p.Problem != nil {
		notices = append([]*api.Error{p.Problem}, notices...)
	}
	for _, n := range notices {
		out = append(out, n.UserMessage+" ("+n.DeveloperMessage+")")
	}
	if p.PartialFiles > 0 {
		f, are := p.Partial[0], "are"
		if p.PartialFiles == 1 {
			are = "is"
		}
		out = append(out, fmt.Sprintf("%s %s indexed in part: %s (%s).", display.Files(p.PartialFiles), are, f.Path,
			f.InWords()))
	}
	if n := p.Skipped[api.SkipSymlink]; n > 0 {
		out = append(out, fmt.Sprintf("Symbolic links are not followed: %d of them, %s.", n,
			strings.Join(p.Examples[api.SkipSymlink], ", ")))
	}
	return out
}
