package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/client"
	"searchmcp/app/wire"
	"searchmcp/engine/api"
)

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
		line := fmt.Sprintf("%s:%d", v.style.bold(clean(path)), max(h.Best, h.StartLine))
		if c := h.Context(); c != "" {
			line += "  " + clean(c)
		}
		line += "  " + v.style.dim(fmt.Sprintf("%.2f", h.Score))
		if h.Stale {
			line += v.style.dim("  (changed since it was indexed)")
		}
		v.printf("%s\n", line)
		v.printExcerpt(h)
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
		for _, place := range r.Nearest {
			v.printf("%s\n", v.style.dim("    nearest: "+clean(place)))
		}
	} else if r.Total > len(r.Hits) {
		v.printf("\n%s\n", v.style.dim(fmt.Sprintf("%d of %s. More with --top-k.", len(r.Hits),
			count(r.Total, "result", "results"))))
	}
	for _, note := range r.Notes {
		fmt.Fprintln(v.Err, clean(note))
	}
}

// printExcerpt prints a hit's lines with their numbers, and where lines are left out.
func (v *invocation) printExcerpt(h api.Hit) {
	if len(h.Lines) == 0 {
		return
	}
	last := h.Lines[len(h.Lines)-1].Number
	width := max(len(strconv.Itoa(last)), 3)
	next := h.Lines[0].Number
	for _, l := range h.Lines {
		if l.Number != next {
			v.printf("%s\n", v.style.dim(fmt.Sprintf("  %*s", width, "…")))
		}
		next = l.Number + 1
		v.printf("%s  %s\n", v.style.dim(fmt.Sprintf("  %*d", width, l.Number)), strings.TrimRight(clean(l.Text), " \t\n"))
	}
}
