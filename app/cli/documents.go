package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/cli/term"
	"searchmcp/app/client"
	"searchmcp/engine/api"
)

func (v *invocation) documentsCommand() *cobra.Command {
	return v.group("documents", "Folders of documents, of projects and your own: list, add, remove, search",
		v.documentsList(), v.documentsAdd(), v.documentsRemove(), v.documentsSearch())
}

// withDocs gives a command --docs, the folder of the session as the bridge has it.
func (v *invocation) withDocs(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVar(&v.docs, "docs", "", "a folder with documents, beside those of the project and those that were added")
	return v.withProject(cmd)
}

func (v *invocation) documentsList() *cobra.Command {
	return v.withDocs(&cobra.Command{
		Use: "list", Short: "List the folders with their documents, and what of them is left out", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return v.with(cmd.Context(), func(c *client.Client) error {
				s, err := c.Sources(cmd.Context())
				if err != nil {
					return err
				}
				return v.printDocuments(s.Documents)
			})
		},
	})
}

// shownLeftOut is how many documents and folders that are left out are named; --verbose and --json name all.
const shownLeftOut = 10

func (v *invocation) printDocuments(all []api.DocumentSource) error {
	if v.asJSON {
		return v.printJSON(all)
	}
	if len(all) == 0 {
		fmt.Fprintln(v.Err, "There are no documents: no project is indexed, and no folder was added.")
	}
	for _, d := range all {
		n := count(d.Documents, "document", "documents")
		if d.Reading {
			n = "being read"
		}
		v.printf("%s  %s\n", v.style.bold(clean(d.Root)), v.style.dim(n))
		if d.Problem != "" {
			v.printf("  %s\n", v.style.bad(clean(d.Problem)))
		}
		shown := d.LeftOut
		if !v.verbose {
			shown = shown[:min(len(shown), shownLeftOut)]
		}
		for _, l := range shown {
			v.printf("  Left out: %s\n", clean(l))
		}
		if more := len(d.LeftOut) - len(shown); more > 0 {
			v.printf("  Left out: %d more (--verbose names them)\n", more)
		}
	}
	return nil
}

func (v *invocation) documentsAdd() *cobra.Command {
	return &cobra.Command{
		Use: "add DIR", Short: "Serve the documents of a folder to every assistant, without indexing it", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return fmt.Errorf("find folder: %w", err)
			}
			return v.with(cmd.Context(), func(c *client.Client) error {
				if err := c.AddDocuments(cmd.Context(), dir); err != nil {
					return err
				}
				v.printf("Added %s.\n", clean(dir))
				return nil
			})
		},
	}
}

func (v *invocation) documentsRemove() *cobra.Command {
	return &cobra.Command{
		Use: "remove DIR", Short: "Serve the documents of an added folder no more; the files stay", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return fmt.Errorf("find folder: %w", err)
			}
			return v.with(cmd.Context(), func(c *client.Client) error {
				if err := c.RemoveDocuments(cmd.Context(), dir); err != nil {
					return err
				}
				v.printf("Removed %s.\n", clean(dir))
				return nil
			})
		},
	}
}

// documentsSearch asks search_documents, as an assistant would.
func (v *invocation) documentsSearch() *cobra.Command {
	in, limit := "", 0
	var types []string
	cmd := &cobra.Command{
		Use: "search QUERY", Short: "Search documents by title or content", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.with(cmd.Context(), func(c *client.Client) error {
				if err := v.documentsServed(cmd.Context(), c); err != nil {
					return err
				}
				arguments := map[string]any{"query": strings.Join(args, " "), "searchIn": in, "limit": limit}
				if len(types) > 0 {
					arguments["fileTypes"] = types
				}
				result, err := c.CallTool(cmd.Context(), "search_documents", arguments, nil)
				if err != nil {
					return err
				}
				if v.asJSON {
					return v.printJSON(map[string]string{"text": result.Text()})
				}
				words := term.NewWords(strings.Join(args, " "))
				return v.paged(func() {
					for line := range strings.Lines(result.Text()) {
						v.printf("%s\n", v.screen.Marked(clean(strings.TrimSuffix(line, "\n")), words))
					}
				})
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&in, "in", "both", "where to look: title, content or both")
	f.StringArrayVar(&types, "type", nil, "only files with this extension, as often as you like")
	f.IntVar(&limit, "limit", 10, "number of results")
	return v.withDocs(cmd)
}

// documentsServed says what to do where there is nothing to search: the tool is not there then.
func (v *invocation) documentsServed(ctx context.Context, c *client.Client) error {
	names, err := c.Tools(ctx)
	if err != nil || slices.Contains(names, "search_documents") {
		return err
	}
	text := "There are no documents here. Run the command in an indexed project, name a folder by --docs, or add one: search-mcp documents add DIR"
	if settings, err := c.Settings(ctx); err == nil && settings["documents"] == false {
		text = "Documents are switched off; 'search-mcp settings set documents true' switches them on."
	}
	return api.New(api.InvalidArgument, text, text, nil)
}
