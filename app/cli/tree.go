package cli

import "github.com/spf13/cobra"

// Command is the tree of commands, for what is written from it: manual pages, completions, the reference. It is not for
// running; Run is.
func Command() *cobra.Command {
	root := (&invocation{}).root()
	root.InitDefaultHelpCmd()
	return root
}
