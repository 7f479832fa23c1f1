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
		"`search-mcp` connects to the app, which it starts if necessary. Every command accepts `--json`, which prints JSON " +
		"for programs, and `--verbose`,\n" +
		"which prints technical details of errors.\n\n" +
		"| exit code | meaning |\n| --- | --- |\n| 0 | done |\n| 1 | failed, or a search found nothing |\n" +
		"| 2 | wrong usage |\n| 3 | declined |\n\n" +
		"A command that needs your approval (`index`, `reindex`, `delete`) asks at the terminal. In a script, it " +
		"fails unless `--yes`\n" +
		"is given; this is logged.\n")
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
