// Package native runs native code in a separate process and communicates with it: calls and answers are frames on its
// standard input and output. It owns the frames (frame.go), the encoding of their contents (code.go), the operations'
// types (op.go), the worker's loop (Serve) and the supervision of a worker by the app (Process): starting, ending,
// and interpreting deaths.
//
// It must not know the operations: they are numbers with types assigned by package worker.
//
// The first call starts a worker, whose first frame reports its version. After an idle time its standard input is
// closed, which ends it. It never outlives the app: end of input ends it at any time, and Linux and Windows kill it
// with its parent. A worker that hangs is killed: while a call waits for a response (Options.Silence), or if it does
// not end.
//
// A death fails every call in flight with *Died, because the responsible one is unknown. Callers may retry with
// Alone, during which no other call runs: a call that kills a worker then is responsible.
//
// # Goroutines
//
// For each worker, one reads its answers, one waits for its end on a dedicated thread (see start), one reads its
// standard error, one waits for a late end, and one per abandoned call notifies it. All end with the process; Close
// waits for all but the last two. Serve starts one for each call.
//
// # Locks
//
// Process.turn (shared by calls, exclusive for Alone) is locked before Process.mu. Process.mu and worker.mu are
// leaves; worker.write is locked during one write to the pipe.
package native
