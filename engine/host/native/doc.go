// Package native runs native code in a separate process, a worker. Calls and answers are frames on the worker's
// standard input and output (frame.go, code.go, op.go). Serve is the worker's loop. Process starts and stops a worker
// and finds the cause of its death.
//
// It must not depend on the operations, which are numbers. Package worker assigns them and their types.
//
// The first call starts a worker, whose first frame contains its version. To stop an idle worker, Process closes its
// standard input. No worker outlives the app: it exits at the end of its input, and Linux and Windows kill it with its
// parent. A worker is killed if it does not respond to a call (Options.Silence) or does not exit.
//
// A worker's death fails every call in flight with *Died, because the call that caused it is unknown. Callers may
// retry with Alone, during which no other call runs. If the worker dies again, that call is the cause.
//
// # Goroutines
//
// For each worker, one goroutine reads its answers, one waits for its exit on a dedicated thread (see start), one
// reads its standard error, one cancels the exit deadline, and one per abandoned call notifies the worker. Close waits
// for all but the last two. Serve starts one goroutine for each call.
//
// # Locks
//
// Process.turn (shared by calls, exclusive for Alone) is locked before Process.mu. Process.mu and worker.mu are
// leaves; worker.write is locked during one write to the pipe.
package native
