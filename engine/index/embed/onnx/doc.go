// Package onnx runs the embedding model: it loads it through ONNX Runtime, splits identifiers, tokenises, and runs
// one inference a text. It is the sole importer of onnxruntime_go, and shares the cores between queries and texts.
//
// A text is one inference without padding, on one thread. That is faster here than any batch (no padded tokens),
// and makes a vector a function of the text alone: activations are quantised with one scale a tensor, so in a batch
// a vector would depend on the other texts and could not be cached.
//
// Goroutines: Texts starts its workers and waits for them; Query runs on the caller's. A worker tokenises right
// before it infers: 20 µs before 10 ms, so stages need no queue.
//
// Locks, all leaves: gate.mu (slots), tuner.mu, session.mu (free runners), Texts' own around each; none is locked
// over a native call. Embedder.mu and runtimeMu are, while model and library are loaded.
package onnx
