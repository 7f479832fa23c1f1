package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"searchmcp/assets/translations"
)

func translate(cmd *cobra.Command) {
	said := func(s *string) { *s = translations.Sentence(language, *s) }
	said(&cmd.Short)
	said(&cmd.Long)
	for _, g := range cmd.Groups() {
		said(&g.Title)
	}
	cmd.InitDefaultHelpFlag()
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { said(&f.Usage) })
	if usage := cmd.UsageTemplate(); !cmd.HasParent() {
		for _, word := range []translations.Text{
			`Use "{{.CommandPath}} [command] --help" for more information about a command.`, "Usage:", "Available Commands:",
			"Global Flags:", "Flags:", "[command]"} {
			usage = strings.ReplaceAll(usage, string(word), say(word))
		}
		usage = strings.ReplaceAll(usage, "{{.UseLine}}", "{{ofCobra .UseLine}}")
		cmd.SetUsageTemplate(strings.ReplaceAll(usage, "trimTrailingWhitespaces}}", "trimTrailingWhitespaces | ofCobra}}"))
	}
	for _, c := range cmd.Commands() {
		translate(c)
	}
}

// Texts of cobra, which translations.Sentence recognizes.
var _ = []translations.Text{"unknown flag: %s", "flag needs an argument: %s", "unknown shorthand flag: '%s' in -%s",
	"invalid argument %s for %s flag", "help for %s", "Generate the autocompletion script for the specified shell",
	"Generate the autocompletion script for %s", "disable completion descriptions", "Help about any command",
	"version for search-mcp"}

func init() { cobra.AddTemplateFunc("ofCobra", ofCobra) }

// ofCobra translates the words that cobra inserts into help.
func ofCobra(help string) string {
	return strings.NewReplacer("[command]", say("[command]"), "[flags]", say("[flags]"), "(default ",
		say("(default ")).Replace(help)
}

func checkArguments(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		checkArguments(c)
	}
	if cmd.HasSubCommands() {
		lists := cmd.Runnable()
		if !lists { // cobra checks arguments only if the command runs
			cmd.RunE = func(*cobra.Command, []string) error { return nil }
		}
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && cmd.HasParent() && !lists {
				all := names(cmd)
				last := len(all) - 1
				return errors.New(say("%s needs %s or %s", cmd.Name(), strings.Join(all[:last], ", "), all[last]))
			}
			return unknownCommand(cmd, args)
		}
		return
	}
	if cmd.Name() == "help" {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			found, unknown, _ := cmd.Root().Find(args)
			return unknownCommand(found, unknown)
		}
		return
	}
	optional := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		needed, most := places(cmd.Use)
		switch {
		case optional != nil && optional(cmd, args) == nil:
		case len(args) < len(needed):
			return errors.New(say("%s needs %s", cmd.Name(), strings.Join(needed[len(args):], say(" and "))))
		case len(args) > most:
			return errors.New(say("unexpected argument %q", args[most]))
		case slices.Contains(args, "") && !strings.Contains(cmd.Use, "VALUE"): // would mean the working directory
			return errors.New(say("the argument is empty"))
		}
		for _, name := range []string{"project", "data", "docs"} {
			if f := cmd.Flags().Lookup(name); f != nil && f.Changed && strings.Trim(f.Value.String(), `[]"`) == "" {
				return errors.New(say("--%s is empty; it needs a value: %s", name, f.Usage))
			}
		}
		return cmd.ValidateFlagGroups() // cobra would validate only after PersistentPreRun
	}
}

func unknownCommand(parent *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return errors.New(say("unknown command %q%s", args[0], didYouMean(args[0], names(parent))))
}

// places returns the required arguments in a usage line, and the maximum number of arguments.
func places(use string) (needed []string, most int) {
	for _, word := range strings.Fields(use)[1:] {
		most++
		if !strings.HasPrefix(word, "[") {
			needed = append(needed, word)
		}
		if word == "QUERY" {
			most = math.MaxInt
		}
	}
	return needed, most
}

func names(cmd *cobra.Command) []string {
	var all []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			all = append(all, c.Name())
		}
	}
	return all
}

func wrongUsage(cmd *cobra.Command, err error) string {
	text := err.Error()
	asks := strings.HasPrefix(cmd.Use, "search ") && strings.HasPrefix(text, "unknown")
	if flag, unknown := strings.CutPrefix(text, "unknown flag: --"); unknown {
		var flags []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				flags = append(flags, "--"+f.Name)
			}
		})
		text = translations.Sentence(language, text) + didYouMean("--"+flag, flags)
	}
	if group, exclusive := strings.CutPrefix(text, "if any flags in the group ["); exclusive {
		group, _, _ = strings.Cut(group, "]")
		text = say("--%s can't be combined", strings.Join(strings.Fields(group), say(" and ")+"--"))
	}
	text, _, _ = strings.Cut(text, ": strconv.")
	text = fmt.Sprintf("search-mcp: %s\n", translations.Sentence(language, text))
	if asks {
		text += say("To search for words that begin with a dash, write -- before them.") + "\n"
	}
	if !cmd.HasParent() || cmd.HasSubCommands() {
		return text + say("Run '%s --help' for the commands.", cmd.CommandPath())
	}
	return text + say("Usage: %s\nRun '%s --help' for its options.", ofCobra(cmd.UseLine()), cmd.CommandPath())
}

func didYouMean(typed string, known []string) string {
	parent := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, k := range known {
		parent.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	like := parent.SuggestionsFor(typed)
	if len(like) == 0 {
		return ""
	}
	const most = 3
	return say("; did you mean %s?", strings.Join(like[:min(len(like), most)], say(" or ")))
}

// Command returns the tree of commands. The reference, manual pages and completions are generated from it.
func Command() *cobra.Command {
	return (&invocation{}).root()
}

// group returns a command with subcommands. Without a subcommand, it runs "list" or "get".
func (v *invocation) group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short}
	for _, c := range commands {
		if c.Name() == "list" || c.Name() == "get" {
			cmd.RunE = c.RunE
		}
	}
	cmd.AddCommand(commands...)
	return cmd
}
