package api

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

func (r Reason) InWords() string { return cmp.Or(reasons[r], string(r)) }

var reasons = map[Reason]string{
	SkipPath:       "its name has characters that are not allowed",
	SkipDepth:      "it is more than 20 folders down",
	SkipOwnData:    "it is where Search MCP keeps its indexes",
	SkipCheckout:   "it is another checkout of the same repository, which can be indexed as a project of its own",
	SkipSymlink:    "links are not followed",
	SkipSpecial:    "it is not a regular file",
	SkipDenied:     "it is always excluded",
	SkipSecret:     "it may contain secrets",
	SkipExcluded:   "it is excluded in the settings",
	SkipIgnored:    "an ignore file excludes it",
	SkipBinary:     "it is not text",
	SkipSize:       "it is too large",
	SkipNotInclude: "the settings don't include it",
	SkipUnreadable: "it can't be read",
	SkipOnline:     "its content is in the cloud only, and reading it would download it",
	SkipFormat:     "it has another format than .md, .html and .txt",
	SkipDocsOff:    "documents are switched off in the settings",
	SkipShared:     "the shared index has it",
}

// Sorted returns the reasons in s, beginning with the reason for most files.
func (s Skipped) Sorted() []Reason {
	all := slices.SortedFunc(maps.Keys(s), func(a, b Reason) int { return cmp.Or(s[b]-s[a], cmp.Compare(a, b)) })
	return slices.DeleteFunc(all, func(r Reason) bool { return s[r] <= 0 })
}

func (p Partial) InWords() string {
	var parts []string
	if p.CutFrom > 0 {
		parts = append(parts, fmt.Sprintf("lines from %d on are left out, for it has more than 1000 chunks", p.CutFrom))
	}
	switch {
	case p.Replaced == 1:
		parts = append(parts, "1 byte can't be decoded")
	case p.Replaced > 1:
		parts = append(parts, fmt.Sprintf("%d bytes can't be decoded", p.Replaced))
	}
	if p.Guessed != "" {
		parts = append(parts, fmt.Sprintf("its letters beyond ASCII are a guess, read as %s", p.Guessed))
	}
	switch p.Plain {
	case PlainCrash:
		parts = append(parts, "indexed by words only: the parser crashes on this file")
	case PlainAway:
		parts = append(parts, "indexed by words only until parsers can run again")
	}
	return strings.Join(parts, "; ")
}

func UnreadLine(names []string) string {
	line := strings.Join(names[:min(len(names), 10)], ", ")
	if len(names) > 10 {
		line += ", …"
	}
	return fmt.Sprintf("%d take too long to read or too much memory, and are plain text or left out: %s", len(names), line)
}
