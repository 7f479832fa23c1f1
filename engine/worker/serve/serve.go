// Package serve is the worker's program: native code behind the calls of package worker. With it come tree-sitter, ONNX
// Runtime and LanceDB, so only the program's main and tests import it.
package serve

import (
	"fmt"
	"os"

	"searchmcp/engine/chunk"
	"searchmcp/engine/chunk/treesitter"
	"searchmcp/engine/native"
	"searchmcp/engine/worker"
)

// Main answers calls from standard input until that ends, and returns the exit status. version is what the app compares with its own.
func Main(kind worker.Kind, version string) int {
	s := native.Service{Version: version}
	switch kind {
	case worker.Parse:
		s.Handlers = worker.Cutter(chunk.NewTrees(treesitter.Language))
	default:
		fmt.Fprintf(os.Stderr, "search-mcp-worker: no kind %q: the app starts this program\n", kind)
		return 2
	}
	out, err := output()
	if err == nil {
		err = s.Serve(os.Stdin, out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "search-mcp-worker:", err)
		return 1
	}
	return 0
}
