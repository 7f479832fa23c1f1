package main

import (
	"fmt"
	"os"

	"searchmcp/engine/worker"
	"searchmcp/engine/worker/serve"
)

// benchWorker has this program be its own worker, so that what is measured is what was compiled here.
func benchWorker() {
	if len(os.Args) == 2 {
		switch kind := worker.Kind(os.Args[1]); kind {
		case worker.Parse, worker.Embed, worker.Store:
			os.Exit(serve.Main(kind, ""))
		}
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Setenv(worker.ProgramEnv, self)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}
