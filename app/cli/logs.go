package cli

import (
	"context"

	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
)

// logLines is the default number of lines, which fits on one or two screens.
const logLines = 100

func (v *invocation) logsCommand() *cobra.Command {
	q := wire.LogQuery{}
	cmd := v.asking(&cobra.Command{
		Use: "logs", Short: "Show the end of the app's log, or of a project's with --project", Args: cobra.NoArgs,
	}, func(ctx context.Context, c *client.Client, _ []string) error {
		q.Project = v.projectRef(v.project)
		lines, err := wire.MethodLogs.Call(ctx, c, q)
		return printAnswer(v, lines, err, func() {
			for _, line := range lines {
				v.printf("%s\n", clean(line))
			}
		})
	})
	cmd.Flags().IntVarP(&q.Lines, "lines", "n", logLines, "number of lines")
	cmd.Flags().StringVar(&q.Level, "level", "", "lowest level: debug, info, warn or error")
	return v.withProject(cmd)
}
