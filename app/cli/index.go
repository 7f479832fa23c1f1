package cli

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"searchmcp/engine/api"
)

func (v *invocation) indexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "index [DIR]",
		Short: "Index a project so that it can be searched",
		Long:  "Index the project around DIR (default: the working directory). You are asked before anything happens.",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments := map[string]any{}
			if len(args) == 1 {
				ref := v.projectRef(args[0])
				if _, err := os.Stat(args[0]); err == nil || filepath.IsAbs(ref) { // otherwise it is a project's name
					if ref, err = folder(args[0]); err != nil {
						return err
					}
				}
				arguments["project"] = ref
			}
			err := v.change(cmd.Context(), "create_index", arguments, func(r changed) {
				if r.Status == "success" {
					v.printf("%s %s: %s, %s in %s\n", v.style.Good("Indexed"), clean(r.ProjectPath),
						count(r.FilesIndexed, "file", "files"), count(r.ChunksCreated, "passage", "passages"), r.Duration)
					if r.FilesIndexed == 0 {
						v.printf("%s\n", clean(r.Message))
					}
					v.printNotes(r.Notes)
					return
				}
				v.printf("%s\n", clean(r.Message))
			})
			if errors.Is(err, &api.Error{Code: api.AlreadyIndexed}) && !v.asJSON {
				// The project is already indexed; a script that runs twice must not fail the second time.
				v.printf("This project is indexed and kept up to date automatically. To rebuild it: search-mcp reindex\n")
				return nil
			}
			return err
		},
	}
	return v.withYes(v.withProject(cmd))
}
