// Command search-mcp-app is the resident part of Search MCP: it owns the indexes, keeps them fresh and serves editors,
// window and command line on a local socket.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"searchmcp/app"
	"searchmcp/app/version"
)

func main() {
	data := flag.String("data", "", "data folder (default: $SEARCH_MCP_HOME, else ~/.mcp/search)")
	verbose := flag.Bool("verbose", false, "log at debug level, to the standard error too")
	showVersion := flag.Bool("version", false, "print the version and exit")
	flag.Parse()
	if *showVersion {
		fmt.Println("search-mcp-app", version.Version)
		return
	}
	err := app.Run(context.Background(), app.Options{Data: *data, Verbose: *verbose})
	switch {
	case errors.Is(err, app.ErrRunning):
		fmt.Fprintln(os.Stderr, err)
		if err := app.ShowWindow(*data); err != nil { // a person who starts the app again wants to see it
			fmt.Fprintln(os.Stderr, "search-mcp-app:", err)
		}
		os.Exit(0) // the wish, a running app, is fulfilled
	case err != nil:
		fmt.Fprintln(os.Stderr, "search-mcp-app:", err)
		os.Exit(1)
	}
}
