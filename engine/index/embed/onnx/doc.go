// Package onnx runs the embedding model: it loads it through ONNX Runtime, splits identifiers, tokenises, and runs
// one inference a text. It is the sole importer of onnxruntime_go, and how the cores are shared between queries and
// texts is its own.
//
// One text is one inference without padding, on one thread. That is both faster here than any batch (no padded tokens)
// and what makes a vector a function of the text alone: activations are quantised with one scale a tensor, so in a
// batch a text's vector would depend on its neighbours, and a cache of vectors would be a lie.
//
// Goroutines: Texts starts its workers and waits for them; Query runs on the caller's. A worker tokenises right
// before it infers: 20 µs before 10 ms, so no stage ever waits for another.
//
// Locks, all leaves: gate.mu (slots), tuner.mu, session.mu (free runners), Texts' own around each; none of them is
// held over a native call. Embedder.mu and runtimeMu are, while model and library are loaded.
package onnx
