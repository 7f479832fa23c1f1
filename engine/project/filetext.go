package project

import (
	"bytes"
	"context"
	"unicode/utf8"

	"searchmcp/engine/api"
)

// maxShownLine bounds a line that a person is shown, in bytes; people write none that is longer.
const maxShownLine = 2000

// FileText returns the lines of a project's file around one, as they are now, through policy: at most count of them.
func (r *Registry) FileText(_ context.Context, root, path string, line, count int) (api.FileText, error) {
	p, err := r.get(root)
	if err != nil {
		return api.FileText{}, err
	}
	data, ok := p.readNow(path)
	if !ok {
		return api.FileText{}, api.ErrFileNotFound(path)
	}
	data = bytes.TrimSuffix(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\n"))
	lines := bytes.Split(data, []byte("\n"))
	first := max(1, min(line-count/2, len(lines)-count+1))
	shown := lines[first-1 : min(len(lines), first-1+count)]
	for i, l := range shown {
		if len(l) > maxShownLine {
			n := maxShownLine
			for n > 0 && !utf8.RuneStart(l[n]) {
				n--
			}
			shown[i] = append(bytes.Clone(l[:n]), "…"...)
		}
	}
	return api.FileText{First: first, Text: string(bytes.ToValidUTF8(bytes.Join(shown, []byte("\n")), []byte("�"))),
		Total: len(lines)}, nil
}
