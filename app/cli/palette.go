package cli

import (
	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
)

// paletteCommand is what a desktop's own shortcut runs.
func (v *invocation) paletteCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "palette",
		Short: "Open the search field above all windows",
		Long: "Open the search field above all windows: what it finds in all projects opens in your editor. " +
			"To have it at a key, " +
			"give this command a shortcut in your desktop's keyboard settings.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return v.with(cmd.Context(), func(c *client.Client) error {
				return c.Show(cmd.Context(), wire.Show{Page: wire.PagePalette})
			})
		},
	}
}
