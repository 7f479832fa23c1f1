package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"searchmcp/app/cli/term"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

type statusReport struct {
	Running bool            `json:"running"`
	App     *wire.Status    `json:"app,omitempty"`
	Project json.RawMessage `json:"project,omitempty"`
	at      projectStatus   // decoded from Project
	Config  string          `json:"config,omitempty"` // path of config.json, which may not exist
}

func (v *invocation) statusCommand() *cobra.Command {
	return v.withProject(command("status", "Show the state of the projects and the app",
		func(ctx context.Context, _ []string) error {
			v.silent = true
			c, err := v.connect(ctx, false, nil)
			if errors.Is(err, ipc.ErrNotListening) {
				return printAnswer(v, statusReport{}, nil, func() {
					v.printf("%s\n", say("Search MCP is not running. It starts with the first search, or when an editor connects."))
				})
			}
			if err != nil {
				return err
			}
			defer c.Close()
			app, err := wire.MethodStatus.Call(ctx, c, wire.Empty{})
			if err != nil {
				return err
			}
			report := statusReport{Running: true, App: &app}
			result, err := c.CallTool(ctx, "get_index_status", map[string]any{}, "", nil)
			switch {
			case err == nil:
				report.Project = result.JSON
				if err := result.Decode(&report.at); err != nil {
					return fmt.Errorf("read status: %w", err)
				}
				if p := projectAt(&app, report.at.ProjectPath); p != nil {
					report.Config = filepath.Join(app.Data, "indexes", p.ID, "config.json")
				}
			case v.project == "" && api.CodeOf(err) == api.ProjectNotDetected:
			default:
				return err
			}
			place, err := v.locate(ctx, c)
			return printAnswer(v, report, err, func() {
				if place.only && v.project == "" {
					v.note("The working directory is not in a project. This is the only indexed project.")
				}
				v.printStatus(report)
			})
		}))
}

// projectAt returns the project whose root is shown as root in the answers of tools.
func projectAt(app *wire.Status, root string) *api.Project {
	i := slices.IndexFunc(app.Projects, func(p api.Project) bool { return term.Visible(p.Root()) == root })
	if i < 0 {
		return nil
	}
	return &app.Projects[i]
}

func (v *invocation) printStatus(r statusReport) {
	switch {
	case r.Project != nil:
		v.printProject(r)
		v.printf("\n")
	case len(r.App.Projects) > 0:
		v.printProjects(r.App)
		v.printf("\n")
	}
	v.printApp(r.App)
}

func (v *invocation) printProject(r statusReport) {
	at, p := r.at, api.Project{State: api.StateNotIndexed}
	if known := projectAt(r.App, at.ProjectPath); known != nil {
		p = known.Own(r.App.Problems)
	}
	v.printf("%s\n%s\n", v.style.Bold(clean(at.ProjectPath)), summary(v.style, p, time.Now()))
	text := ""
	switch {
	case at.Progress != nil:
		text = at.Progress.Message
	case p.State == api.StateEmbedding: // without a job
		text = api.Progress{Phase: api.PhaseEmbedding, ChunksDone: p.Vectors, ChunksTotal: p.Chunks}.Text()
	}
	if head, left := described(text); text != "" {
		v.printf("%s\n", head+left)
	}
	if p.State == api.StateNotIndexed {
		v.printf("%s\n", say("Index it with: search-mcp index"))
	} else if !p.WatcherActive && p.State == api.StateReady {
		v.printf("%s\n", say("Changes are currently not being detected."))
	}
	if p.Problem != nil {
		v.printf("%s\n", v.style.Warning(sentence(p.Problem.UserMessage)))
	}
	for _, w := range p.Warnings {
		v.printf("%s\n", sentence(w))
	}
	v.printOmitted(p)
	if p.WatcherNote != "" && p.State != api.StateOffline {
		v.printf("%s\n", sentence(p.WatcherNote))
	}
	if p.Waiting != "" {
		v.printf("%s\n", sentence(p.Waiting))
	}
	v.printShared(p.Shared)
	if r.Config != "" {
		v.printf("%s\n", v.style.Dim(say("Configuration: %s", clean(r.Config))))
	}
}

type projectStatus struct {
	ProjectPath string `json:"projectPath"`
	Progress    *struct {
		Message string `json:"message"`
	} `json:"progress"`
}

func (v *invocation) printOmitted(p api.Project) {
	for _, n := range p.Notices {
		v.printf("%s\n", v.style.Warning(sentence(n.UserMessage)+clean(" ("+n.DeveloperMessage+")")))
	}
	for _, f := range p.Partial {
		why := translations.Sentence(language, f.InWords())
		v.printf("%s\n", say("Partly indexed: %s", term.OneLine(f.Path+" ("+why+")")))
	}
	if more := p.PartialFiles - len(p.Partial); more > 0 {
		v.printf("%s\n", say("Partly indexed: %s more", many(more, "file")))
	}
	reasons := p.Skipped.Sorted()
	if len(reasons) > 0 {
		v.printf("%s\n", say("Left out:"))
	}
	for _, reason := range reasons {
		n, examples := p.Skipped[reason], p.Examples[reason]
		line := fmt.Sprintf("%7s  %s", thousands(n), sentence(reason.InWords()))
		if len(examples) > 0 {
			line += ": " + term.OneLine(strings.Join(examples, ", "))
		}
		if len(examples) > 0 && n > len(examples) {
			line += ", …"
		}
		if !v.verbose {
			line = term.Cut(clean(line), v.screen.Width)
		}
		v.printf("%s\n", v.style.Dim(clean(line)))
	}
}

func (v *invocation) printApp(app *wire.Status) {
	v.printf("%s\n", say("Search MCP %s is running · %s · up since %s", app.Version, many(len(app.Projects), "project"),
		date(app.Started)))
	questions := api.MergeQuestions(app.Open)
	switch all := api.Sum(app.Projects, questions, app.Paused, app.Problems); all.State {
	case api.AppAsked:
		for _, q := range questions {
			v.printf("%s\n", v.style.Warning(say("%s. Answer in the window.", sentence(q.Title))))
		}
	case api.AppBroken:
		v.printf("%s\n", v.style.Warning(sentence(all.Line)))
	case api.AppPaused:
		v.printf("%s\n", v.style.Warning(say("Indexing is paused. Continue it with: search-mcp resume")))
	}
	for _, p := range app.Problems {
		v.printf("%s\n", v.style.Warning(sentence(p.UserMessage)))
	}
	if len(app.Unread) > 0 {
		v.printf("%s: %s\n", say("Documents"), term.OneLine(sentence(api.UnreadLine(app.Unread))))
	}
	if len(app.Problems) > 0 {
		v.printf("%s\n", say("Run search-mcp doctor for remedies."))
	}
}

func (v *invocation) projectsCommand() *cobra.Command {
	cmd := v.connected("projects", "List the indexed projects",
		func(ctx context.Context, c *client.Client, _ []string) error {
			s, err := wire.MethodStatus.Call(ctx, c, wire.Empty{})
			if err != nil || v.asJSON {
				return printAnswer(v, s.Projects, err, nil)
			}
			if len(s.Projects) == 0 {
				v.note("No project is indexed yet. Index one with: search-mcp index DIR")
				return nil
			}
			return v.paged(func() { v.printProjects(&s) })
		})
	cmd.Aliases = []string{"list", "ls"}
	return cmd
}

const nameWidth = 40 // maximum width of a project's name in the table, in columns
const nameLeast = 12 // minimum width of a project's name in a narrow terminal

func (v *invocation) printProjects(s *wire.Status) {
	now := time.Now()
	home, _ := os.UserHomeDir()
	names := nameWidth
	if v.screen.Width > 0 {
		names = min(nameWidth, max(v.screen.Width/4, nameLeast))
	}
	rows, all := make([][]term.Cell, len(s.Projects)), make([]api.Project, len(s.Projects))
	for i, p := range s.Projects {
		p = p.Own(s.Problems)
		all[i] = p
		updated := term.Cell{Text: ago(p.LastUpdated, now)}
		if !p.LastUpdated.IsZero() {
			updated.Raw = p.LastUpdated.UTC().Format(time.RFC3339)
		}
		rows[i] = []term.Cell{
			{Text: term.Cut(p.Name, names), Raw: p.Name, Paint: v.style.Bold},
			{Text: sentence(p.Term()), Raw: string(p.State), Paint: func(string) string { return state(v.style, p) }},
			{Text: filesOf(p), Raw: fmt.Sprint(p.Files), Right: true},
			updated,
			{Text: tilde(p.Root(), home), Raw: p.Root(), Path: true, Paint: v.style.Dim},
		}
	}
	head := []string{say("PROJECT"), say("STATE"), say("FILES"), say("UPDATED"), say("FOLDER")}
	v.printf("%s", v.screen.Table(head, rows))
	if !v.screen.Interactive {
		return
	}
	for _, p := range all {
		for _, t := range troubles(p) {
			v.printf("%s: %s\n", v.style.Bold(clean(p.Name)), sentence(t))
		}
	}
}

// filesOf returns the number of indexed files, or "done/total" during the first indexing.
func filesOf(p api.Project) string {
	if p.Progress != nil && p.Progress.FilesTotal > 0 && p.State == api.StateIndexing {
		return thousands(p.Progress.FilesDone) + "/" + thousands(p.Progress.FilesTotal)
	}
	return thousands(p.Files)
}

func troubles(p api.Project) []string {
	var all []string
	if p.Problem != nil {
		all = append(all, p.Problem.UserMessage)
	}
	if p.Pending > 0 {
		all = append(all, say("%s changed and not yet read", thousands(p.Pending)))
	}
	if p.Shared != nil && p.Shared.Problem != "" {
		all = append(all, p.Shared.Problem)
	}
	return append(all, p.Warnings...)
}

func tilde(path, home string) string {
	if home != "" && path != home && within(path, home) {
		return "~" + strings.TrimPrefix(path, home)
	}
	return path
}
