// Package workertest makes a test program its own worker, so that tests run and kill real processes. Only tests and
// app/bench import it.
package workertest

import (
	"fmt"
	"os"
	"slices"

	"searchmcp/engine/host/worker"
	"searchmcp/engine/host/worker/serve"
)

// Run must be called first in TestMain. It does not return in a worker process.
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
