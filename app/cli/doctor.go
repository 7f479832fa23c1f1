package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
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
	return v.withProject(&cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and report problems and remedies",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := v.examine(cmd.Context())
			bad := 0
			for _, f := range findings {
				if !f.OK {
					bad++
				}
			}
			err := printAnswer(v, findings, nil, func() { v.printFindings(findings, bad) })
			if err == nil && bad > 0 {
				err = errShown
			}
			return err
		},
	})
}

// summed moves problems to the end, where users look first, and merges the findings of healthy projects into one line.
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
		out = append(out, api.Finding{OK: true, Subject: count(len(projects), "project", "projects"),
			Text: "text index and vectors agree (--verbose lists each)"})
	}
	return append(out, problems...)
}

func (v *invocation) printFindings(findings []api.Finding, bad int) {
	if !v.verbose {
		findings = summed(findings)
	}
	for _, f := range findings {
		mark := v.style.Good("ok     ")
		if !f.OK {
			mark = v.style.Needs("problem")
		}
		text := f.Subject + ": " + f.Text
		if f.Detail != "" {
			text += " (" + f.Detail + ")"
		}
		text = clean(text)
		if f.OK && !v.verbose { // healthy findings may be cut
			text = term.Cut(text, max(v.screen.Width-len("problem  "), 0))
		}
		v.printf("%s  %s\n", mark, text)
		if f.Remedy != "" {
			v.printf("         → %s\n", clean(f.Remedy))
		}
	}
	if bad == 0 {
		v.printf("No problems found.\n")
		return
	}
	v.printf("%s found.\n", count(bad, "problem", "problems"))
}

// doctorWithin limits the call; the app stops after eight seconds.
const doctorWithin = 9 * time.Second

// examine first checks everything that does not need the app, then asks the app.
func (v *invocation) examine(ctx context.Context) []api.Finding {
	dir, err := ipc.DataDir()
	if err != nil {
		return []api.Finding{{Subject: "data folder", Text: err.Error(),
			Remedy: "Set " + ipc.DataEnv + " to a folder of yours."}}
	}
	findings := []api.Finding{examineFolder(dir)}
	c, err := v.connect(ctx, false, nil)
	switch {
	case errors.Is(err, ipc.ErrNotListening):
		return append(findings, examineAbsent(dir))
	case errors.Is(err, ipc.ErrForeign):
		return append(findings, api.Finding{Subject: "app", Text: "another process listens at Search MCP's address: " +
			err.Error(),
			Remedy: "Ask the administrator of this computer; nothing was sent there."})
	case err != nil:
		return append(findings, api.Finding{Subject: "app", Text: err.Error(),
			Remedy: "Quit Search MCP and start it again."})
	}
	defer c.Close()
	app := api.Finding{OK: true, Subject: "app", Text: fmt.Sprintf("version %s is running (process %d)",
		c.Welcome().Version, c.Welcome().PID)}
	if c.Welcome().Version != version.Version {
		app.OK, app.Text = false, app.Text+", but this program is version "+version.Version
		app.Remedy = "Quit Search MCP; the next start takes the new version."
	}
	desktop := api.Finding{OK: true, Subject: "desktop",
		Text: "no desktop session; the editor asks, or the call is refused"}
	if c.Welcome().Desktop {
		desktop.Text = "found; a window asks"
	}
	// The app examines the folder in more detail.
	findings = append([]api.Finding{app, desktop}, examineEditors(ctx, c)...)
	ctx, cancel := context.WithTimeout(ctx, doctorWithin)
	defer cancel()
	more, err := wire.MethodDoctor.Call(ctx, c, v.ref())
	if errors.Is(err, context.DeadlineExceeded) {
		return append(findings, api.Finding{Subject: "app", Text: "It does not answer in time: it is busy, or hangs.",
			Remedy: "Quit Search MCP and start it again."})
	}
	if err != nil {
		return append(findings, api.Finding{Subject: "app", Text: explain(err).UserMessage, Remedy: "See search-mcp logs."})
	}
	return append(findings, more...)
}

// examineEditors finds editors whose bridge has another version than the app, because it was running during an update.
// Both keep working, but the editor shows the tools of the bridge's version.
func examineEditors(ctx context.Context, c *client.Client) []api.Finding {
	sessions, err := wire.MethodSessions.Call(ctx, c, wire.Empty{})
	if err != nil {
		return []api.Finding{{Subject: "editors", Text: explain(err).UserMessage, Remedy: "See search-mcp logs."}}
	}
	var findings []api.Finding
	bridges := 0
	for _, s := range sessions {
		if s.Role != wire.RoleBridge {
			continue
		}
		bridges++
		if s.Version != "" && s.Version != c.Welcome().Version {
			findings = append(findings, api.Finding{Subject: "editors",
				Text:   fmt.Sprintf("%s is connected by version %s of search-mcp", s.Client, s.Version),
				Remedy: "Start that editor again at your convenience."})
		}
	}
	if len(findings) == 0 {
		findings = append(findings, api.Finding{OK: true, Subject: "editors",
			Text: count(bridges, "session", "sessions") + " connected"})
	}
	return findings
}

func examineFolder(dir string) api.Finding {
	f := api.Finding{OK: true, Subject: "data folder", Text: dir}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		f.Text += " (not made yet)"
	case err != nil:
		f.OK, f.Text, f.Remedy = false, err.Error(), "Give yourself access to the folder."
	case !info.IsDir():
		f.OK, f.Text, f.Remedy = false, dir+" is not a folder", "Move it away."
	}
	return f
}

// examineAbsent distinguishes a stopped app from a hanging one. It locks the folder for a moment, as a start does, to
// check whether an app could start.
func examineAbsent(dir string) api.Finding {
	f := api.Finding{OK: true, Subject: "app", Text: "not running; it starts with the first search or editor"}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return f
	}
	lock, err := ipc.Lock(dir)
	var held *ipc.HeldError
	if err == nil {
		err = lock.Unlock()
	}
	switch {
	case errors.As(err, &held):
		f.OK, f.Text = false, fmt.Sprintf("process %d has the data folder but does not listen", held.Holder.PID)
		f.Remedy = "Wait a moment; if it stays so, end that process."
	case err != nil:
		f.OK, f.Text, f.Remedy = false, "it can't start: "+err.Error(), "Give yourself the right to write to the folder."
	}
	return f
}
