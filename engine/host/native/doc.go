// Package native runs native code in a separate process and communicates with it: calls and answers are frames on the
// standard input and output of that process. It owns the frames (frame.go), the encoding of their contents (code.go),
// the operations' types (op.go), the worker's loop (Serve) and the supervision of a worker by the app (Process):
// starting, ending, and interpreting deaths.
//
// It must not know the operations, which are numbers with types that package worker assigns.
//
// The first call starts a worker, whose first frame reports its version. After an idle time its standard input is
// closed, which makes it exit. It never outlives the app, because it exits at the end of its input, and Linux and
// Windows kill it with its parent. A worker is killed if it does not respond to a call (Options.Silence) or does not
// exit.
//
// A death fails every call in flight with *Died, because the call that caused it is unknown. Callers may retry with
// Alone, during which no other call runs. A call that kills a worker then is the cause.
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
