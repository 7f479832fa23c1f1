package cli

import (
	"context"

	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
)

// paletteCommand returns the command that users assign to a keyboard shortcut of their desktop.
func (v *invocation) paletteCommand() *cobra.Command {
	return v.asking(&cobra.Command{
		Use:   "palette",
		Short: "Open the search field above all windows",
		Long: "Open the search field above all windows: what it finds in all projects opens in your editor. " +
			"To have it at a key, " +
			"give this command a shortcut in your desktop's keyboard settings.",
		Args: cobra.NoArgs,
	}, func(ctx context.Context, c *client.Client, _ []string) error {
		return wire.MethodShow.Do(ctx, c, wire.Show{Page: wire.PagePalette})
	})
}
