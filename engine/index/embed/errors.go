package embed

import "errors"

// What went wrong, for errors.Is. With any of these an application goes on by text search alone.
var (
	// ErrLibrary: ONNX Runtime is missing, does not load or is too old.
	ErrLibrary = errors.New("embedding library unavailable")
	// ErrCPU: the processor lacks instructions that the runtime needs.
	ErrCPU = errors.New("processor too old for embeddings")
	// ErrModel: the model is missing, damaged, or does not answer as a model should.
	ErrModel = errors.New("embedding model unavailable")
)
