package project

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"searchmcp/engine/api"
)

func omissions(p api.Project) []string {
	var out []string
	for _, reason := range slices.Sorted(maps.Keys(p.Skipped)) {
		if reason == api.SkipUnreadable {
			continue
		}
		n, names := p.Skipped[reason], p.Examples[reason]
		text := fmt.Sprintf("Left out: %d, because %s", n, reason.InWords())
		if len(names) > 0 {
			text += ": " + strings.Join(names, ", ")
		}
		if more := n - len(names); len(names) > 0 && more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		out = append(out, text+".")
	}
	for _, f := range p.Partial {
		out = append(out, "Partly indexed: "+f.Path+" ("+f.InWords()+").")
	}
	if more := p.PartialFiles - len(p.Partial); more > 0 {
		out = append(out, fmt.Sprintf("Partly indexed: %d more files.", more))
	}
	return out
}
