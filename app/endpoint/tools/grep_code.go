package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"searchmcp/app/endpoint/display"
	"searchmcp/engine/api"
)

type grepParams struct {
	Pattern    string `json:"pattern" arg:"required" doc:"Regular expression (RE2) for one line"`
	Literal    bool   `json:"literal" doc:"pattern is plain text"`
	IgnoreCase bool   `json:"ignore_case" doc:"Ignore case"`
	Path       string `json:"path" doc:"Only this file, folder or glob"`
	Language   string `json:"language" doc:"e.g., 'go'"`
	Context    int    `json:"context" arg:"0..20" doc:"Lines before and after each hit"`
	Limit      int    `json:"limit" arg:"1..1000" default:"50" doc:"Lines to list"`
	projectsParam
	MaxTokens int `json:"max_tokens" arg:"100..10000" default:"3000" doc:"Size limit"`
}

// grepResult groups matching lines by file and declaration, to save tokens.
type grepResult struct {
	Files      []grepFile `json:"files"`
	TotalHits  int        `json:"totalHits"`
	TotalFiles int        `json:"totalFiles"`
	MoreFiles  []string   `json:"moreFiles,omitempty" doc:"Files without listed lines, and their number of matches"`
	notes
	size
}

type grepFile struct {
	Path    string      `json:"path"`
	Project string      `json:"project,omitempty"`
	Kind    string      `json:"kind,omitempty" doc:"text, test or copy (vendored, generated); else code"`
	Hits    int         `json:"hits"`
	Groups  []grepGroup `json:"groups"`

	last int
}

type grepGroup struct {
	In        string     `json:"in,omitempty" doc:"The innermost declaration, qualified"`
	StartLine int        `json:"startLine,omitempty"`
	EndLine   int        `json:"endLine,omitempty"`
	Lines     []grepLine `json:"lines" doc:"'12: a matching line', '13- context'"`
}

// grepLine is encoded like a line of grep -n.
type grepLine struct {
	number int
	hit    bool
	text   string
}

func (l grepLine) String() string {
	mark := map[bool]string{true: ":", false: "-"}[l.hit]
	return display.Visible(fmt.Sprintf("%d%s %s", l.number, mark, l.text))
}

func (l grepLine) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

func grepCode() tool {
	return define(tool{
		name: "grep_code", title: "Find lines by pattern",
		sentence: "Finds every line of the project's indexed files that matches a regular expression or literal text.",
		more: "Complete and current; code first, then tests, then copies; each line is listed with its " +
			"declaration; to print the declaration, call outline with line.",
		output: grepResult{}, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c *call, a grepParams) (any, error) {
		roots, err := c.projects(ctx, a.Project)
		if err != nil {
			return nil, err
		}
		c.activity.Query = a.Pattern
		found, err := c.engine.Grep(ctx, roots, api.GrepQuery{Pattern: a.Pattern, Literal: a.Literal,
			IgnoreCase: a.IgnoreCase, Path: a.Path, Language: strings.ToLower(strings.TrimSpace(a.Language)),
			Context: a.Context, Hits: a.Limit})
		if err != nil {
			return nil, err
		}
		c.activity.Results = found.Total
		for _, f := range found.Files[:min(len(found.Files), api.MostPlaces)] {
			if len(f.Hits) > 0 {
				c.place(f.Project, api.Lines{Path: f.Path, StartLine: f.Hits[0].Line, EndLine: f.Hits[0].Line})
			}
		}
		return newGrepResult(found, a.MaxTokens*charsPerToken), nil
	})
}

const maxMoreFiles = 100

func newGrepResult(found api.GrepResults, limit int) *grepResult {
	r := &grepResult{Files: []grepFile{}, TotalHits: found.Total, TotalFiles: len(found.Files)}
	r.addNotes(found.Notes...)
	for _, f := range found.Files {
		if len(f.Hits) == 0 {
			r.MoreFiles = append(r.MoreFiles, moreFile(f.Project, f.Path, f.Total))
			continue
		}
		file := grepFile{Path: f.Path, Project: f.Project, Kind: f.Kind, Hits: f.Total}
		for _, h := range f.Hits {
			file.add(h)
		}
		r.Files = append(r.Files, file)
	}
	r.MoreFiles = r.MoreFiles[:min(len(r.MoreFiles), maxMoreFiles)]
	if found.Total == 0 && (found.Searched > 0 || len(found.Notes) == 0) {
		r.addNote(fmt.Sprintf("No line of %s matches.", display.Files(found.Searched)))
	}
	r.size = size{limit, func() {
		if n := r.listed(); n < found.Total {
			r.addNote(fmt.Sprintf("%d of %d matching lines are listed. Narrow the search with path, or raise limit "+
				"and max_tokens.", n, found.Total))
		}
	}}
	return r
}

func moreFile(project, path string, hits int) string {
	if project != "" {
		path = project + ": " + path
	}
	return fmt.Sprintf("%s %d", path, hits)
}

func (f *grepFile) add(h api.GrepHit) {
	n := len(f.Groups)
	if n == 0 || f.Groups[n-1].In != h.In || f.Groups[n-1].StartLine != h.StartLine {
		f.Groups = append(f.Groups, grepGroup{In: h.In, StartLine: h.StartLine, EndLine: h.EndLine})
		n++
	}
	g := &f.Groups[n-1]
	for i, text := range slices.Concat(h.Before, []string{h.Text}, h.After) {
		line := grepLine{h.Line - len(h.Before) + i, i == len(h.Before), text}
		switch {
		case line.number > f.last:
			g.Lines, f.last = append(g.Lines, line), line.number
		case line.hit: // an earlier group contains the line as context
			for _, earlier := range f.Groups {
				if at := slices.IndexFunc(earlier.Lines, func(l grepLine) bool { return l.number == h.Line }); at >= 0 {
					earlier.Lines[at] = line
				}
			}
		}
	}
	if len(g.Lines) == 0 { // all lines are in the previous group
		f.Groups = f.Groups[:len(f.Groups)-1]
	}
}

func (r *grepResult) listed() (n int) {
	for _, f := range r.Files {
		for _, g := range f.Groups {
			for _, l := range g.Lines {
				if l.hit {
					n++
				}
			}
		}
	}
	return n
}

// shrink drops the context lines first, then the lines of the last files.
func (r *grepResult) shrink(share float64) bool {
	if r.dropContext() {
		return true
	}
	if n := len(r.Files); n > 1 {
		keep := max(1, fewer(n, share))
		var more []string
		for _, f := range r.Files[keep:] {
			more = append(more, moreFile(f.Project, f.Path, f.Hits))
		}
		r.Files, r.MoreFiles = r.Files[:keep], append(more, r.MoreFiles...)
		r.MoreFiles = r.MoreFiles[:min(len(r.MoreFiles), maxMoreFiles)]
		return true
	}
	lists := []cuttable{to(0, &r.MoreFiles)}
	if len(r.Files) > 0 {
		groups := &r.Files[0].Groups
		lists = append(lists, to(1, groups), to(1, &(*groups)[0].Lines))
	}
	return drop(share, lists...)
}

func (r *grepResult) dropContext() (dropped bool) {
	for i := range r.Files {
		for k := range r.Files[i].Groups {
			g := &r.Files[i].Groups[k]
			n := len(g.Lines)
			g.Lines = slices.DeleteFunc(g.Lines, func(l grepLine) bool { return !l.hit })
			dropped = dropped || len(g.Lines) < n
		}
	}
	return dropped
}

func (r *grepResult) readable() string {
	var b strings.Builder
	for _, f := range r.Files {
		path := f.Path
		if f.Project != "" {
			path = f.Project + ": " + path
		}
		listed := (&grepResult{Files: []grepFile{f}}).listed()
		if listed < f.Hits {
			path += fmt.Sprintf(" (%d of %d lines)", listed, f.Hits)
		}
		b.WriteString(path + "\n")
		for _, g := range f.Groups {
			if g.In != "" {
				fmt.Fprintf(&b, " %s %d-%d\n", g.In, g.StartLine, g.EndLine)
			}
			for _, l := range g.Lines {
				b.WriteString(l.String() + "\n")
			}
		}
	}
	if len(r.MoreFiles) > 0 {
		b.WriteString("More files with their number of matching lines:\n" + strings.Join(r.MoreFiles, "\n") + "\n")
	}
	if r.TotalHits > 0 {
		lines := "lines"
		if r.TotalHits == 1 {
			lines = "line"
		}
		fmt.Fprintf(&b, "%d matching %s in %s.\n", r.TotalHits, lines, display.Files(r.TotalFiles))
	}
	return strings.TrimSuffix(b.String()+strings.Join(r.Notes, "\n"), "\n")
}
