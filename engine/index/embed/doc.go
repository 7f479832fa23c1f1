// Package embed describes the embedding model without running it: its input for a chunk (Input), the compatibility
// of vectors (ModelHash), and how model and library are located, verified and downloaded. Package onnx runs the
// model, in the worker. This package does not use C.
//
// It must not know projects, files to index, stores or the use of vectors.
//
// Goroutines: none. Locks: File.mu, a leaf.
package embed
