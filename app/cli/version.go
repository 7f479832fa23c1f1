package cli

import (
	"errors"
	"runtime"

	"github.com/spf13/cobra"

	"searchmcp/app/socket/ipc"
	"searchmcp/app/version"
)

func (v *invocation) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of this program and of the app that runs",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			app := ""
			c, err := v.connect(cmd.Context(), false, nil)
			switch {
			case err == nil:
				app = c.Welcome().Version
				if err := c.Close(); err != nil {
					return err
				}
			case !errors.Is(err, ipc.ErrNotListening):
				return err
			}
			if v.asJSON {
				return v.printJSON(map[string]any{"version": version.Version, "app": app, "go": runtime.Version(),
					"platform": runtime.GOOS + "/" + runtime.GOARCH})
			}
			v.printf("%s (%s/%s, %s)\n", versionLine(), runtime.GOOS, runtime.GOARCH, runtime.Version())
			if app != "" && app != version.Version {
				v.printf("running app: %s\n", app)
			}
			return nil
		},
	}
}
