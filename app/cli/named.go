package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/highlight"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func (v *invocation) namedCommand() *cobra.Command {
	return v.group("named", "List, search and remove named indexes, which assistants keep in memory",
		listing(v, "List the named indexes and the memory they use",
			func(s wire.Sources) api.NamedIndexes { return s.Named }, v.printNamed), v.namedSearch(), v.namedRemove())
}

func (v *invocation) printNamed(n api.NamedIndexes) {
	for _, x := range n.Indexes {
		v.printf("%s  %s, %s\n", v.style.Bold(clean(x.Name)), many(x.Documents, "document"), megabytes(x.Bytes))
	}
	v.printf("%s\n", say("%s of %s are in use.", megabytes(n.Bytes), megabytes(n.Limit)))
}

func megabytes(n int64) string { return sentence(fmt.Sprintf("%.1f MB", float64(n)/(1<<20))) }

func (v *invocation) namedRemove() *cobra.Command {
	const short = "Remove a named index with its documents; the default index is only emptied"
	return v.connected("remove NAME", short, func(ctx context.Context, c *client.Client, args []string) error {
		return v.done(say("Removed %s.", clean(args[0])), wire.MethodNamedRemove.Do(ctx, c, wire.Ref{Ref: args[0]}))
	})
}

func (v *invocation) namedSearch() *cobra.Command {
	limit := 0
	cmd := v.connected("search NAME QUERY", "Search a named index",
		func(ctx context.Context, c *client.Client, args []string) error {
			query := strings.Join(args[1:], " ")
			return answer(ctx, v, c, "search_index", map[string]any{"index_name": args[0], "query": query, "k": limit},
				func(a api.NamedAnswer) { v.printNamedAnswer(a, highlight.Question(query)) },
				func(a api.NamedAnswer) int { return len(a.Results) })
		})
	cmd.Long = "Search a named index. +WORD is required, -WORD is excluded, and 'several words' are a phrase."
	cmd.Flags().IntVarP(&limit, "limit", "n", 10, "number of results")
	return cmd
}

func (v *invocation) printNamedAnswer(a api.NamedAnswer, words highlight.Terms) {
	all := make([]found, len(a.Results))
	for i, r := range a.Results {
		all[i].address = r.DocID
		if m := string(r.Metadata); m != "" && m != "{}" && m != "null" {
			all[i].title = m
		}
		for _, h := range r.Highlights {
			all[i].texts = append(all[i].texts, v.lineOf(h, words))
		}
	}
	v.printFound(all, a.Total, "result")
}
