// Package embed turns text into vectors: it finds and checks the model, loads it through ONNX Runtime, splits
// identifiers, tokenises, and runs one inference a text. It is the sole importer of onnxruntime_go.
//
// It owns the runtime, the session and the model's files; what the model sees of a chunk (Input); and how the cores are
// shared between queries and texts. It must not know projects, files to index, stores or how vectors are used.
//
// One text is one inference without padding, on one thread. That is both faster here than any batch (no padded tokens)
// and what makes a vector a function of the text alone: activations are quantised with one scale a tensor, so in a
// batch a text's vector would depend on its neighbours, and a cache of vectors would be a lie.
//
// Goroutines: Texts starts its workers and waits for them; Query runs on the caller's; an idle timer frees the session.
// A worker tokenises right before it infers: 20 µs before 10 ms, so no stage ever waits for another.
//
// Locks, all leaves, none held over a native call: lifetime.mu (session and its users), gate.mu (slots), tuner.mu,
// session.mu (free runners), Texts' own around each. The exception is runtimeMu, which makes initialising the library a
// single act of the process.
package embed
