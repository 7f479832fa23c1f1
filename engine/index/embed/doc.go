// Package embed holds what is to be known of the embedding model without running it: what the model sees of a chunk
// (Input), which vectors may be compared (ModelHash), and where model and library are found, checked and downloaded
// from. Package onnx runs it, in the worker. Here is no C.
//
// It must not know projects, files to index, stores or how vectors are used.
//
// Goroutines: none. Locks: File.mu, a leaf.
package embed
