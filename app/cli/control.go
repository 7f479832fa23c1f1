package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// done prints a sentence, or {"status":"success"} as JSON, unless err is set.
func (v *invocation) done(sentence string, err error) error {
	return printAnswer(v, map[string]string{"status": "success", "message": sentence}, err,
		func() { v.printf("%s\n", sentence) })
}

func (v *invocation) pauseCommand() *cobra.Command {
	return v.methodCommand("pause [PROJECT]", "Pause indexing of all projects, or of one", "Paused.", wire.MethodPause)
}

func (v *invocation) resumeCommand() *cobra.Command {
	return v.methodCommand("resume [PROJECT]", "Resume indexing of all projects, or of one", "Resumed.", wire.MethodResume)
}

func (v *invocation) purgeCommand() *cobra.Command {
	return v.methodCommand("purge [PROJECT]", "Remove deleted and changed text of files from disk now",
		"Purged deleted text from the indexes.", wire.MethodPurge)
}

// methodCommand returns a command that calls a method of a project.
func (v *invocation) methodCommand(use, short, sentence string,
	m wire.Method[wire.ProjectRef, wire.Empty]) *cobra.Command {
	return v.withProject(v.asking(&cobra.Command{Use: use, Short: short, Args: cobra.MaximumNArgs(1)},
		func(ctx context.Context, c *client.Client, args []string) error {
			if len(args) == 1 {
				v.project = args[0]
			}
			return v.done(sentence, m.Do(ctx, c, v.ref()))
		}))
}

// ref returns the project of --project.
func (v *invocation) ref() wire.ProjectRef { return wire.ProjectRef{Project: v.projectRef(v.project)} }

func (v *invocation) rootCommand() *cobra.Command {
	name := ""
	add := v.folderCommand("add DIR", "Add a folder to the project", wire.MethodRootAdd, func(ctx context.Context,
		c *client.Client, r *wire.RootChange) (err error) {
		if r.Dir, err = folder(r.Dir); err != nil {
			return err
		}
		r.Name = name
		return v.askRoot(ctx, c, r.Dir)
	})
	add.Flags().StringVar(&name, "name", "", "name of the folder in paths, @name/ (default: its own)")
	v.withYes(add)
	remove := v.folderCommand("remove DIR", "Remove a folder from the project", wire.MethodRootDel,
		func(context.Context, *client.Client, *wire.RootChange) error { return nil })
	return v.group("root", "Add folders to a project or remove them", add, remove)
}

// oneLine prevents a name from adding lines to a question.
func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "·") }

// askRoot asks whether another folder may be read, like the question for a new project.
func (v *invocation) askRoot(ctx context.Context, c *client.Client, dir string) error {
	if v.yes {
		return nil
	}
	if !v.terminal {
		return errUnasked
	}
	p, err := wire.MethodPreview.Call(ctx, c, wire.ProjectRef{Project: dir})
	if err != nil {
		return err
	}
	text := fmt.Sprintf(
		"Add %s to the project? Its files are read on this computer only and nothing is sent anywhere.\nFiles to be read: %s",
		oneLine(dir), api.Thousands(p.Files))
	for _, w := range p.Warnings {
		text += "\n" + oneLine(w)
	}
	fmt.Fprintf(v.Err, "%s\n\n", clean(text))
	return v.sure(ctx)
}

// folderCommand returns a command that changes the project's folders if before succeeds.
func (v *invocation) folderCommand(use, short string, m wire.Method[wire.RootChange, api.Project],
	before func(context.Context, *client.Client, *wire.RootChange) error) *cobra.Command {
	return v.withProject(v.askingOf(&cobra.Command{Use: use, Short: short}, func(ctx context.Context, c *client.Client,
		dir string) error {
		r := wire.RootChange{Dir: dir}
		if err := before(ctx, c, &r); err != nil {
			return err
		}
		p, err := m.Call(ctx, c, r)
		return printAnswer(v, p, err, func() {
			v.printf("%s\n", v.style.Bold(clean(p.Name)))
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
	return v.withYes(&cobra.Command{
		Use:   "stop",
		Short: "Quit Search MCP (the next editor you open starts it again)",
		Long: "Quit Search MCP; the next editor you open starts it again. If the app does not respond, the command asks " +
			"whether to end its process.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := v.quit(cmd.Context())
			switch {
			case errors.Is(err, ipc.ErrNotListening):
				return v.done("Search MCP is not running.", nil)
			case errors.Is(err, context.DeadlineExceeded) && cmd.Context().Err() == nil:
				err = v.kill(cmd.Context())
			}
			if err != nil {
				return err
			}
			return v.done("Search MCP has been quit.", awaitStop(cmd.Context()))
		},
	})
}

// quit asks the app to end and waits for it to disconnect. If the app does not respond, the error is
// context.DeadlineExceeded.
func (v *invocation) quit(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	c, err := v.connect(ctx, false, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := wire.MethodQuit.Do(ctx, c, wire.Empty{}); err != nil && !errors.Is(err, client.ErrClosed) {
		return err
	}
	select {
	case <-c.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// kill ends the process of an unresponsive app after the user agrees. The app's commits are kept.
func (v *invocation) kill(ctx context.Context) error {
	dir, err := ipc.DataDir()
	if err != nil {
		return err
	}
	holder, held, err := ipc.Held(dir)
	if err != nil || !held {
		return err
	}
	if name := ipc.Program(holder.PID); !strings.HasPrefix(name, client.AppName) {
		return fmt.Errorf("process %d, which app.json names, is %q and not %s", holder.PID, name, client.AppName)
	}
	if !v.yes {
		if !v.terminal {
			return errUnasked
		}
		fmt.Fprintf(v.Err, "Search MCP does not respond. Its process, %d, can be ended; indexes stay whole.\n", holder.PID)
		if err := v.sure(ctx); err != nil {
			return err
		}
	}
	p, err := os.FindProcess(holder.PID)
	if err != nil {
		return fmt.Errorf("find process %d: %w", holder.PID, err)
	}
	if err := errors.Join(p.Kill(), ipc.MarkQuit(dir)); err != nil {
		return fmt.Errorf("end process %d: %w", holder.PID, err)
	}
	return nil
}

// Timeout and interval of stop's wait for the app to finish its writes after it has disconnected.
const (
	stopTimeout = 15 * time.Second // the app ends within 10 s
	stopPoll    = 50 * time.Millisecond
)

// awaitStop waits until no app has locked the data folder: only then may the user copy, move or replace its files.
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
