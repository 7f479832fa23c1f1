// Package embed finds, verifies and downloads the embedding model, and finds ONNX Runtime. It also defines the model's
// input for a chunk. Package onnx runs the model.
//
// The package does not use cgo, and must not import packages for projects, stores or search.
//
// It starts no goroutines. No other lock is acquired while its only lock, File.mu, is held.
package embed
