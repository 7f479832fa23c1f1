// Command search-mcp-app is the resident app of Search MCP. It owns the indexes, keeps them up to date, and serves
// editors, the window and the command line over a local socket.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"searchmcp/app"
	"searchmcp/app/desktop"
	"searchmcp/app/desktop/login"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/version"
)

// restartedFlag is passed by an app that restarts itself. Without this flag, a second start opens the window.
const restartedFlag = "restarted"

func main() {
	detach := flag.Bool(strings.TrimPrefix(client.DetachFlag, "-"), false,
		"start detached in the background, and return once it serves")
	data := flag.String("data", "", "data folder (default: $SEARCH_MCP_HOME, else ~/.mcp/search)")
	quiet := flag.Bool(strings.TrimPrefix(login.QuietFlag, "-"), false,
		"print nothing and open no window; used at login and by editors")
	verbose := flag.Bool("verbose", false, "log at debug level, to the standard error too")
	showVersion := flag.Bool("version", false, "print the version and exit")
	restarted := flag.Bool(restartedFlag, false, "started by the app itself, after its program was replaced")
	flag.Parse()
	if *showVersion {
		fmt.Println("search-mcp-app", version.Version)
		return
	}
	if *detach {
		os.Exit(startInBackground(*data, *verbose))
	}
	err := app.Run(context.Background(), app.Options{Data: *data, Verbose: *verbose,
		Greet: !*quiet && !*restarted})
	switch {
	case errors.Is(err, app.ErrReplaced):
		args := []string{"-" + restartedFlag, "-data", *data, fmt.Sprintf("-verbose=%t", *verbose)}
		if err := app.Restart(args); err != nil {
			fmt.Fprintln(os.Stderr, "search-mcp-app:", err)
			os.Exit(1)
		}
	case errors.Is(err, app.ErrRunning) && *restarted: // another process has already started the app
	case errors.Is(err, app.ErrRunning):
		fmt.Println("Search MCP is already running. Opening its window.")
		if err := desktop.ShowWindow(*data); err != nil {
			fmt.Fprintln(os.Stderr, "search-mcp-app:", err)
		}
		os.Exit(0) // the app is running
	case err != nil:
		fmt.Fprintln(os.Stderr, "search-mcp-app:", err)
		os.Exit(1)
	}
}

func startInBackground(data string, verbose bool) (exit int) {
	args := []string{"-data", data, fmt.Sprintf("-verbose=%t", verbose), login.QuietFlag}
	self, err := os.Executable()
	if err == nil && data == "" {
		args = args[2:] // drop -data, which is in the environment
		data, err = ipc.DataDir()
	}
	if err == nil {
		exit, err = client.Detach(context.Background(), data, self, args...)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "search-mcp-app:", err)
		return 1
	}
	return exit
}
