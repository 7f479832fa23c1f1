// Package onnx runs the embedding model. It loads the model through ONNX Runtime, splits identifiers, tokenises, and
// shares the cores between queries and texts. It is the sole importer of onnxruntime_go.
//
// Each text is one inference on one thread. This is faster than batches, because it needs no padded tokens. In a batch,
// activations are quantised with one scale per tensor, so a vector would depend on the other texts and could not be
// cached.
//
// Texts starts worker goroutines and waits for them. Query runs on the caller's goroutine.
//
// All locks are leaves: gate.mu (slots), session.mu (free runners), and batch.mu (the callback of Texts). They are not
// locked over native calls, except Embedder.mu and runtimeMu while the model and the library are loaded.
package onnx
