// Package onnx runs the embedding model through ONNX Runtime. It splits identifiers, converts texts to tokens, and
// shares the cores between queries and texts. It is the only importer of onnxruntime_go.
//
// Each text is one inference on one thread. Batches are slower, because texts are padded. In a batch, activations are
// also quantised with one scale per tensor, so a vector would depend on the other texts and could not be cached.
//
// Texts starts worker goroutines and waits for them. Query runs on the caller's goroutine.
//
// gate.mu (slots), session.mu (free runners) and batch.mu (the callback of Texts) are leaves and are never held during
// native calls. Embedder.mu and then runtimeMu are locked while the model and the library are loaded.
package onnx
