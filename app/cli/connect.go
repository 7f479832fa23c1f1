package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/desktop/connect"
	"searchmcp/engine/api"
)

type connectOptions struct {
	byFile bool
	note   bool
	remove bool
}

func (v *invocation) connectCommand() *cobra.Command {
	return v.withConnectOptions(&connectOptions{}, &cobra.Command{
		Use:   "connect [EDITOR]",
		Short: "Connect an editor, or list the editors and their state",
		Long: "Add Search MCP to the configuration of an editor. The change is shown first and needs your approval. " +
			"Without EDITOR, list the known editors and whether they are connected.",
	})
}

func (v *invocation) disconnectCommand() *cobra.Command {
	return v.withConnectOptions(&connectOptions{remove: true}, &cobra.Command{
		Use:   "disconnect EDITOR",
		Short: "Remove Search MCP from an editor's configuration",
		Long:  "Remove Search MCP from the configuration of an editor. Only its own entry is changed.",
	})
}

func (v *invocation) withConnectOptions(j *connectOptions, cmd *cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && j.remove && !j.note {
			return errors.New("disconnect needs an editor")
		}
		return cobra.MaximumNArgs(1)(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		m, err := connect.Local("")
		if err != nil {
			return err
		}
		if len(args) == 0 && !j.note {
			return printAnswer(v, m.List(), nil, func() { v.printEditors(m) })
		}
		return v.runConnect(cmd.Context(), m, args, j)
	}
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return editorNames(j.remove), cobra.ShellCompDirectiveNoFileComp
	}
	cmd.Flags().BoolVar(&j.byFile, "file", false,
		"edit the configuration file even if the editor has its own command for this")
	cmd.Flags().BoolVar(&j.note, "note", false,
		"also add the paragraph for assistants to the project's AGENTS.md or CLAUDE.md; disconnect removes it")
	return v.withYes(cmd)
}

func editorNames(connected bool) []string {
	m, err := connect.Local("")
	if err != nil {
		return nil
	}
	var names []string
	for _, s := range m.List() {
		if s.State == connect.Connected || !connected && s.State != connect.Missing {
			names = append(names, cobra.CompletionWithDesc(s.ID, s.Name))
		}
	}
	return names
}

func (v *invocation) printEditors(m *connect.Machine) {
	list := m.List()
	var missing []string
	width, states := 0, 0
	for _, s := range list {
		width = max(width, len(s.ID))
		if s.State == connect.Missing {
			missing = append(missing, s.ID)
		} else {
			states = max(states, len(sentence(string(s.State))))
		}
	}
	for _, s := range list {
		if s.State == connect.Missing {
			continue
		}
		v.printf("%-*s  %s%*s  %s\n", width, s.ID, v.editorState(s.State),
			states-len(sentence(string(s.State))), "", v.style.Dim(clean(s.File)))
		switch {
		case s.Problem != "":
			v.printf("%*s  %s\n", width, "", clean(s.Problem))
		case s.State == connect.Outdated:
			v.printf("%*s  %s\n", width, "", say("It runs %s. Connect it again to have it run %s.", clean(s.Command),
				clean(m.Program)))
		}
	}
	if len(missing) > 0 {
		v.printf("%s\n", v.style.Dim(say("Not found here: %s", strings.Join(missing, ", "))))
	}
	if len(missing) == len(list) {
		v.printf("\n%s\n\n%s", say("Any other MCP client that starts programs over stdio works too. "+
			"Most of them read this configuration:"), m.Snippet("cursor"))
		return
	}
	v.printf("\n%s\n", say("Connect one with: search-mcp connect EDITOR"))
}

func (v *invocation) editorState(s connect.State) string {
	switch s {
	case connect.Connected:
		return v.style.Good(sentence(string(s)))
	case connect.Broken, connect.Taken, connect.Outdated:
		return v.style.Warning(sentence(string(s)))
	}
	return sentence(string(s))
}

type connectReport struct {
	Status  string         `json:"status"`
	Changes []connect.Plan `json:"changes"`
	Backups []string       `json:"backups,omitempty"`
}

func (v *invocation) runConnect(ctx context.Context, m *connect.Machine, args []string, j *connectOptions) error {
	out := connectReport{Status: "unchanged", Changes: []connect.Plan{}}
	editor := ""
	if len(args) == 1 {
		plan := m.Connect
		if j.remove {
			plan = m.Disconnect
		}
		p, err := plan(args[0], j.byFile)
		if api.CodeOf(err) == connect.CodeUnknown {
			return unknownEditor(m, args[0], err)
		}
		if err != nil {
			return err
		}
		if err := v.carryOut(ctx, m, p, &out); err != nil {
			return err
		}
		v.reportEditor(p, j.remove)
		if p.Empty() && !j.note {
			return printAnswer(v, out, nil, func() {})
		}
		if s, err := m.Find(args[0]); err == nil {
			editor = s.ID
		}
	}
	err := v.noteForAssistants(ctx, m, editor, j, &out)
	return printAnswer(v, out, err, func() {})
}

func unknownEditor(m *connect.Machine, typed string, err error) error {
	var ids []string
	for _, s := range m.List() {
		ids = append(ids, s.ID)
	}
	like := didYouMean(typed, ids)
	if like == "" {
		return err
	}
	text := say("There is no editor '%s' in the list%s", clean(typed), like)
	return api.New(connect.CodeUnknown, text, text, err)
}

func (v *invocation) reportEditor(p connect.Plan, removed bool) {
	switch {
	case v.asJSON:
	case p.Empty() && removed:
		v.printf("%s\n", say("%s is not connected, so nothing was changed.", p.Editor))
	case p.Empty():
		v.printf("%s\n", say("%s is already connected, so nothing was changed.", p.Editor))
	case removed:
		v.printf("%s\n", say("%s is disconnected.", v.style.Good(p.Editor)))
	default:
		v.printf("%s\n", say("%s is connected. %s", v.style.Good(p.Editor), sentence(p.After)))
	}
}

func (v *invocation) carryOut(ctx context.Context, m *connect.Machine, p connect.Plan, out *connectReport) error {
	if p.Empty() {
		return nil
	}
	v.showPlan(p)
	if err := v.agree(ctx); err != nil {
		return err
	}
	backup, err := m.Apply(ctx, p)
	if err != nil {
		return err
	}
	out.Status = "success"
	out.Changes = append(out.Changes, p)
	if backup != "" {
		out.Backups = append(out.Backups, backup)
		fmt.Fprintln(v.Err, say("A copy of the previous file: %s", clean(backup)))
	}
	return nil
}

// showPlan prints p to Err, because other programs may read Out.
func (v *invocation) showPlan(p connect.Plan) {
	for _, argv := range p.Run {
		fmt.Fprintf(v.Err, "%s\n  %s\n", say("%s's own command will be run:", p.Editor), clean(connect.CommandLine(argv)))
	}
	if p.File != "" {
		fmt.Fprintln(v.Err, say("%s will be changed:", clean(p.File)))
		for _, line := range p.Lines() {
			fmt.Fprintf(v.Err, "  %s\n", clean(line))
		}
	}
}

func (v *invocation) agree(ctx context.Context) error {
	switch {
	case v.yes:
		fmt.Fprintln(v.Err, say("Confirmed beforehand by --yes."))
		return nil
	case !v.terminal:
		v.unasked = true
		return errUnasked
	}
	return v.sure(ctx)
}

// noteForAssistants offers to add a paragraph about Search MCP to AGENTS.md or a similar file. Without a terminal, the
// flags --note and --yes are required.
func (v *invocation) noteForAssistants(ctx context.Context, m *connect.Machine, editor string, j *connectOptions,
	out *connectReport) error {
	if !j.note && (!v.terminal || v.yes || v.asJSON) {
		return nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("working directory: %w", err)
	}
	root, ok := m.NoteRoot(dir)
	if !ok {
		root = filepath.Clean(dir)
	}
	plans, err := connect.Note(root, editor, j.remove)
	if !j.note && (!ok || err != nil) {
		return nil
	}
	if err != nil {
		return err
	}
	if !j.remove && len(plans) > 0 {
		fmt.Fprintf(v.Err, "\n%s\n", say("Assistants tend to grep first. "+
			"A paragraph in AGENTS.md or CLAUDE.md can ask them to search instead:"))
	}
	for _, p := range plans {
		err := v.carryOut(ctx, m, p, out)
		if errors.Is(err, errDeclined) && !j.note {
			fmt.Fprintln(v.Err, say("Left as it is."))
			return nil
		}
		if err != nil {
			return err
		}
		if !v.asJSON {
			v.printf("%s\n", say("%s was changed.", clean(p.File)))
		}
	}
	return nil
}
