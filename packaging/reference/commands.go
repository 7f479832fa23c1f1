package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/cli"
)

func commandList() string {
	var b strings.Builder
	writeCommands(&b, cli.Command())
	return strings.TrimPrefix(b.String(), "\n")
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
