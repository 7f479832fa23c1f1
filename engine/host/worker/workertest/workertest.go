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

// Run runs a worker if this process was started as a worker. TestMain must call Run first.
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
