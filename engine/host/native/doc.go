// Package native runs native code in a process of its own and speaks with it: calls and their answers as frames
// over the process's standard input and output. It owns the frames (frame.go), their contents' coding (code.go), the
// operations' types (op.go), the worker's loop (Serve) and the supervision of a worker from the app (Process): when one
// is started, when it ends, and what a death says.
//
// It must not know what is called: operations are numbers with types that package worker gives them.
//
// A worker's life: the first call starts it, its first frame says its version, a while without calls closes its
// standard input, and with that it ends. It never outlives the app: end of input ends it wherever it is, and Linux
// and Windows kill it with its parent. One that hangs is killed: while a call waits, to be heard or for an answer
// (Options.Silence), or when it does not end.
//
// A death fails every call in flight with *Died, because nobody knows which of them was to blame. Who may ask again
// does so with Alone, beside which no other call runs: a call that kills a worker alone is to blame itself.
//
// # Goroutines
//
// One for each worker reads its answers, one waits for its end on a thread of its own (see start), one reads its
// standard error, one waits for a late end, one tells it of each call that was given up. All end with the process;
// Close waits for all but the last two. Serve starts one for each call.
//
// # Locks
//
// Process.turn (shared by calls, exclusive for Alone) is taken before Process.mu. Process.mu and worker.mu are
// leaves, and worker.write is held over one write to the pipe.
package native
