package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"searchmcp/app/cli/bridge"
	"searchmcp/app/socket/ipc"
)

const sessionDocs = "."

func (v *invocation) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Connect an editor: speak MCP over stdin and stdout (editors run this)",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 { // cobra accepts only --docs=DIR; this handles --docs DIR
				if v.docs != sessionDocs {
					v.ran = false
					return errors.New(say("unexpected argument %q", args[0]))
				}
				v.docs = args[0]
			}
			return v.bridge(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&v.docs, "docs", "",
		"serve the documents of this folder (without a value: the session's folder)")
	cmd.Flags().Lookup("docs").NoOptDefVal = sessionDocs
	cmd.Flags().StringVar(&v.data, "data", "", "data folder (default: $SEARCH_MCP_HOME, else ~/.mcp/search)")
	return v.withProject(cmd)
}

func (v *invocation) bridge(ctx context.Context) error {
	began := time.Now()
	log := slog.New(slog.NewTextHandler(v.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if v.data != "" {
		if err := os.Setenv(ipc.DataEnv, v.data); err != nil {
			return fmt.Errorf("--data: %w", err)
		}
	}
	dir, err := ipc.DataDir()
	if err != nil {
		return err
	}
	hello := v.hello()
	hello.ClaudeProjectDir = os.Getenv("CLAUDE_PROJECT_DIR")
	if v.docs == sessionDocs && hello.ClaudeProjectDir != "" {
		hello.Docs = hello.ClaudeProjectDir
	}
	if info, err := os.Stat(hello.Docs); hello.Docs != "" && (err != nil || !info.IsDir()) {
		log.Warn("--docs is not a folder; search_documents reports this too", "folder", hello.Docs, "err", err)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	ignoreBrokenPipe()
	ctx, parentGone := context.WithCancel(ctx)
	defer parentGone()
	go watchParent(ctx, parentGone)
	// Remove the display of this session, because all sessions share the app.
	for _, name := range []string{"SEARCH_MCP_DESKTOP", "DISPLAY", "WAYLAND_DISPLAY"} {
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}
	err = bridge.Run(ctx, bridge.Options{
		In: v.In, Out: v.Out, Hello: hello, Log: log,
		Dial: func(ctx context.Context, start bool) (net.Conn, error) {
			launcher := v.Launcher
			if !start {
				launcher = nil
			}
			return launcher.Dial(ctx, dir)
		},
		Quit: func() bool { return ipc.Quit.Since(dir, began) },
	})
	if errors.Is(err, bridge.ErrEditorGone) || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
