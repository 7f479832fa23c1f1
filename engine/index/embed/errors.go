package embed

import "errors"

// Without the embedding model, the app continues with text search.
var (
	// ErrLibrary means that ONNX Runtime is missing, does not load or is too old.
	ErrLibrary = errors.New("embedding library unavailable")
	// ErrCPU means that the processor lacks instructions that ONNX Runtime needs.
	ErrCPU = errors.New("processor too old for embeddings")
	// ErrModel means that the model is missing, damaged, or returns invalid output.
	ErrModel = errors.New("embedding model unavailable")
)
