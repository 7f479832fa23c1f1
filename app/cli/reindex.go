package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"
)

func (v *invocation) reindexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reindex [FILE]",
		Short: "Rebuild a project's index, or read one file again",
		Long:  "Rebuild the whole index of a project, which asks first; searches go on with the old one until the new one is complete.\nWith FILE, a path relative to the project, only that file is read again.",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				arguments := map[string]any{"path": filepath.ToSlash(args[0])}
				return v.change(cmd.Context(), "reindex_file", arguments, func(r changed) {
					v.printf("%s %s: %s\n", v.style.good("Read again"), clean(r.Path), count(r.ChunksCreated, "chunk", "chunks"))
				})
			}
			return v.change(cmd.Context(), "reindex_project", map[string]any{}, func(r changed) {
				if r.Status == "success" {
					v.printf("%s: %s, %s in %s\n", v.style.good("Index rebuilt"), count(r.FilesIndexed, "file", "files"),
						count(r.ChunksCreated, "chunk", "chunks"), r.Duration)
					return
				}
				v.printf("%s\n", clean(r.Message))
			})
		},
	}
	return v.withYes(v.withProject(cmd))
}
