package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/client"
	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

func (v *invocation) symbolCommand() *cobra.Command {
	return v.nameCommand("symbol NAME", "Show where a name is defined", false)
}

func (v *invocation) usesCommand() *cobra.Command {
	return v.nameCommand("uses NAME", "Show who calls and mentions a name", true)
}

// nameCommand is both commands: the definitions of a name, or its uses.
func (v *invocation) nameCommand(use, short string, uses bool) *cobra.Command {
	q := api.SymbolQuery{Uses: uses}
	p := &projects{}
	cmd := &cobra.Command{
		Use: use, Short: short,
		Long: short + ". NAME is a name, or one behind what it stands in: rotate, Sessions.rotate, auth/session.rotate,\n" +
			"pkg::Type. The search is by syntax, not by types. In a pipe each line is PATH:LINE:COLUMN: and the line itself,\n" +
			"as grep writes it and editors read it.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Name = args[0]
			several := v.choose(p)
			return v.with(cmd.Context(), func(c *client.Client) error {
				r, err := c.Symbol(cmd.Context(), wire.Symbol{Projects: several, Query: q})
				if err != nil {
					return err
				}
				if v.asJSON {
					return v.printJSON(r)
				}
				if v.style.on || isTerminal(v.Out) {
					v.printDefinitions(r)
					v.printUses(r)
				} else {
					v.printLines(r, uses)
				}
				if len(r.Definitions) == 0 && r.TotalUses == 0 {
					fmt.Fprintln(v.Err, "Nothing found.")
				}
				if r.Like {
					fmt.Fprintln(v.Err, "Nothing has that name; these are like it.")
				}
				for _, note := range r.Notes {
					fmt.Fprintln(v.Err, clean(note))
				}
				return nil
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&q.Path, "path", "", "only what is defined in this file, folder or pattern")
	if uses {
		f.BoolVar(&q.Text, "text", false, "comments and strings as well")
	}
	return v.withProjects(cmd, p)
}

// printLines prints what grep would, for editors and scripts.
func (v *invocation) printLines(r api.SymbolResults, uses bool) {
	line := func(project, path string, line, column int, text string) {
		if project != "" {
			path = project + "/" + path
		}
		v.printf("%s:%d:%d:%s\n", clean(path), line, column, strings.ReplaceAll(clean(text), "\n", " "))
	}
	if !uses {
		for _, d := range r.Definitions {
			line(d.Project, d.Path, d.Line, d.Column, d.Signature)
		}
		return
	}
	for _, f := range r.Uses {
		for _, u := range f.Uses {
			line(f.Project, f.Path, u.Line, u.Column, u.Source)
		}
	}
}

func (v *invocation) printDefinitions(r api.SymbolResults) {
	for _, d := range r.Definitions {
		path := d.Path
		if d.Project != "" {
			path = d.Project + ": " + path
		}
		v.printf("%s  %s\n", v.style.bold(fmt.Sprintf("%s:%d", clean(path), d.Line)), v.style.dim(clean(d.Kind+" "+d.Name)))
		v.printf("    %s\n", clean(d.Signature))
		if d.Comment != "" {
			v.printf("    %s\n", v.style.dim(clean(d.Comment)))
		}
	}
}

func (v *invocation) printUses(r api.SymbolResults) {
	for _, f := range r.Uses {
		path := f.Path
		if f.Project != "" {
			path = f.Project + ": " + path
		}
		if f.Test {
			path += "  (test)"
		}
		v.printf("\n%s\n", v.style.bold(clean(path)))
		in := ""
		for _, u := range f.Uses {
			if u.In != in && u.In != "" {
				v.printf("  %s\n", v.style.dim(clean(u.In)))
			}
			in = u.In
			role := ""
			if u.Role != api.UseCall {
				role = v.style.dim("  " + u.Role)
			}
			v.printf("  %5d  %s%s\n", u.Line, clean(u.Source), role)
		}
	}
	if r.TotalUses > 0 {
		v.printf("\n%s\n", v.style.dim(fmt.Sprintf("%s in %s", count(r.TotalUses, "use", "uses"), count(len(r.Uses), "file", "files"))))
	}
}
