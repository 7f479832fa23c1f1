package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"searchmcp/app/client"
	"searchmcp/engine/api"
)

func (v *invocation) filesCommand() *cobra.Command {
	limit := 0
	p := &projects{}
	cmd := &cobra.Command{
		Use:   "files PATTERN",
		Short: "Find files by a pattern, such as '**/auth*.go'",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments := map[string]any{"pattern": args[0], "limit": limit}
			if several := v.choose(p); several != nil {
				arguments["project"] = several
			}
			return v.with(cmd.Context(), func(c *client.Client) error {
				result, err := c.CallTool(cmd.Context(), "search_by_path", arguments, nil)
				if err != nil {
					return err
				}
				if v.asJSON {
					return v.printJSON(result.JSON())
				}
				var r api.FileResults
				if err := result.Decode(&r); err != nil {
					return err
				}
				for _, m := range r.Matches {
					v.printf("%s\n", clean(m))
				}
				if r.Total > len(r.Matches) {
					fmt.Fprintf(v.Err, "%d of %s. More with --limit.\n", len(r.Matches), count(r.Total, "file", "files"))
				}
				if r.Total == 0 {
					fmt.Fprintln(v.Err, "No file matches.")
				}
				return nil
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", api.DefaultLimit, "number of files")
	return v.withProjects(cmd, p)
}
