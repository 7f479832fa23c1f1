package cli

import (
	"context"

	"github.com/spf13/cobra"

	"searchmcp/app/client"
)

func (v *invocation) updateCommand() *cobra.Command {
	return v.group("update", "Newer versions of Search MCP; nothing is ever installed", v.asking(&cobra.Command{
		Use: "check", Short: "Ask for a newer version now, if the setting updateCheck allows it", Args: cobra.NoArgs,
	}, v.checkUpdate))
}

func (v *invocation) checkUpdate(ctx context.Context, c *client.Client, _ []string) error {
	u, err := c.Update(ctx, true)
	if err != nil {
		return err
	}
	if v.asJSON {
		return v.printJSON(u)
	}
	switch {
	case !u.Possible:
		v.printf("This build knows no place to ask for newer versions.\n")
	case !u.Enabled:
		v.printf("Search MCP may not ask for newer versions. To allow it: search-mcp settings set updateCheck true\n")
	case u.Version == "" && u.Problem == "":
		v.printf("%s as of %s\n", v.style.good("No newer version is known"), u.Checked.Local().Format("2006-01-02 15:04"))
	}
	if u.Version != "" {
		v.printf("%s %s\n%s\n", v.style.good("There is a newer version:"), clean(u.Version), clean(u.Page))
		if u.Summary != "" {
			v.printf("%s\n", clean(u.Summary))
		}
	}
	if u.Problem != "" {
		v.printf("%s\n", v.style.needs(clean(u.Problem)))
	}
	return nil
}
