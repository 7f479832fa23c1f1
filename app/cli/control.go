package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// done prints a sentence, or {"status":"success"} for programs, unless something failed.
func (v *invocation) done(sentence string, err error) error {
	return told(v, map[string]string{"status": "success", "message": sentence}, err,
		func() { v.printf("%s\n", sentence) })
}

func (v *invocation) pauseCommand() *cobra.Command {
	return v.withProject(v.pausing("pause", "Pause indexing of all projects, or of one", "Paused.",
		(*client.Client).Pause))
}

func (v *invocation) resumeCommand() *cobra.Command {
	return v.withProject(v.pausing("resume", "Resume indexing", "Resumed.", (*client.Client).Resume))
}

func (v *invocation) purgeCommand() *cobra.Command {
	return v.withProject(v.pausing("purge", "Remove from disk now what was deleted from files or changed in them",
		"What was deleted or changed is no longer on disk.", (*client.Client).Purge))
}

func (v *invocation) pausing(use, short, sentence string,
	do func(*client.Client, context.Context, string) error) *cobra.Command {
	return v.asking(&cobra.Command{Use: use, Short: short, Args: cobra.NoArgs}, func(ctx context.Context, c *client.Client,
		_ []string) error {
		return v.done(sentence, do(c, ctx, v.projectRef(v.project)))
	})
}

func (v *invocation) rootCommand() *cobra.Command {
	name := ""
	add := v.rooting("add DIR", "Add a folder to the project", func(c *client.Client, ctx context.Context,
		r wire.RootChange) (api.Project, error) {
		var err error
		if r.Dir, err = folder(r.Dir); err != nil {
			return api.Project{}, err
		}
		if err := v.askRoot(ctx, c, r.Dir); err != nil {
			return api.Project{}, err
		}
		r.Name = name
		return c.AddRoot(ctx, r)
	})
	add.Flags().StringVar(&name, "name", "", "name of the folder in paths, @name/ (default: its own)")
	v.withYes(add)
	remove := v.rooting("remove DIR", "Remove a folder from the project", func(c *client.Client, ctx context.Context,
		r wire.RootChange) (api.Project, error) {
		return c.RemoveRoot(ctx, r)
	})
	return v.group("root", "Add folders to a project or remove them", add, remove)
}

// oneLine keeps a name from forging lines of a question.
func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "·") }

// askRoot asks whether a further folder may be read, as a new project's is asked about.
func (v *invocation) askRoot(ctx context.Context, c *client.Client, dir string) error {
	if v.yes {
		return nil
	}
	if !v.terminal {
		return errUnasked
	}
	p, err := c.Preview(ctx, dir)
	if err != nil {
		return err
	}
	text := fmt.Sprintf(
		"Add %s to the project? Its files are read on this computer only and nothing is sent anywhere.\nFiles to be read: %s",
		oneLine(dir), thousands(p.Files))
	for _, w := range p.Warnings {
		text += "\n" + oneLine(w)
	}
	fmt.Fprintf(v.Err, "%s\n\n", clean(text))
	answer, err := v.confirm(ctx, false, false)
	if err == nil && answer.Action != client.ElicitAccept {
		err = errDeclined
	}
	return err
}

func (v *invocation) rooting(use, short string, do func(*client.Client, context.Context, wire.RootChange) (api.Project,
	error)) *cobra.Command {
	return v.withProject(v.askingOf(&cobra.Command{Use: use, Short: short}, func(ctx context.Context, c *client.Client,
		dir string) error {
		p, err := do(c, ctx, wire.RootChange{Dir: dir})
		return told(v, p, err, func() {
			v.printf("%s\n", v.style.bold(clean(p.Name)))
			for _, r := range p.Roots {
				label := ""
				if r.Name != "" {
					label = "@" + r.Name + "/  "
				}
				v.printf("  %s%s\n", clean(label), clean(r.Path))
			}
		})
	}))
}

func (v *invocation) stopCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stop",
		Short: "Quit Search MCP; editors can start nothing until you or a newly started editor do",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := v.connect(cmd.Context(), false, nil)
			if errors.Is(err, ipc.ErrNotListening) {
				return v.done("Search MCP is not running.", nil)
			}
			if err != nil {
				return err
			}
			defer c.Close()
			if err := c.StopApp(cmd.Context()); err != nil && !errors.Is(err, client.ErrClosed) {
				return err
			}
			select {
			case <-c.Done():
			case <-cmd.Context().Done():
				return context.Cause(cmd.Context())
			}
			return v.done("Search MCP has been quit.", awaitStop(cmd.Context()))
		},
	}
}

// How long stop waits for the app to finish what it writes after it has hung up, and how often it looks.
const (
	stopTimeout = 15 * time.Second // the app ends within 10
	stopPoll    = 50 * time.Millisecond
)

// awaitStop waits until no app holds the data folder: only then may a person copy, move or replace what is in it.
func awaitStop(ctx context.Context) error {
	dir, err := ipc.DataDir()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	look := time.NewTicker(stopPoll)
	defer look.Stop()
	for {
		holder, held, err := ipc.Held(dir)
		if err != nil || !held {
			return err
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return fmt.Errorf("wait for the end of process %d: %w", holder.PID, context.Cause(ctx))
		}
	}
}
