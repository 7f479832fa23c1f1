package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func (v *invocation) outlineCommand() *cobra.Command {
	query := ""
	cmd := v.withProject(v.asking(&cobra.Command{
		Use: "outline [PATH]", Short: "Show what is declared in a file, or what matters in a folder or the project",
		Args: cobra.MaximumNArgs(1),
	}, func(ctx context.Context, c *client.Client, args []string) error {
		r, err := wire.MethodOutline.Call(ctx, c, wire.Outline{
			Query: api.OutlineQuery{Path: v.placeRef(strings.Join(args, ""), nil), Query: query}})
		return told(v, r, err, func() { v.printOutline(r) })
	}))
	cmd.Flags().StringVarP(&query, "query", "q", "", "of a file only the declarations with these words, the best first")
	return cmd
}

func (v *invocation) printOutline(r api.Outline) {
	v.printNodes(r.Nodes, 0)
	for _, f := range r.Files {
		v.printf("%s  %s\n", v.style.Bold(clean(f.Path)), v.style.Dim(clean(strings.Join(f.Symbols, ", "))))
	}
	if len(r.Files) > 0 && len(r.Folders) > 0 {
		v.printf("\n")
	}
	for _, f := range r.Folders {
		v.printf("%s/  %s\n", clean(f.Path), v.style.Dim(count(f.Files, "file", "files")))
	}
	if r.Total == 0 {
		fmt.Fprintln(v.Err, "Nothing is declared here.")
	}
	v.printNotes(r.Notes)
}

func (v *invocation) printNodes(nodes []api.OutlineNode, depth int) {
	for _, n := range nodes {
		v.printf("%s  %s%s\n", v.style.Dim(fmt.Sprintf("%5d", n.StartLine)), strings.Repeat("  ", depth), clean(n.Signature))
		v.printNodes(n.Children, depth+1)
	}
}
