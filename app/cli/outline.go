package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/cli/term"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func (v *invocation) outlineCommand() *cobra.Command {
	query := ""
	const short = "Show the declarations of a file, or the main files of a folder or the project"
	run := func(ctx context.Context, c *client.Client, args []string) error {
		q := api.OutlineQuery{Query: query}
		if len(args) > 0 {
			q.At(args[0])
		}
		if len(args) == 2 {
			var err error
			if q.Line, err = strconv.Atoi(args[1]); err != nil {
				q.Name = args[1]
			} else if q.Line < 1 {
				return api.ErrArgument("LINE", "a number above 0")
			}
		}
		q.Path = v.placeRef(q.Path, nil)
		r, err := wire.MethodOutline.Call(ctx, c, wire.Outline{Query: q})
		searched := q.Name != "" || q.Line > 0 || query != ""
		err = printAnswer(v, r, err, func() { v.printOutline(r, searched) })
		if err == nil && searched {
			err = some(r.Total)
		}
		return err
	}
	cmd := v.connected("outline [PATH] [NAME|LINE]", short, run)
	cmd.Long = short + ". With NAME or LINE the declaration with that name, or the innermost declaration around that " +
		"line, is printed whole. NAME may be qualified, such as Sessions.rotate. PATH:LINE is accepted too."
	cmd.Flags().StringVarP(&query, "query", "q", "", "show only a file's declarations that match these words, best first")
	return v.withProject(cmd)
}

func (v *invocation) printOutline(r api.Outline, searched bool) {
	for i, d := range r.Declared {
		if i > 0 {
			v.printf("\n")
		}
		v.printf("%s", v.heading(d.Path, d.StartLine, d.Kind+" "+d.Name))
		if d.Text == "" {
			continue
		}
		screen, x := v.screen, term.Source{}
		screen.Width = 0
		for n, line := range strings.Split(d.Text, "\n") {
			x.Lines = append(x.Lines, term.Line{Number: d.StartLine + n, Text: line})
		}
		v.printf("%s", screen.Source(x))
	}
	v.printNodes(r.Nodes, 0)
	for _, f := range r.Files {
		v.printf("%s  %s\n", v.style.Bold(clean(f.Path)), v.style.Dim(clean(strings.Join(f.Symbols, ", "))))
	}
	if len(r.Files) > 0 && len(r.Folders) > 0 {
		v.printf("\n")
	}
	for _, f := range r.Folders {
		v.printf("%s/  %s\n", clean(f.Path), v.style.Dim(many(f.Files, "file")))
	}
	switch {
	case r.Total == 0 && !searched:
		fmt.Fprintln(v.Err, say("Nothing is declared here."))
	case r.Total == 0 && len(r.Notes) == 0:
		fmt.Fprintln(v.Err, say("Nothing found."))
	}
	v.printNotes(r.Notes)
}

func (v *invocation) printNodes(nodes []api.OutlineNode, depth int) {
	for i, n := range nodes {
		if i > 0 && n.StartLine == nodes[i-1].StartLine && n.Signature == nodes[i-1].Signature {
			continue
		}
		v.printf("%s  %s%s\n", v.style.Dim(fmt.Sprintf("%5d", n.StartLine)), strings.Repeat("  ", depth), clean(n.Signature))
		v.printNodes(n.Children, depth+1)
	}
}
