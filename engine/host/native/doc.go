// Package native runs native code in a separate process, a worker. The app and the worker exchange frames on the
// worker's standard input and output (frame.go, code.go, op.go). Process is the app's side, which starts and stops a
// worker. Service.Serve runs in the worker.
//
// It must not depend on the operations, which are numbers. Package worker defines them.
//
// The first call starts a worker. Process closes a worker's standard input to stop it, and kills it if it does not exit
// or does not respond to a call (Options.Silence). No worker outlives the app, because a worker exits at the end of its
// input. Linux and Windows also kill it.
//
// When a worker dies, every call in flight fails with *CrashError, because any of them may be the cause. Callers may
// retry with Alone, during which no other call runs. If the worker dies again, the retried call is the cause.
//
// # Goroutines
//
// Each worker has three goroutines. One reads its answers, one reads its standard error, and one waits for its exit on
// a dedicated thread (see start). Close waits for them. Short goroutines stop a worker's shutdown timer or send a
// cancellation. Serve starts one goroutine for each call.
//
// # Locks
//
// Process.turn is locked before Process.mu. Call acquires a part of Process.turn, and Alone acquires all parts. No lock
// is acquired while Process.mu or worker.mu is locked. worker.write is locked while a frame is written to the pipe.
package native
