// Package embed describes the embedding model. It defines the model's input for a chunk (Input) and the identity of its
// vectors (ModelHash). It finds, verifies and downloads the model, and finds ONNX Runtime. Package onnx runs the model.
//
// This package does not use C, and must not import packages for projects, stores or search.
//
// It starts no goroutines. No other lock is acquired while its only lock, File.mu, is held.
package embed
