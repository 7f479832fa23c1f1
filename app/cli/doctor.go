package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"searchmcp/app/cli/term"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
	"searchmcp/app/version"
	"searchmcp/engine/api"
)

func (v *invocation) doctorCommand() *cobra.Command {
	const short = "Check the installation and report problems and remedies"
	return v.withProject(command("doctor", short, func(ctx context.Context, _ []string) error {
		findings := v.examine(ctx)
		err := printAnswer(v, findings, nil, func() { v.printFindings(findings) })
		if err == nil && slices.ContainsFunc(findings, func(f api.Finding) bool { return !f.OK }) {
			err = errShown
		}
		return err
	}))
}

// summed merges the lines of projects that are fine into one line. Projects with problems come last.
func summed(findings []api.Finding) []api.Finding {
	var well, out, problems []api.Finding
	var projects, troubled []string
	for _, f := range findings {
		switch {
		case !f.OK:
			problems, troubled = append(problems, f), append(troubled, f.Subject)
		case f.Routine:
			well = append(well, f)
			if !slices.Contains(projects, f.Subject) {
				projects = append(projects, f.Subject)
			}
		default:
			out = append(out, f)
		}
	}
	if len(projects) < 2 {
		return slices.Concat(out, well, problems)
	}
	projects = slices.DeleteFunc(projects, func(p string) bool { return slices.Contains(troubled, p) })
	if len(projects) > 0 {
		out = append(out, api.Finding{OK: true, Subject: many(len(projects), "project"),
			Text: "text index and vectors agree (--verbose lists each)"})
	}
	return append(out, problems...)
}

func (v *invocation) printFindings(findings []api.Finding) {
	if !v.verbose {
		findings = summed(findings)
	}
	bad := 0
	for _, f := range findings {
		mark := v.style.Good(fmt.Sprintf("%-7s", say("ok")))
		if !f.OK {
			mark = v.style.Warning(fmt.Sprintf("%-7s", sentence("problem")))
			bad++
		}
		text := strings.Replace(sentence(f.Subject), "project ", say("project "), 1) + ": " + sentence(f.Text)
		if f.Detail != "" {
			text += " (" + f.Detail + ")"
		}
		text = term.OneLine(text)
		v.printf("%s  %s\n", mark, text)
		if f.Remedy != "" {
			v.printf("         → %s\n", sentence(f.Remedy))
		}
	}
	if bad == 0 {
		v.printf("%s\n", say("No problems found."))
		return
	}
	v.printf("%s\n", say("%s found.", many(bad, "problem")))
}

func problem(subject, text, remedy string) api.Finding {
	return api.Finding{Subject: subject, Text: text, Remedy: remedy}
}

func healthy(subject, text string) api.Finding {
	return api.Finding{OK: true, Subject: subject, Text: text}
}

const doctorWithin = 9 * time.Second // the app needs at most 8 s

func (v *invocation) examine(ctx context.Context) []api.Finding {
	const restart = "Stop it with 'search-mcp stop'; the next search or editor starts it again."
	dir, err := ipc.DataDir()
	if err != nil {
		return []api.Finding{problem("data folder", err.Error()+".", "")}
	}
	data := examineFolder(dir)
	c, err := v.connect(ctx, false, nil)
	switch {
	case errors.Is(err, ipc.ErrNotListening):
		return []api.Finding{data, examineAbsent(dir)}
	case errors.Is(err, ipc.ErrForeign):
		return []api.Finding{data, problem("app", "another process is listening at Search MCP's address: "+err.Error(),
			"Ask the administrator of this computer; nothing was sent there.")}
	case errors.Is(err, client.ErrHung):
		return []api.Finding{data, problem("app", "It does not respond.", restart)}
	case err != nil:
		return []api.Finding{data, problem("app", err.Error(), restart)}
	}
	defer c.Close()
	running := c.Welcome()
	app := healthy("app", fmt.Sprintf("version %s is running (process %d)", running.Version, running.PID))
	if running.Version != version.Version {
		app = problem("app", app.Text+", but this program is version "+version.Version,
			"Quit Search MCP; the next start uses the new version.")
	}
	desktop := healthy("desktop", "no desktop session; the editor asks, or the call is refused")
	if running.Desktop {
		desktop.Text = "found; a window asks"
	}
	findings := append([]api.Finding{app, desktop}, examineEditors(ctx, c)...)
	ctx, cancel := context.WithTimeout(ctx, doctorWithin)
	defer cancel()
	more, err := wire.MethodDoctor.Call(ctx, c, v.ref())
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, client.ErrHung):
		more = []api.Finding{problem("app", "It does not answer in time: it is busy, or it hangs.", restart)}
	case err != nil:
		more = []api.Finding{problem("app", explain(err).UserMessage, "See search-mcp logs.")}
	}
	return append(findings, more...)
}

// examineEditors finds editors that still run another version of search-mcp. Restarting the editor fixes this.
func examineEditors(ctx context.Context, c *client.Client) []api.Finding {
	sessions, err := wire.MethodSessions.Call(ctx, c, wire.Empty{})
	if err != nil {
		return []api.Finding{problem("editors", explain(err).UserMessage, "See search-mcp logs.")}
	}
	var findings []api.Finding
	bridges := 0
	for _, s := range sessions {
		if s.Role != api.RoleAssistant {
			continue
		}
		bridges++
		if s.Version != "" && s.Version != c.Welcome().Version {
			findings = append(findings, problem("editors", fmt.Sprintf("%s is connected through version %s of search-mcp",
				s.Client, s.Version), "Start that editor again at your convenience."))
		}
	}
	if len(findings) == 0 {
		return []api.Finding{healthy("editors", fmt.Sprintf("%d connected", bridges))}
	}
	return findings
}

func examineFolder(dir string) api.Finding {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return healthy("data folder", dir+" (not created yet)")
	case err != nil:
		return problem("data folder", err.Error(), "Give yourself access to the folder.")
	case !info.IsDir():
		return problem("data folder", dir+" is not a folder", "Move that file elsewhere.")
	}
	return healthy("data folder", dir)
}

func examineAbsent(dir string) api.Finding {
	stopped := healthy("app", "not running; it starts with the first search or editor")
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return stopped
	}
	lock, err := ipc.Lock(dir)
	if err == nil {
		err = lock.Unlock()
	}
	var locked *ipc.LockedError
	switch {
	case errors.As(err, &locked):
		return problem("app", fmt.Sprintf("process %d has locked the data folder but does not listen", locked.Owner.PID),
			"Wait a moment; if the problem persists, kill that process.")
	case err != nil:
		return problem("app", "it can't start: "+err.Error(), "Give yourself write access to the folder.")
	}
	return stopped
}
