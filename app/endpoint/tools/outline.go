package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"searchmcp/engine/api"
)

type outlineParams struct {
	Path  string `json:"path" doc:"File or folder; default: project"`
	Name  string `json:"name" doc:"Declaration to print: 'Sessions.rotate'"`
	Line  int    `json:"line" arg:"1.." doc:"Prints the declaration around this line"`
	Query string `json:"query" doc:"Ranks declarations"`
	projectParam
	MaxTokens int `json:"max_tokens" arg:"100..10000" doc:"Default 1000, or 10000 with name or line"`
}

const defaultOutline = 1000

// outlineResult lists each declaration as a line of text, because an object would cost three times as many tokens.
type outlineResult struct {
	Path         string   `json:"path"`
	Total        int      `json:"total" doc:"Number of files, or of declarations in the file"`
	Declarations []string `json:"declarations,omitempty"`
	Text         string   `json:"text,omitempty" doc:"With name or line: the declarations with line numbers"`
	Files        []string `json:"files,omitempty"`
	Folders      []string `json:"folders,omitempty"`
	Languages    []string `json:"languages,omitempty"`
	notes
	size
	lines []string
}

func outline() tool {
	return define(tool{
		name: "outline", title: "Outline of a file, folder or project",
		sentence: "A file's declarations; with name or line, one in full; for a folder or project, its most-used files.",
		more:     "Start here in an unknown project or long file.",
		output:   outlineResult{}, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c *call, a outlineParams) (any, error) {
		root, err := c.project(ctx, a.Project)
		if err != nil {
			return nil, err
		}
		if len(a.Name) > api.MaxName {
			return nil, api.ErrArgument("name", "the name of a function, type or variable")
		}
		c.activity.Query = cmp.Or(a.Name, a.Path)
		q := api.OutlineQuery{Path: a.Path, Query: a.Query, Name: a.Name, Line: a.Line}
		if q.Name == "" && q.Line == 0 {
			q.At(a.Path)
		}
		found, err := c.engine.Outline(ctx, root, q)
		if err != nil {
			return nil, err
		}
		if q.Name != "" || q.Line > 0 {
			c.activity.Results = len(found.Declared)
			return newDeclared(found, a.MaxTokens), nil
		}
		r := &outlineResult{Path: found.Path, Total: found.Total, notes: notes{Notes: slices.Clone(found.Notes)}}
		r.declare(found.Nodes, 0)
		switch {
		case a.Query == "":
		case len(found.Files)+len(found.Folders) > 0:
			r.addNote("query ranks the declarations of a file. search_code finds the file.")
		case found.Total == 0 && len(found.Notes) == 0:
			r.addNote("No declaration in this file matches these words. Omit query to list all.")
		}
		for _, f := range found.Files {
			r.Files = append(r.Files, f.Path+": "+strings.Join(f.Symbols, ", "))
		}
		for _, f := range found.Folders {
			r.Folders = append(r.Folders, fmt.Sprintf("%s/ %d", f.Path, f.Files))
		}
		r.Languages = found.Languages[:min(len(found.Languages), 8)]
		c.activity.Results = r.listed()
		r.size = size{cmp.Or(a.MaxTokens, defaultOutline) * charsPerToken, func() {
			if left := c.activity.Results - r.listed(); left > 0 {
				r.addNote(fmt.Sprintf("%d lines are omitted. A larger max_tokens, or a subfolder as path, shows more.", left))
			}
		}}
		return r, nil
	})
}

func (r *outlineResult) listed() int { return len(r.Declarations) + len(r.Files) + len(r.Folders) }

func (r *outlineResult) declare(nodes []api.OutlineNode, depth int) {
	for _, n := range nodes {
		lines := fmt.Sprint(n.StartLine)
		if n.EndLine > n.StartLine {
			lines += fmt.Sprintf("-%d", n.EndLine)
		}
		r.Declarations = append(r.Declarations, strings.Repeat(" ", depth)+lines+" "+n.Signature)
		r.declare(n.Children, depth+1)
	}
}

func (r *outlineResult) shrink(share float64) bool {
	if r.lines != nil {
		dropped := drop(share, to(1, &r.lines))
		r.Text = strings.Join(r.lines, "")
		return dropped
	}
	return drop(share, to(8, &r.Declarations), to(8, &r.Folders), to(1, &r.Files))
}
