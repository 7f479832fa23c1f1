package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Command returns the tree of commands for generators of manual pages, completions and the reference. Use Run to run
// commands.
func Command() *cobra.Command {
	root := (&invocation{}).root()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	return root
}

// group returns a command that only has subcommands. Calling it without a subcommand is a usage error that lists them.
func (v *invocation) group(use, short string, commands ...*cobra.Command) *cobra.Command {
	names := make([]string, 0, len(commands))
	for _, c := range commands {
		names = append(names, c.Name())
	}
	last := len(names) - 1
	choice := names[last]
	if last > 0 {
		choice = strings.Join(names[:last], ", ") + " or " + choice
	}
	cmd := &cobra.Command{Use: use, Short: short, RunE: func(*cobra.Command, []string) error {
		v.ran = false
		return fmt.Errorf("%s needs %s", use, choice)
	}}
	cmd.AddCommand(commands...)
	return cmd
}
