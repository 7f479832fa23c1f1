package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

func (v *invocation) reindexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reindex [FILE]",
		Short: "Rebuild a project's index, or read one file again",
		Long: "Rebuild the whole index of a project, which asks first; searches go on with the old one until the new one " +
			"is complete. With FILE, a path from here or relative to the project, only that file is read again.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				arguments := map[string]any{"path": fileRef(args[0])}
				return v.change(cmd.Context(), "reindex_file", arguments, func(r changed) {
					v.printf("%s %s: %s\n", v.style.Good("Read again"), clean(r.Path), count(r.ChunksCreated, "passage", "passages"))
					v.printNotes(r.Notes)
				})
			}
			return v.change(cmd.Context(), "reindex_project", map[string]any{}, func(r changed) {
				if r.Status == "success" {
					v.printf("%s: %s, %s in %s\n", v.style.Good("Index rebuilt"), count(r.FilesIndexed, "file", "files"),
						count(r.ChunksCreated, "passage", "passages"), r.Duration)
					v.printNotes(r.Notes)
					return
				}
				v.printf("%s\n", clean(r.Message))
			})
		},
	}
	return v.withYes(v.withProject(cmd))
}

// placeRef is like fileRef, for commands that may refer to other projects. It then does not use the working directory.
func (v *invocation) placeRef(path string, p *projects) string {
	if path == "" || v.project != "" || p != nil && (p.all || len(p.named) > 0) {
		return filepath.ToSlash(path)
	}
	return fileRef(path)
}

// fileRef makes a path absolute if it exists relative to the working directory. Otherwise it is relative to the
// project.
func fileRef(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		if _, err := os.Lstat(abs); err == nil {
			return filepath.ToSlash(canonical(abs))
		}
	}
	return filepath.ToSlash(path)
}

// canonical resolves the links in a file's folder, as for a project's root. The file itself may be a link.
func canonical(abs string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return abs
	}
	return filepath.Join(dir, filepath.Base(abs))
}
