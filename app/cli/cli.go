package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/cli/term"
	"searchmcp/app/desktop/connect"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
	"searchmcp/app/version"
	"searchmcp/engine/api"
)

const (
	exitDone     = 0
	exitFailed   = 1
	exitUsage    = 2
	exitDeclined = 3
)

type Env struct {
	Args     []string
	In       io.Reader
	Out, Err io.Writer
	Launcher *client.Launcher // nil means that Launcher searches for the installed app
}

type invocation struct {
	Env
	asJSON, verbose, yes, noWait bool
	project, docs, data          string
	colour                       term.Mode
	noPager                      bool
	screen                       term.Screen
	style                        term.Style
	terminal                     bool
	bars                         io.Writer // Err without line wrapping
	silent                       bool      // the user is not asked

	ran     bool // the command ran, because its arguments were valid
	unasked bool // no question was asked, because In is not a terminal
	agreed  bool // --yes has answered a question; it answers only one
}

const codeCancelled api.Code = "CANCELLED"

var (
	errDeclined = api.New(codeCancelled, "Cancelled. Nothing was changed.", "the user declined", nil)
	errUnasked  = api.New(api.ConfirmationRequired, "This needs your approval, but no terminal is available. "+
		"Run the command in a terminal, or use the window.", "no terminal", nil)
)

// errShown means that the command has failed or found nothing, and has already printed that.
var errShown = errors.New("failed")

func Run(ctx context.Context, env Env) int {
	v := &invocation{Env: env, terminal: term.IsTerminal(env.In), bars: env.Err}
	v.Err = term.Open(env.Err, term.Never).Wrapped(env.Err)
	if v.Launcher == nil {
		v.Launcher = &client.Launcher{}
	}
	if !slices.ContainsFunc(env.Args, func(a string) bool { return strings.HasPrefix(a, "--json") }) {
		chooseLanguage()
	}
	root := v.root()
	translate(root)
	root.SetArgs(env.Args)
	root.SetIn(env.In)
	help := term.Open(env.Out, term.Never)
	help.Width = min(cmp.Or(help.Width, term.DefaultWidth), term.MaxProse)
	root.SetOut(help.Wrapped(env.Out))
	root.SetErr(v.Err)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !v.ran { // the parser may have found an error before the flag --json
		v.asJSON = v.asJSON || slices.Contains(env.Args, "--json")
	}
	return v.report(cmd, err)
}

func (v *invocation) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "search-mcp",
		Short: "Search your projects from the command line and from AI assistants",
		Long: "search-mcp searches projects that Search MCP has indexed on this computer, and " +
			"is the bridge that editors run to give their AI assistants the same search. " +
			"Nothing leaves this computer unless you publish an index yourself (share).",
		SilenceErrors: true, SilenceUsage: true,
		Version: version.Version,
		PersistentPreRun: func(*cobra.Command, []string) {
			v.ran = true
			v.screen = term.Open(v.Out, v.colour)
			v.style = v.screen.Style
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("search-mcp " + version.Version + "\n")
	cobra.EnableCommandSorting = false
	v.colour = term.Auto
	f := root.PersistentFlags()
	f.BoolVar(&v.asJSON, "json", false, "print JSON for programs")
	f.BoolVar(&v.verbose, "verbose", false, "print technical details of errors")
	f.Var(&v.colour, "color", "use colour: auto, always or never; auto respects NO_COLOR")
	f.BoolVar(&v.noPager, "no-pager", false, "do not use a pager")
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"search", "Search:", []*cobra.Command{v.searchCommand(), v.grepCommand(), v.filesCommand(),
			v.nameCommand("symbol NAME", "Show where a name is defined", false),
			v.nameCommand("uses NAME", "Show who calls and mentions a name", true),
			v.outlineCommand(), v.paletteCommand(), v.statusCommand(), v.projectsCommand()}},
		{"projects", "Projects:", []*cobra.Command{v.indexCommand(), v.reindexCommand(), v.deleteCommand(),
			v.projectCommand("pause [PROJECT]", "Pause indexing of all projects, or of one", "Paused the indexing of %s.",
				wire.MethodPause),
			v.projectCommand("resume [PROJECT]", "Resume indexing of all projects, or of one", "Resumed the indexing of %s.",
				wire.MethodResume),
			v.projectCommand("purge [PROJECT]", "Erase the text of deleted and changed files from the indexes now",
				"Erased the text of deleted files from the indexes of %s.", wire.MethodPurge),
			v.rootCommand(), v.shareCommand()}},
		{"sources", "Documents, sites and archives:", []*cobra.Command{v.documentsCommand(), v.siteCommand(),
			v.archiveCommand(), v.namedCommand()}},
		{"editors", "Editors:", []*cobra.Command{v.connectCommand(), v.disconnectCommand(), v.mcpCommand()}},
		{"app", "Search MCP itself:", []*cobra.Command{v.settingsCommand(), v.doctorCommand(),
			v.logsCommand(), v.stopCommand(), v.versionCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID("app")
	root.SetCompletionCommandGroupID("app")
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands()[len(root.Commands())-2:] {
		c.Long = "" // cobra's, which repeats the short description
	}
	checkArguments(root)
	v.complete(root)
	return root
}

func (v *invocation) withProject(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVar(&v.project, "project", "",
		"folder or name of the project (default: the project that contains the working directory)")
	return cmd
}

type projects struct {
	named []string
	all   bool
}

func (v *invocation) withProjects(cmd *cobra.Command, p *projects) *cobra.Command {
	cmd.Flags().StringArrayVar(&p.named, "project", nil,
		"folder or name of a project; can be repeated (default: the project that contains the working directory)")
	cmd.Flags().BoolVar(&p.all, "all", false, "search all indexed projects")
	cmd.MarkFlagsMutuallyExclusive("project", "all")
	return cmd
}

// choose returns the projects that the user named. If there is only one, choose stores it in v and returns nil.
func (v *invocation) choose(p *projects) []string {
	switch {
	case p.all:
		return []string{"all"}
	case len(p.named) == 1:
		v.project = p.named[0]
		return nil
	}
	var refs []string
	for _, ref := range p.named {
		refs = append(refs, v.projectRef(ref))
	}
	return refs
}

// argued stores the project that is named as an argument. It must not contradict --project.
func (v *invocation) argued(project string) error {
	if v.project != "" && v.projectRef(v.project) != v.projectRef(project) {
		return api.New(api.InvalidArgument, say("--project and %s name two projects. Run the command for each.",
			clean(project)), "project: expected the project of the argument", nil)
	}
	v.project = project
	return nil
}

func (v *invocation) withYes(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVarP(&v.yes, "yes", "y", false, "approve without asking")
	return cmd
}

func (v *invocation) report(cmd *cobra.Command, err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errShown):
		return exitFailed
	}
	shown, code := explain(err), exitFailed
	switch {
	case !v.ran:
		code, shown = exitUsage, api.New(api.InvalidArgument, wrongUsage(cmd, err), err.Error(), err)
	case errors.Is(err, errDeclined), errors.Is(err, context.Canceled) && !v.unasked:
		code = exitDeclined
		if shown.Code != codeCancelled {
			shown = errDeclined
		}
	case shown.OfUsage(), shown.Code == connect.CodeUnknown:
		code = exitUsage
	}
	if v.asJSON {
		if jerr := v.printJSON(map[string]any{"error": shown}); jerr != nil {
			fmt.Fprintln(v.Err, jerr)
		}
		return code
	}
	fmt.Fprintln(v.Err, sentence(shown.UserMessage))
	switch shown.Code {
	case api.IndexNotFound:
		fmt.Fprintln(v.Err, say("Index it with: search-mcp index"))
	case api.DiskFull:
		var need, have int
		const sizes = "DISK_FULL: ENOSPC - need ~%dMB, have %dMB"
		if _, err := fmt.Sscanf(shown.DeveloperMessage, sizes, &need, &have); err == nil {
			fmt.Fprintln(v.Err, say("About %d MB are needed, but only %d MB are free.", need, have))
		}
	case api.ProjectNotDetected:
		fmt.Fprintln(v.Err, say("Name a project with --project; 'search-mcp projects' lists them."))
	case api.FileNotFound:
		if strings.HasSuffix(shown.DeveloperMessage, "not in index") { // else, a file outside an index
			fmt.Fprintln(v.Err, say("List the indexed files with: search-mcp files '**'"))
		}
	}
	if v.verbose {
		fmt.Fprintf(v.Err, "  %s\n  %v\n", shown.DeveloperMessage, err)
	}
	return code
}

func explain(err error) *api.Error {
	var e *api.Error
	var rpc *client.RPCError
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, ipc.ErrNotListening):
		return api.New(api.NotRunning, "Search MCP is not running.", err.Error(), err)
	case errors.Is(err, client.ErrNoApp):
		return api.New("NOT_INSTALLED",
			"Search MCP could not be started because its program search-mcp-app was not found. Please install Search MCP again.",
			err.Error(), err)
	case errors.Is(err, client.ErrHung):
		return api.New(api.NotResponding,
			"Search MCP does not respond. Stop it with 'search-mcp stop' and run the command again.", err.Error(), err)
	case errors.Is(err, client.ErrClosed):
		return api.New(api.ConnectionLost, "Search MCP was quit or restarted meanwhile. Run the command again.",
			err.Error(), err)
	case errors.As(err, &rpc):
		return api.New(api.Internal, rpc.Message, fmt.Sprintf("JSON-RPC error %d", rpc.Code), err)
	}
	text := api.InWords(err)
	if text != err.Error() {
		text = strings.ToUpper(text[:1]) + text[1:] + "."
	}
	return api.New(api.Internal, text, err.Error(), err)
}

func (v *invocation) hello() wire.Hello {
	h := wire.Hello{Role: api.RoleTerminal, PID: os.Getpid(), Project: v.projectRef(v.project)}
	if dir, err := os.Getwd(); err == nil {
		h.Dir = dir
	}
	if v.docs != "" {
		h.Docs = below(h.Dir, v.docs)
	}
	if path := os.Getenv("SEARCH_DB_PATH"); path != "" {
		h.SearchDBPath = below(h.Dir, path)
	}
	return h
}

func absolute(path string) string {
	dir, _ := os.Getwd() // without a working directory, a relative path stays relative
	return below(dir, path)
}

func below(dir, path string) string {
	if expanded, err := ipc.Expand(path); err == nil {
		path = expanded
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// projectRef returns a folder as an absolute path, and a project's name unchanged.
func (v *invocation) projectRef(ref string) string {
	expanded, err := ipc.Expand(ref)
	if ref == "" || err != nil {
		return ref
	}
	abs, err := filepath.Abs(expanded)
	if err != nil {
		return expanded
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() || filepath.Base(expanded) != expanded {
		return abs
	}
	return expanded
}

func folder(ref string) (string, error) {
	abs, err := filepath.Abs(ref)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", api.New(api.InvalidArgument, "There is no folder "+abs+".", "no such folder: "+abs, err)
	case err == nil && !info.IsDir():
		return "", api.New(api.InvalidArgument, abs+" is not a folder.", "not a folder: "+abs, nil)
	}
	return abs, nil
}

func (v *invocation) connect(ctx context.Context, launch bool, event func(api.Event)) (*client.Client, error) {
	dir, err := ipc.DataDir()
	if err != nil {
		return nil, err
	}
	if v.docs != "" {
		if _, err := folder(v.hello().Docs); err != nil {
			return nil, err
		}
	}
	o := client.Options{
		DataDir: dir, Hello: v.hello(), Name: "search-mcp command line", Event: event,
		Log: slog.New(slog.NewTextHandler(v.Err, &slog.HandlerOptions{Level: slog.LevelError})),
	}
	if !v.silent {
		o.Elicit = v.elicit
	}
	if launch {
		o.Launcher = v.Launcher
	}
	return client.Connect(ctx, o)
}

func (v *invocation) with(ctx context.Context, run func(*client.Client) error) error {
	c, err := v.connect(ctx, true, nil)
	if err != nil {
		return err
	}
	return errors.Join(run(c), c.Close())
}

func command(use, short string, run func(ctx context.Context, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, RunE: func(cmd *cobra.Command, args []string) error {
		return run(cmd.Context(), args)
	}}
}

func (v *invocation) connected(use, short string, run func(ctx context.Context, c *client.Client,
	args []string) error) *cobra.Command {
	return command(use, short, func(ctx context.Context, args []string) error {
		return v.with(ctx, func(c *client.Client) error { return run(ctx, c, args) })
	})
}

func methodCommand[P, R any](v *invocation, use, short string, m wire.Method[P, R],
	params func(args []string) (P, error), print func(R)) *cobra.Command {
	return v.connected(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		p, err := params(args)
		if err != nil {
			return err
		}
		r, err := m.Call(ctx, c, p)
		return printAnswer(v, r, err, func() { print(r) })
	})
}

func printAnswer[T any](v *invocation, answer T, err error, words func()) error {
	switch {
	case err != nil:
		return err
	case v.asJSON:
		return v.printJSON(answer)
	}
	words()
	return nil
}

func listing[T any](v *invocation, short string, of func(wire.Sources) T, print func(T)) *cobra.Command {
	return v.connected("list", short, func(ctx context.Context, c *client.Client, _ []string) error {
		s, err := wire.MethodSources.Call(ctx, c, wire.Empty{})
		return printAnswer(v, of(s), err, func() { print(of(s)) })
	})
}

// answer calls a tool. It prints the result as JSON, or passes the decoded result to print.
func answer[T any](ctx context.Context, v *invocation, c *client.Client, tool string, arguments map[string]any,
	print func(T), hits func(T) int) error {
	var a T
	result, err := c.CallTool(ctx, tool, arguments, "", nil)
	if err != nil {
		return err
	}
	if err := result.Decode(&a); err != nil {
		return err
	}
	if v.asJSON {
		err = v.printJSON(result.JSON)
	} else {
		err = v.paged(func() { print(a) })
	}
	return errors.Join(err, some(hits(a)))
}

func some(n int) error {
	if n == 0 {
		return errShown
	}
	return nil
}
