// Package workertest lets a test program run as its own worker, so that tests can run and kill real workers. Only tests
// and app/bench import it.
package workertest

import (
	"fmt"
	"os"
	"slices"

	"searchmcp/engine/host/worker"
	"searchmcp/engine/host/worker/serve"
)

// Run must be called first in TestMain. It doesn't return if the process is a worker.
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
