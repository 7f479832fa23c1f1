package cli

import "github.com/spf13/cobra"

func (v *invocation) deleteCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete",
		Short: "Delete a project's index; the project's own files are not touched",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return v.change(cmd.Context(), "delete_index", map[string]any{}, func(r changed) {
				v.printf("Deleted the index of %s.\n", clean(r.ProjectPath))
			})
		},
	}
	return v.withYes(v.withProject(cmd))
}
