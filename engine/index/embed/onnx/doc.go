// Package onnx runs the embedding model with ONNX Runtime. Queries take precedence over the texts of an index. It is
// the only importer of onnxruntime_go.
//
// Each inference runs on one thread, with a single text. In a batch, texts are padded, which is slower. Activations
// would also be quantised with one scale for all texts, so that a vector would depend on the other texts.
//
// Texts starts worker goroutines and waits for them. Query runs on the caller's goroutine.
//
// Embedder.mu is locked before runtimeMu. Only these two are held during native calls, while the model is loaded.
package onnx
