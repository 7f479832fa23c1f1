package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"searchmcp/engine/api"
)

func (v *invocation) indexCommand() *cobra.Command {
	const short = "Index a project so that it can be searched"
	index := v.withYes(v.withProject(command("index [DIR]", short, func(ctx context.Context, args []string) error {
		arguments := map[string]any{}
		if len(args) == 1 {
			if err := v.argued(args[0]); err != nil {
				return err
			}
			ref := v.projectRef(args[0])
			if _, err := os.Stat(args[0]); err == nil || filepath.IsAbs(ref) { // a folder, not the name of a project
				if ref, err = folder(args[0]); err != nil {
					return err
				}
			}
			arguments["project"] = ref
		}
		err := v.change(ctx, "create_index", arguments, func(r changed) {
			v.printIndexed(r, v.style.Good(say("Indexed"))+" "+clean(r.ProjectPath))
			if r.Status == "success" && r.FilesIndexed == 0 {
				v.printf("%s\n", sentence(r.Message))
			}
		})
		if api.CodeOf(err) == api.AlreadyIndexed && !v.asJSON {
			// Succeed for an indexed project, so that a script can run this command again.
			v.printf("%s\n", say("This project is indexed and kept up to date automatically. To rebuild it: search-mcp reindex"))
			return nil
		}
		return err
	})))
	index.Long = "Index the project that contains DIR (default: the working directory). You are asked first."
	index.Flags().BoolVar(&v.noWait, "no-wait", false, "return as soon as indexing has started")
	return index
}

func (v *invocation) printIndexed(r changed, action string) {
	if r.Status == "indexing" {
		v.printf("%s\n", say("%s so far: %s, %s. The others follow in the background; "+
			"'search-mcp status' shows the progress.", action, many(r.FilesIndexed, "file"), many(r.ChunksCreated, "passage")))
		return
	}
	if r.Status != "success" {
		v.printf("%s\n", sentence(r.Message))
		return
	}
	v.printf("%s: %s, %s in %s\n", action, many(r.FilesIndexed, "file"), many(r.ChunksCreated, "passage"), r.Duration)
	v.printNotes(r.Notes)
}

func (v *invocation) reindexCommand() *cobra.Command {
	const short = "Rebuild a project's index, or index one file again"
	cmd := command("reindex [FILE]", short, func(ctx context.Context, args []string) error {
		if len(args) == 0 {
			return v.change(ctx, "reindex_project", map[string]any{}, func(r changed) {
				v.printIndexed(r, v.style.Good(say("Index rebuilt")))
			})
		}
		arguments := map[string]any{"path": v.placeRef(args[0], nil)}
		if v.project != "" {
			arguments["project"] = v.projectRef(v.project)
		}
		return v.change(ctx, "reindex_file", arguments, func(r changed) {
			v.printf("%s %s: %s\n", v.style.Good(say("Read again")), clean(r.Path), many(r.ChunksCreated, "passage"))
			v.printNotes(r.Notes)
		})
	})
	cmd.Long = "Rebuild the whole index of a project. You are asked first, and searches use the old index until the new " +
		"one is complete. With FILE, only that file is read again. FILE is relative to the project if --project is given, " +
		"and otherwise to the working directory or the project."
	return v.withYes(v.withProject(cmd))
}

func (v *invocation) deleteCommand() *cobra.Command {
	const short = "Delete a project's index, but not the project's own files"
	return v.withYes(v.withProject(command("delete", short, func(ctx context.Context, _ []string) error {
		return v.change(ctx, "delete_index", map[string]any{}, func(r changed) {
			v.printf("%s\n", say("Deleted the index of %s.", clean(r.ProjectPath)))
		})
	})))
}
