// Package onnx runs the embedding model with ONNX Runtime. Queries have priority over texts of an index. No other
// package imports onnxruntime_go.
//
// Each inference uses one thread and a single text. Batches of texts are slower, because they are padded. In a batch,
// the vector of a text would also depend on the other texts, because they share a quantisation scale.
//
// Texts starts worker goroutines and waits for them. Query runs on the caller's goroutine.
//
// Embedder.mu is locked before runtimeMu. Both are held during the native calls that load the model.
package onnx
