package main

import (
	"fmt"
	"slices"
)

// Parameters of all-MiniLM-L6-v2, from its config.json.
const (
	hidden       = 384
	intermediate = 1536
	heads        = 12
	layers       = 6
	vocabulary   = 30522
	positions    = 512
	tokenTypes   = 2
	layerNormEps = 1e-12
)

// builder converts weights to nodes and stores the first error.
type builder struct {
	graph
	weights weights
	err     error
}

// tensor returns a tensor. If it is missing or has another shape, tensor sets b.err and returns zeros.
func (b *builder) tensor(name string, shape ...int) matrix {
	m, err := b.weights.get(name, shape...)
	if err != nil {
		if b.err == nil {
			b.err = err
		}
		size := 1
		for _, d := range shape {
			size *= d
		}
		return matrix{shape, make([]float32, size)}
	}
	return m
}

// encoder returns the ONNX file. Its inputs are input_ids and attention_mask (int32 [b,s]), and its output is
// embedding (float [b,384], of unit length).
func encoder(w weights) ([]byte, error) {
	b := &builder{weights: w}
	x := b.embeddings()
	for l := range layers {
		x = b.layer(l, x)
	}
	b.pool(x)
	if b.err != nil {
		return nil, b.err
	}
	return b.model("all-MiniLM-L6-v2",
		[]message{value("input_ids", typeInt32, "b", "s"), value("attention_mask", typeInt32, "b", "s")},
		[]message{value("embedding", typeFloat, "b", hidden)}), nil
}

// norm adds the two constants of a layer normalisation.
func (b *builder) norm(prefix string) (gamma, beta string) {
	return b.floats(prefix+".g", b.tensor(prefix+".weight", hidden).data, hidden),
		b.floats(prefix+".b", b.tensor(prefix+".bias", hidden).data, hidden)
}

// embeddings adds the nodes that look tokens up in an int8 table, add the vectors of their positions, and normalise.
// Every token has type 0, so the vectors of positions include the vector of this type.
func (b *builder) embeddings() string {
	words := b.tensor("embeddings.word_embeddings.weight", vocabulary, hidden)
	types := b.tensor("embeddings.token_type_embeddings.weight", tokenTypes, hidden)
	place := slices.Clone(b.tensor("embeddings.position_embeddings.weight", positions, hidden).data)
	for i := range place {
		place[i] += types.data[i%hidden]
	}
	rows, scales := quantizeRows(words)
	b.node("Gather", []string{b.constant("word_emb_q", typeInt8, rows, vocabulary, hidden), "input_ids"},
		[]string{"we_q"}, attrs{"axis": 0})
	b.node("Gather", []string{b.floats("word_emb_s", scales, vocabulary, 1), "input_ids"},
		[]string{"we_s"}, attrs{"axis": 0})
	b.node("Cast", []string{"we_q"}, []string{"we_f"}, attrs{"to": typeFloat})
	b.node("Mul", []string{"we_f", "we_s"}, []string{"we_x"}, nil)
	b.node("Shape", []string{"input_ids"}, []string{"shp"}, nil)
	b.node("Slice", []string{"shp", b.ints("c1", 1), b.ints("c2", 2)}, []string{"slen"}, nil)
	b.node("Slice", []string{b.floats("pos_emb", place, positions, hidden), b.ints("c0", 0), "slen"},
		[]string{"pos_s"}, nil)
	b.node("Add", []string{"we_x", "pos_s"}, []string{"emb_sum"}, nil)
	gamma, beta := b.norm("embeddings.LayerNorm")
	return b.node("LayerNormalization", []string{"emb_sum", gamma, beta}, []string{"emb_out"},
		attrs{"axis": -1, "epsilon": float32(layerNormEps)})
}

// linear multiplies the tensor x by a layer's quantised weights. It returns the bias for the next operator, which
// adds it.
func (b *builder) linear(x, layer, name string, inputs, outputs int) (product, bias string) {
	q := quantizeLinear(b.tensor(layer+".weight", outputs, inputs))
	product = b.fused("DynamicQuantizeMatMul",
		[]string{x, b.constant(name+".wq", typeInt8, q.data, q.k, q.n), b.floats(name+".ws", q.scales, q.n)},
		[]string{name + "_mm"}, nil)
	return product, b.floats(name+".b", b.tensor(layer+".bias", outputs).data, outputs)
}

// attention adds a self-attention in one operator of ONNX Runtime, with query, key and value as one quantised matrix.
func (b *builder) attention(x, layer, name string) string {
	var parts []matrix
	var bias []float32
	for _, p := range []string{"query", "key", "value"} {
		parts = append(parts, b.tensor(layer+"attention.self."+p+".weight", hidden, hidden))
		bias = append(bias, b.tensor(layer+"attention.self."+p+".bias", hidden).data...)
	}
	q := quantizeLinear(parts...)
	b.node("DynamicQuantizeLinear", []string{x}, []string{name + "_xq", name + "_xs", name + "_xz"}, nil)
	return b.fused("QAttention", []string{
		name + "_xq", b.constant(name+".qkv.wq", typeInt8, q.data, q.k, q.n), b.floats(name+".qkv.b", bias, q.n),
		name + "_xs", b.floats(name+".qkv.ws", q.scales, q.n), "attention_mask",
		name + "_xz", b.constant(name+".qkv.wz", typeInt8, make([]byte, q.n), q.n),
	}, []string{name + "_att"}, attrs{"num_heads": heads})
}

// layer adds a transformer block: attention and feed-forward, each with residual and normalisation.
func (b *builder) layer(l int, x string) string {
	layer, name := fmt.Sprintf("encoder.layer.%d.", l), fmt.Sprintf("l%d", l)
	residual := func(product, skip, bias, norm, out string) string {
		gamma, beta := b.norm(norm)
		return b.fused("SkipLayerNormalization", []string{product, skip, gamma, beta, bias}, []string{out},
			attrs{"epsilon": float32(layerNormEps)})
	}
	product, bias := b.linear(b.attention(x, layer, name), layer+"attention.output.dense", name+".o", hidden, hidden)
	mid := residual(product, x, bias, layer+"attention.output.LayerNorm", name+"_ln1")
	product, bias = b.linear(mid, layer+"intermediate.dense", name+".i", hidden, intermediate)
	act := b.fused("BiasGelu", []string{product, bias}, []string{name + "_gelu"}, nil)
	product, bias = b.linear(act, layer+"output.dense", name+".f", intermediate, hidden)
	return residual(product, mid, bias, layer+"output.LayerNorm", name+"_ln2")
}

// pool sums the vectors of the tokens in the mask and scales the sum to unit length, which gives the same result as
// their mean.
func (b *builder) pool(x string) {
	b.node("Cast", []string{"attention_mask"}, []string{"mf"}, attrs{"to": typeFloat})
	b.node("Unsqueeze", []string{"mf", b.ints("ax1", 1)}, []string{"mf3"}, nil)
	b.node("MatMul", []string{"mf3", x}, []string{"sum3"}, nil)
	b.node("Squeeze", []string{"sum3", "ax1"}, []string{"sum2"}, nil)
	b.node("LpNormalization", []string{"sum2"}, []string{"embedding"}, attrs{"axis": -1, "p": 2})
}
