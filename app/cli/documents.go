package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/highlight"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

func (v *invocation) documentsCommand() *cobra.Command {
	return v.group("documents", "List, add, remove and search document folders, in projects or added by you",
		v.withDocs(listing(v, "List the folders, their documents and the skipped files",
			func(s wire.Sources) []api.DocumentSource { return s.Documents }, v.printDocuments)),
		v.documentsChange("add DIR",
			"Serve the documents of a folder to every assistant, without indexing it", "Added %s.", wire.MethodDocsAdd),
		v.documentsChange("remove DIR", "Stop serving the documents of an added folder; the files are kept", "Removed %s.",
			wire.MethodDocsRemove), v.documentsSearch())
}

func (v *invocation) withDocs(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVar(&v.docs, "docs", "",
		"another folder with documents, in addition to the project's folder and the added folders")
	return v.withProject(cmd)
}

const shownLeftOut = 10

func (v *invocation) printDocuments(all []api.DocumentSource) {
	if len(all) == 0 {
		fmt.Fprintln(v.Err, say("No documents found: no project is indexed, and no folder was added."))
	}
	for _, d := range all {
		n := many(d.Documents, "document")
		if d.Reading {
			n = say("Reading…")
		}
		v.printf("%s  %s\n", v.style.Bold(clean(d.Root)), v.style.Dim(n))
		if d.Problem != "" {
			v.printf("  %s\n", v.style.Warning(sentence(d.Problem)))
		}
		shown := d.LeftOut
		if !v.verbose {
			shown = shown[:min(len(shown), shownLeftOut)]
		}
		for _, l := range shown {
			v.printf("  %s\n", say("Left out: %s", sentence(l)))
		}
		if more := len(d.LeftOut) - len(shown); more > 0 {
			v.printf("  %s\n", say("Left out: %s more (--verbose lists them)", thousands(more)))
		}
	}
}

func (v *invocation) documentsChange(use, short string, done translations.Text,
	m wire.Method[wire.Ref, wire.Empty]) *cobra.Command {
	return v.connected(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		dir := absolute(args[0])
		return v.done(say(done, clean(dir)), m.Do(ctx, c, wire.Ref{Ref: dir}))
	})
}

func (v *invocation) documentsSearch() *cobra.Command {
	in, limit := "", 0
	var types []string
	cmd := v.connected("search QUERY", "Search documents by title or content",
		func(ctx context.Context, c *client.Client, args []string) error {
			switch {
			case !slices.Contains([]string{"title", "content", "both"}, in):
				return api.ErrArgument("in", "title, content or both")
			case limit < 1:
				return api.ErrArgument("limit", "a number above 0")
			}
			if err := v.documentsServed(ctx, c); err != nil {
				return err
			}
			query := strings.Join(args, " ")
			r, err := wire.MethodDocsSearch.Call(ctx, c,
				api.DocumentQuery{Text: query, In: in, Limit: limit, FileTypes: types})
			if err != nil {
				return err
			}
			if v.asJSON {
				return errors.Join(v.printJSON(r), some(len(r.Documents)))
			}
			at, err := v.locate(ctx, c)
			if err != nil {
				return err
			}
			if len(types) > 0 && len(r.Documents) == 0 {
				v.note("No document of this type matches. Documents are .md, .html and .txt files.")
				return errShown
			}
			words, all := highlight.Question(query), make([]found, len(r.Documents))
			for i, d := range r.Documents {
				all[i] = found{at.file(d.File), under(d.Title, d.Section), []string{v.lineOf(d.Excerpt, words)}}
			}
			err = v.paged(func() { v.printFound(all, r.TotalDocuments, "document") })
			return errors.Join(err, some(len(r.Documents)))
		})
	f := cmd.Flags()
	f.StringVar(&in, "in", "both", "search in: title, content or both")
	f.StringArrayVar(&types, "type", nil, "only files with this extension; can be repeated")
	f.IntVar(&limit, "limit", 10, "number of results")
	return v.withDocs(cmd)
}

func (v *invocation) documentsServed(ctx context.Context, c *client.Client) error {
	names, err := c.Tools(ctx)
	if err != nil {
		return err
	}
	return served(ctx, c, "Documents", slices.Contains(names, "search_documents"), "No documents found. Run the command "+
		"in an indexed project, name a folder with --docs, or add a folder: search-mcp documents add DIR")
}
