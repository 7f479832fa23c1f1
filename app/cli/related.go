package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/engine/api"
)

func (v *invocation) relatedCommand() *cobra.Command {
	q := api.Query{Corpus: api.CorpusCode, Related: true}
	p := &projects{}
	cmd := &cobra.Command{
		Use:   "related PATH:LINE",
		Short: "Show what calls, tests and resembles the code at a place",
		Long: "Show the callers and tests of what stands at a line of a file, what is called the same in another " +
			"language, and the code " +
			"most like it. In a pipe a result is one line, PATH:LINE:TEXT.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Text = args[0]
			if i := strings.LastIndexByte(q.Text, ':'); i > 0 {
				q.Text = v.placeRef(q.Text[:i], p) + q.Text[i:]
			}
			if q.TopK < 1 || q.TopK > api.MaxTopK {
				return api.ErrArgument("top-k", fmt.Sprintf("a number from 1 to %d", api.MaxTopK))
			}
			return look(cmd.Context(), v, p, v.searching(q), resultsOf, func(r api.Results, at *locator, everywhere int) error {
				return v.paged(func() { v.printResults(r, q, at, everywhere) })
			})
		},
	}
	cmd.Flags().IntVarP(&q.TopK, "top-k", "n", api.DefaultTopK, fmt.Sprintf("number of results, 1 to %d", api.MaxTopK))
	return v.withProjects(cmd, p)
}
