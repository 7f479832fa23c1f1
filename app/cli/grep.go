package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"searchmcp/app/cli/term"
	"searchmcp/app/highlight"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func (v *invocation) grepCommand() *cobra.Command {
	var q api.GrepQuery
	p := &projects{}
	cmd := &cobra.Command{
		Use: "grep PATTERN", Short: "Show the lines that match a regular expression, with the enclosing declarations",
		Long: "Show every line in the project's indexed files that matches PATTERN, a regular expression in RE2 syntax. " +
			"Code comes first, then documents, tests and copies. The current files are read; the secrets in them are masked. " +
			"If the output is a pipe, each match is a line PATH:LINE:COLUMN:TEXT, without context. The exit code is 1 if no " +
			"line matches.",
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Pattern = args[0]
			if q.Context < 0 {
				return api.ErrArgument("context", "a number of 0 or more")
			}
			q.Path = v.placeRef(q.Path, p)
			ask := func(ctx context.Context, c *client.Client, projects []string) (api.GrepResults, error) {
				return wire.MethodGrep.Call(ctx, c, wire.Grep{Projects: projects, Query: q})
			}
			return look(cmd.Context(), v, p, ask, func(r api.GrepResults) int { return r.Total },
				func(r api.GrepResults, at *locator, everywhere int) error {
					return v.paged(func() { v.printGrep(r, at, everywhere) })
				})
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&q.Literal, "fixed-strings", "F", false, "treat PATTERN as text instead of a regular expression")
	f.BoolVarP(&q.IgnoreCase, "ignore-case", "i", false, "ignore case")
	f.StringVar(&q.Path, "path", "", "search only this file, this folder, or files that match this pattern")
	f.StringVar(&q.Language, "lang", "", "search only files in this language, such as go")
	f.IntVarP(&q.Context, "context", "C", 0, "number of lines to show before and after each match")
	return v.withProjects(cmd, p)
}

func (v *invocation) printGrep(r api.GrepResults, at *locator, everywhere int) {
	v.noteEverywhere(everywhere)
	listed := 0
	for _, f := range r.Files {
		path := at.path(f.Project, f.Path)
		listed += len(f.Hits)
		if !v.screen.Interactive {
			for _, h := range f.Hits {
				v.printf("%s", v.screen.Record(path, h.Line, h.Column, h.Text, highlight.Terms{}))
			}
			continue
		}
		kind := ""
		if f.Kind != "" {
			kind = v.style.Dim("  (" + sentence(f.Kind) + ")")
		}
		v.printf("%s%s\n", v.style.Path(clean(path)), kind)
		if len(f.Hits) > 0 {
			v.printGrepFile(f)
		}
		v.printf("\n")
	}
	switch {
	case r.Searched == 0:
		v.note("Nothing found.")
	case r.Total == 0:
		v.note("No line of %s matches.", many(r.Searched, "file"))
	case v.screen.Interactive:
		v.printf("%s\n", v.style.Dim(say("%s in %s", many(r.Total, "line"), many(len(r.Files), "file"))))
	}
	if listed < r.Total {
		v.note("%s of %s are listed.", thousands(listed), many(r.Total, "line"))
	}
	v.notes("", r.Notes)
}

func (v *invocation) printGrepFile(f api.GrepFile) {
	x := term.Source{List: f.Hits[0].Before == nil && f.Hits[0].After == nil}
	in, last := "", 0
	add := func(number int, text, note string, marks [][2]int) {
		if number > last {
			x.Lines = append(x.Lines, term.Line{Number: number, Text: text, Note: note, Marks: marks})
			last = number
		}
	}
	for _, h := range f.Hits {
		note := ""
		if h.In != "" && h.In != in && h.Line != h.StartLine { // the line of a declaration has its name
			note = fmt.Sprintf("in %s %d-%d", h.In, h.StartLine, h.EndLine)
		}
		in = h.In
		for i, text := range h.Before {
			add(h.Line-len(h.Before)+i, text, "", nil)
		}
		if i := slices.IndexFunc(x.Lines, func(l term.Line) bool { return l.Number == h.Line }); i >= 0 {
			x.Lines[i].Note, x.Lines[i].Marks = note, h.Marks
		}
		add(h.Line, h.Text, note, h.Marks)
		for i, text := range h.After {
			add(h.Line+1+i, text, "", nil)
		}
	}
	v.printf("%s", v.screen.Source(x))
}
