package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/client"
	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

// snippetLines is how much of a hit is shown: enough to recognize it, and ten of them fit a screen or two.
const snippetLines = 6

func (v *invocation) searchCommand() *cobra.Command {
	q := api.Query{Corpus: api.CorpusCode}
	docs := false
	p := &projects{}
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Search the project by meaning and by words",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Text = strings.Join(args, " ")
			if docs {
				q.Corpus = api.CorpusDocs
			}
			if q.TopK < 1 || q.TopK > api.MaxTopK {
				return api.ErrArgument("top-k", fmt.Sprintf("a number from 1 to %d", api.MaxTopK))
			}
			several := v.choose(p)
			return v.with(cmd.Context(), func(c *client.Client) error {
				r, err := c.Search(cmd.Context(), wire.Search{Projects: several, Query: q})
				if err != nil {
					return err
				}
				if v.asJSON {
					return v.printJSON(r)
				}
				v.printResults(r)
				return nil
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&docs, "docs", false, "search the documentation instead of the code")
	f.IntVar(&q.TopK, "top-k", api.DefaultTopK, fmt.Sprintf("number of results, 1 to %d", api.MaxTopK))
	f.BoolVar(&q.Explain, "explain", false, "show what each result's score is made of")
	f.StringVar(&q.PathGlob, "path", "", "only files that match this pattern, such as 'src/**/*.go'")
	f.StringVar(&q.Language, "lang", "", "only files of this language, such as go")
	return v.withProjects(cmd, p)
}

func (v *invocation) printResults(r api.Results) {
	for i, h := range r.Hits {
		if i > 0 {
			v.printf("\n")
		}
		path := h.Path
		if h.Project != "" {
			path = h.Project + ": " + path
		}
		line := fmt.Sprintf("%s:%d", v.style.bold(clean(path)), h.StartLine)
		if h.Breadcrumb != "" {
			line += "  " + clean(h.Breadcrumb)
		}
		line += "  " + v.style.dim(fmt.Sprintf("%.2f", h.Score))
		if h.Stale {
			line += v.style.dim("  (changed since it was indexed)")
		}
		v.printf("%s\n", line)
		v.printSnippet(h.Text)
		for _, l := range h.Also {
			v.printf("%s\n", v.style.dim("    also in "+clean(l.String())))
		}
		for _, f := range h.Explain {
			v.printf("%s\n", v.style.dim(strings.TrimRight(fmt.Sprintf("    %-20s %8.4f  %s", f.Name, f.Value,
				clean(f.Note)), " ")))
		}
	}
	if len(r.Hits) == 0 {
		v.printf("Nothing found.\n")
	} else if r.Total > len(r.Hits) {
		v.printf("\n%s\n", v.style.dim(fmt.Sprintf("%d of %s. More with --top-k.", len(r.Hits),
			count(r.Total, "result", "results"))))
	}
	for _, note := range r.Notes {
		fmt.Fprintln(v.Err, clean(note))
	}
}

func (v *invocation) printSnippet(text string) {
	lines := strings.Split(strings.Trim(clean(text), "\n"), "\n")
	more := len(lines) > snippetLines
	for _, line := range lines[:min(len(lines), snippetLines)] {
		v.printf("%s\n", strings.TrimRight("    "+line, " \t"))
	}
	if more {
		v.printf("%s\n", v.style.dim(fmt.Sprintf("    … %s more", count(len(lines)-snippetLines, "line", "lines"))))
	}
}
