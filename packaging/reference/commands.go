package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/cli"
)

func commandsPage() string {
	var b strings.Builder
	b.WriteString("# Commands\n\n" + generated +
		"`search-mcp` talks to the app, which it starts if need be. Every command takes `--json`, which prints JSON for " +
		"programs, and `--verbose`,\n" +
		"which prints the technical side of an error.\n\n" +
		"| exit code | meaning |\n| --- | --- |\n| 0 | done |\n| 1 | failed, or a search found nothing |\n" +
		"| 2 | wrong usage |\n| 3 | declined |\n\n" +
		"A command that needs your yes (`index`, `reindex`, `delete`) asks at the terminal. Without one, in a script, it " +
		"fails unless `--yes`\n" +
		"answers beforehand; that is logged.\n")
	writeCommands(&b, cli.Command())
	return b.String()
}

func writeCommands(b *strings.Builder, c *cobra.Command) {
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() || sub.Name() == "help" || sub.Name() == "completion" {
			continue
		}
		if sub.HasAvailableSubCommands() {
			writeCommands(b, sub)
			continue
		}
		fmt.Fprintf(b, "\n## %s\n\n    %s\n\n%s.\n", sub.CommandPath(), sub.UseLine(), strings.TrimSuffix(sub.Short, "."))
		if sub.Long != "" {
			fmt.Fprintf(b, "\n%s\n", strings.TrimSpace(sub.Long))
		}
		if flags := sub.LocalFlags(); flags.HasAvailableFlags() {
			fmt.Fprintf(b, "\n```\n%s```\n", flags.FlagUsages())
		}
	}
}
