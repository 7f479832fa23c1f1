package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Command is the tree of commands, for what is written from it: manual pages, completions, the reference. It is not for
// running; Run is.
func Command() *cobra.Command {
	root := (&invocation{}).root()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	return root
}

// group is a command that only holds others: alone it is wrong usage, and its error names them.
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
