package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func (v *invocation) filesCommand() *cobra.Command {
	limit, null := 0, false
	p := &projects{}
	cmd := &cobra.Command{
		Use:   "files PATTERN",
		Short: "Find files by name or glob pattern, such as '**/auth*.go'",
		Long: "Find files by glob pattern in the project that contains the working directory. Outside any project, search " +
			"all projects. The pattern matches paths in the project; the printed paths are relative to the working directory. " +
			"Without '/', wildcards match names in any folder, and words match any part of a path, in any case.",
		RunE: func(cmd *cobra.Command, args []string) error {
			q := api.FileQuery{Pattern: v.placeRef(args[0], p), Limit: limit}
			q.Words = q.Pattern != "." && !strings.Contains(q.Pattern, "/")
			ask := func(ctx context.Context, c *client.Client, projects []string) (api.FileResults, error) {
				return wire.MethodFiles.Call(ctx, c, wire.Files{Projects: projects, Query: q})
			}
			return look(cmd.Context(), v, p, ask, func(r api.FileResults) int { return r.Total },
				func(r api.FileResults, at *locator, everywhere int) error {
					return v.printFiles(r, at, everywhere, null)
				})
		},
	}
	cmd.Flags().IntVarP(&limit, "limit", "n", api.MaxGlob, "maximum number of files")
	cmd.Flags().BoolVarP(&null, "null", "0", false, "end each path with a zero byte instead of a newline, for xargs -0")
	return v.withProjects(cmd, p)
}

func (v *invocation) printFiles(r api.FileResults, at *locator, everywhere int, null bool) error {
	paths := make([]string, len(r.Matches))
	for i, m := range r.Matches {
		paths[i] = at.prefixed(m)
	}
	if err := v.printPaths(paths, null); err != nil {
		return err
	}
	v.noteEverywhere(everywhere)
	if r.Total > len(r.Matches) {
		v.note("%d of %s. More with --limit.", len(r.Matches), many(r.Total, "file"))
	}
	if r.Total == 0 && len(r.Notes) == 0 {
		v.note("No file matches.")
	}
	for _, m := range r.Similar {
		v.noteText("  " + say("similar: %s", clean(at.prefixed(m))))
	}
	v.notes("", r.Notes)
	return nil
}
