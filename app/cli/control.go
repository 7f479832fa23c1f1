package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"searchmcp/app/cli/term"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
	"searchmcp/app/version"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

func (v *invocation) done(sentence string, err error) error {
	return printAnswer(v, map[string]string{"status": "success", "message": sentence}, err,
		func() { v.printf("%s\n", translations.Sentence(language, sentence)) })
}

func (v *invocation) projectCommand(use, short string, text translations.Text,
	m wire.Method[wire.ProjectRef, wire.Empty]) *cobra.Command {
	cmd := v.connected(use, short,
		func(ctx context.Context, c *client.Client, args []string) error {
			if len(args) == 1 {
				if err := v.argued(args[0]); err != nil {
					return err
				}
			}
			of := say("all projects")
			if v.project != "" {
				of = clean(v.project)
			}
			return v.done(say(text, of), m.Do(ctx, c, v.ref()))
		})
	cmd.Flags().StringVar(&v.project, "project", "", "folder or name of the project (default: all projects)")
	return cmd
}

func (v *invocation) ref() wire.ProjectRef { return wire.ProjectRef{Project: v.projectRef(v.project)} }

func (v *invocation) rootCommand() *cobra.Command {
	name := ""
	add := v.connected("add DIR", "Add a folder to the project",
		func(ctx context.Context, c *client.Client, args []string) error {
			dir, err := folder(args[0])
			if err != nil {
				return err
			}
			if err := v.askRoot(ctx, c, dir); err != nil {
				return err
			}
			p, err := wire.MethodRootAdd.Call(ctx, c, wire.RootChange{Dir: dir, Name: name})
			return printAnswer(v, p, err, func() { v.printRoots(p) })
		})
	add.Flags().StringVar(&name, "name", "", "name of the folder in paths, @name/ (default: the folder's own name)")
	remove := methodCommand(v, "remove DIR|NAME", "Remove a folder from the project", wire.MethodRootDel,
		func(args []string) (wire.RootChange, error) {
			ref := v.projectRef(strings.TrimRight(args[0], "/"))
			return wire.RootChange{Dir: strings.TrimPrefix(ref, "@")}, nil
		}, v.printRoots)
	return v.group("root", "Add folders to a project or remove them", v.withYes(v.withProject(add)), v.withProject(remove))
}

func (v *invocation) printRoots(p api.Project) {
	v.printf("%s\n", v.style.Bold(clean(p.Name)))
	for _, r := range p.Roots {
		label := ""
		if r.Name != "" {
			label = "@" + r.Name + "/  "
		}
		v.printf("  %s%s\n", clean(label), clean(r.Path))
	}
}

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
	text := say(
		"Add %s to the project? Its files are read on this computer only and nothing is sent anywhere.\nFiles to be read: %s",
		term.OneLine(dir), thousands(p.Files))
	for _, w := range p.Warnings {
		text += "\n" + term.OneLine(sentence(w))
	}
	fmt.Fprintf(v.Err, "%s\n\n", clean(text))
	return v.agree(ctx)
}

func (v *invocation) paletteCommand() *cobra.Command {
	const short = "Open the search field above all windows"
	cmd := v.connected("palette", short, func(ctx context.Context, c *client.Client, _ []string) error {
		return wire.MethodShow.Do(ctx, c, wire.Show{Page: wire.PagePalette})
	})
	cmd.Long = short + ". Results from all projects open in your editor. " +
		"To open it with a key, assign a shortcut to this command in your desktop's keyboard settings."
	return cmd
}

func (v *invocation) logsCommand() *cobra.Command {
	q := wire.LogQuery{}
	cmd := methodCommand(v, "logs", "Show the end of the app's log, or of a project's log with --project", wire.MethodLogs,
		func([]string) (wire.LogQuery, error) {
			q.Project = v.projectRef(v.project)
			if q.Lines < 1 {
				return q, api.ErrArgument("lines", "a number above 0")
			}
			return q, nil
		}, func(lines []string) {
			for _, line := range lines {
				v.printf("%s\n", clean(line))
			}
		})
	cmd.Flags().IntVarP(&q.Lines, "lines", "n", 100, "number of lines")
	cmd.Flags().StringVar(&q.Level, "level", "", "lowest level to show: debug, info, warn or error")
	cmd.Flags().StringVar(&v.project, "project", "", "folder or name of a project (default: the log of the app)")
	return cmd
}

func (v *invocation) versionCommand() *cobra.Command {
	const short = "Print the versions of this program and of the running app"
	return command("version", short, func(ctx context.Context, _ []string) error {
		app := ""
		c, err := v.connect(ctx, false, nil)
		switch {
		case err == nil:
			app = c.Welcome().Version
			c.Close()
		case !errors.Is(err, ipc.ErrNotListening):
			return err
		}
		platform := runtime.GOOS + "/" + runtime.GOARCH
		answer := map[string]any{"version": version.Version, "app": app, "go": runtime.Version(), "platform": platform}
		return printAnswer(v, answer, nil, func() {
			v.printf("search-mcp %s (%s, %s)\n", version.Version, platform, runtime.Version())
			if app != "" && app != version.Version {
				v.printf("%s\n", say("running app: %s", app))
			}
		})
	})
}

func (v *invocation) stopCommand() *cobra.Command {
	const short = "Quit Search MCP; the next editor you open starts it again"
	cmd := command("stop", short, func(ctx context.Context, _ []string) error {
		err := v.quit(ctx)
		switch {
		case errors.Is(err, ipc.ErrNotListening):
			return v.done("Search MCP is not running.", nil)
		case errors.Is(err, client.ErrHung):
			if err = v.kill(ctx); err == nil {
				err = awaitStop(ctx)
			}
		}
		return v.done("Search MCP has been quit.", err)
	})
	cmd.Long = short + ". If the app does not respond, the command asks whether to end its process."
	return v.withYes(cmd)
}

// quit asks the app to exit. It returns client.ErrHung if that takes too long.
func (v *invocation) quit(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, stopTimeout, client.ErrHung)
	defer cancel()
	c, err := v.connect(ctx, false, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := wire.MethodQuit.Do(ctx, c, wire.Empty{}); err != nil && !errors.Is(err, client.ErrClosed) {
		return err
	}
	return awaitStop(ctx)
}

func (v *invocation) kill(ctx context.Context) error {
	dir, err := ipc.DataDir()
	if err != nil {
		return err
	}
	owner, locked, err := ipc.Locked(dir)
	if err != nil || !locked {
		return err
	}
	if name := ipc.Program(owner.PID); !strings.HasPrefix(name, client.AppName) {
		return fmt.Errorf("app.json names process %d, but that process is %q, not %s", owner.PID, name, client.AppName)
	}
	if !v.yes {
		fmt.Fprintln(v.Err, say("Search MCP does not respond. You can kill its process, %d, without damage to the indexes.",
			owner.PID))
		if err := v.agree(ctx); err != nil {
			return err
		}
	}
	p, err := os.FindProcess(owner.PID)
	if err != nil {
		return fmt.Errorf("find process %d: %w", owner.PID, err)
	}
	if err := errors.Join(p.Kill(), ipc.Quit.Set(dir)); err != nil {
		return fmt.Errorf("end process %d: %w", owner.PID, err)
	}
	return nil
}

const (
	stopTimeout = 15 * time.Second // longer than the app's own limit of 9 s
	stopPoll    = 50 * time.Millisecond
)

// awaitStop waits until the data folder is unlocked. Before that, the user should not move the folder.
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
		owner, locked, err := ipc.Locked(dir)
		if err != nil || !locked {
			return err
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return fmt.Errorf("wait for process %d to exit: %w", owner.PID, context.Cause(ctx))
		}
	}
}
