// Package workertest has a test program be its own worker, so that tests run and kill real processes, and benchmarks
// measure what was compiled with them. Only tests and app/bench import it.
package workertest

import (
	"fmt"
	"os"
	"slices"

	"searchmcp/engine/host/worker"
	"searchmcp/engine/host/worker/serve"
)

// Run is called first in TestMain. In a process that was started as a worker it does not return; in others it names
// this program as the worker's, whose version is "".
func Run() {
	if len(os.Args) == 2 {
		if kind := worker.Kind(os.Args[1]); slices.Contains(worker.Kinds, kind) {
			os.Exit(serve.Main(kind, ""))
		}
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Setenv(worker.ProgramEnv, self)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "find this program:", err)
		os.Exit(1)
	}
}
