// Command search-mcp-worker runs the native code of search-mcp-app: parsers, the embedding model and LanceDB.
package main

import (
	"fmt"
	"os"

	"searchmcp/app/version"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/host/worker/serve"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "search-mcp-worker is started by search-mcp-app.")
		os.Exit(2)
	}
	if os.Args[1] == "-version" {
		fmt.Println(version.Version)
		return
	}
	os.Exit(serve.Main(worker.Kind(os.Args[1]), version.Version))
}
