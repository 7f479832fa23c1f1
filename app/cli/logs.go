package cli

import (
	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
)

// logLines is what fits a screen or two.
const logLines = 100

func (v *invocation) logsCommand() *cobra.Command {
	q := wire.LogQuery{}
	cmd := &cobra.Command{
		Use:   "logs",
		Short: "Show the end of the app's log, or of a project's with --project",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q.Project = v.projectRef(v.project)
			return v.with(cmd.Context(), func(c *client.Client) error {
				lines, err := c.Logs(cmd.Context(), q)
				if err != nil {
					return err
				}
				if v.asJSON {
					if lines == nil {
						lines = []string{}
					}
					return v.printJSON(lines)
				}
				for _, line := range lines {
					v.printf("%s\n", clean(line))
				}
				return nil
			})
		},
	}
	cmd.Flags().IntVarP(&q.Lines, "lines", "n", logLines, "number of lines")
	cmd.Flags().StringVar(&q.Level, "level", "", "lowest level: debug, info, warn or error")
	return v.withProject(cmd)
}
