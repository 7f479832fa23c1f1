package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/cli/term"
	"searchmcp/app/highlight"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func (v *invocation) nameCommand(use, short string, uses bool) *cobra.Command {
	q := api.SymbolQuery{Uses: uses}
	p := &projects{}
	place, text := "", false
	cmd := &cobra.Command{
		Use: use, Short: short,
		Long: short + ". NAME is a name, optionally qualified: rotate, Sessions.rotate, auth/session.rotate, " +
			"pkg::Type. The search uses syntax, not types. If the output is a pipe, each line is PATH:LINE:COLUMN:TEXT, in " +
			"the format that grep and editors use.",
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Name = args[0]
			q.At(place)
			q.Path = v.placeRef(q.Path, p)
			ask := func(ctx context.Context, c *client.Client, projects []string) (api.SymbolResults, error) {
				return wire.MethodSymbol.Call(ctx, c, wire.Symbol{Projects: projects, Query: q})
			}
			return look(cmd.Context(), v, p, ask, namesOf, func(r api.SymbolResults, at *locator, everywhere int) error {
				if !text {
					r.Text = nil
				}
				return v.paged(func() { v.printSymbols(r, q, at, everywhere) })
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&place, "path", "",
		"only definitions in this file, at FILE:LINE, in this folder, or in files that match this pattern")
	if uses {
		f.BoolVar(&text, "text", false, "also show comments, prose and other things with that name")
	}
	return v.withProjects(cmd, p)
}

func namesOf(r api.SymbolResults) int {
	n := r.TotalUses + r.TotalPossible + r.TotalText
	if !r.Like {
		n += len(r.Definitions)
	}
	return n
}

func (v *invocation) printSymbols(r api.SymbolResults, q api.SymbolQuery, at *locator, everywhere int) {
	v.noteEverywhere(everywhere)
	words := highlight.Name(q.Name)
	if r.Like {
		v.note("No symbol %q. Similar:", q.Name)
	}
	switch {
	case v.screen.Interactive:
		v.printDefinitions(r, at)
		v.printUses(r, at, words)
	case r.Like:
		for _, d := range r.Definitions {
			v.noteText(fmt.Sprintf("  %s  %s:%d", clean(d.Name), clean(at.path(d.Project, d.Path)), d.Line))
		}
		v.printRecords(r, true, at, words)
	default:
		v.printRecords(r, q.Uses, at, words)
	}
	switch {
	case len(r.NotRead) > 0:
		v.note("No definition found. These files contain the name, but are not searched for definitions: %s",
			clean(strings.Join(r.NotRead, ", ")))
	case len(r.Definitions)+r.TotalUses+r.TotalPossible+r.TotalText == 0:
		v.note("No symbol %q. To search all text, use: search-mcp grep -F %s", q.Name, q.Name)
	case r.TotalPossible > 0 && q.Uses:
		v.note("Possible uses, by their names only or inside strings: %s in %s.",
			many(r.TotalPossible, "place"), many(len(r.Possible), "file"))
	}
	if r.TotalText > 0 && len(r.Text) == 0 && q.Uses {
		v.note("Not shown: %s in comments or prose, or with another meaning. --text shows them.",
			many(r.TotalText, "place"))
	}
	v.notes("", r.Notes)
}

func (v *invocation) printRecords(r api.SymbolResults, uses bool, at *locator, words highlight.Terms) {
	if !uses {
		for _, d := range r.Definitions {
			v.printf("%s", v.screen.Record(at.path(d.Project, d.Path), d.Line, d.Column, d.Signature, words))
		}
		return
	}
	for _, f := range slices.Concat(r.Uses, r.Possible, r.Text) {
		for _, u := range f.Uses {
			v.printf("%s", v.screen.Record(at.path(f.Project, f.Path), u.Line, u.Column, u.Source, words))
		}
	}
}

func (v *invocation) printDefinitions(r api.SymbolResults, at *locator) {
	for _, d := range r.Definitions {
		v.printf("%s    %s\n", v.heading(at.path(d.Project, d.Path), d.Line, d.Kind+" "+d.Name), clean(d.Signature))
		if d.Comment != "" {
			v.printf("    %s\n", v.style.Dim(clean(d.Comment)))
		}
	}
}

func (v *invocation) printUses(r api.SymbolResults, at *locator, words highlight.Terms) {
	for _, f := range slices.Concat(r.Uses, r.Possible, r.Text) {
		test := ""
		if f.Test {
			test = v.style.Dim("  (" + say("test") + ")")
		}
		v.printf("\n%s%s\n", v.style.Path(clean(at.path(f.Project, f.Path))), test)
		x := term.Source{Marks: words, List: true}
		in := ""
		for _, u := range f.Uses {
			note := ""
			if u.Role != api.UseCall {
				note = u.Role
			}
			if u.In != in {
				note = strings.TrimPrefix(note+" in "+u.In, " ")
			}
			in = u.In
			x.Lines = append(x.Lines, term.Line{Number: u.Line, Text: u.Source, Note: note})
		}
		v.printf("%s", v.screen.Source(x))
	}
	if r.TotalUses > 0 {
		v.printf("\n%s\n", v.style.Dim(say("%s in %s", many(r.TotalUses, "use"), many(len(r.Uses), "file"))))
	}
}
