// Package embed describes the embedding model without running it. It defines the model's input for a chunk (Input),
// identifies compatible vectors (ModelHash), locates the model and the library, and verifies and downloads the model.
// Package onnx runs the model. This package does not use C.
//
// It must not depend on projects, files to index, stores or the use of vectors.
//
// It starts no goroutines. Its only lock, File.mu, is a leaf.
package embed
