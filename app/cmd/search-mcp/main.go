// Command search-mcp is the command line of Search MCP and the stdio bridge for editors. It passes the standard streams
// to app/cli.
package main

import (
	"context"
	"os"

	"searchmcp/app/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), cli.Env{
		Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
	}))
}
