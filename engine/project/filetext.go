package project

import (
	"context"
	"strings"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
)

const maxShownLine = 2000

// FileText returns up to count lines around the given line of a file. Passwords and keys are masked.
func (r *Registry) FileText(_ context.Context, root, path string, line, count int) (api.FileText, error) {
	p, err := r.get(root)
	if err != nil {
		return api.FileText{}, err
	}
	data, _, reason, err := p.actor.Tree().Read(path)
	if err != nil || reason != api.SkipNone {
		return api.FileText{}, api.ErrFileNotFound(path)
	}
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(chunk.Decode(data), "\r\n", "\n"), "\n"), "\n")
	first := max(1, min(line-count/2, len(lines)-count+1))
	shown := lines[first-1 : min(len(lines), first-1+count)]
	for i, l := range shown {
		if len(l) > maxShownLine {
			n := maxShownLine
			for n > 0 && !utf8.RuneStart(l[n]) {
				n--
			}
			shown[i] = l[:n] + "…"
		}
	}
	return api.FileText{First: first, Text: strings.Join(shown, "\n"), Total: len(lines)}, nil
}
