package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"searchmcp/app/client"
	"searchmcp/engine/api"
)

func (v *invocation) namedCommand() *cobra.Command {
	return v.group("named", "Named indexes that assistants keep in memory: list, remove", v.namedList(), v.namedRemove())
}

func (v *invocation) namedList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the named indexes and the memory they use", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return v.with(cmd.Context(), func(c *client.Client) error {
				s, err := c.Sources(cmd.Context())
				if err != nil {
					return err
				}
				return v.printNamed(s.Named)
			})
		},
	}
}

func (v *invocation) printNamed(n api.NamedIndexes) error {
	if v.asJSON {
		return v.printJSON(n)
	}
	for _, x := range n.Indexes {
		v.printf("%s  %s, %s\n", v.style.bold(clean(x.Name)), count(x.Documents, "document", "documents"), megabytes(x.Bytes))
	}
	v.printf("%s of %s are in use.\n", megabytes(n.Bytes), megabytes(n.Limit))
	return nil
}

// megabytes shows a size of which a tenth of a megabyte matters.
func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }

func (v *invocation) namedRemove() *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Short: "Remove a named index with its documents; the default one is emptied", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.with(cmd.Context(), func(c *client.Client) error {
				if err := c.RemoveNamed(cmd.Context(), args[0]); err != nil {
					return err
				}
				v.printf("Removed %s.\n", clean(args[0]))
				return nil
			})
		},
	}
}
