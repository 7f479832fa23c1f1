package main

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// ONNX element types (TensorProto.DataType).
const (
	typeFloat = 1
	typeInt8  = 3
	typeInt32 = 6
	typeInt64 = 7
)

// Field numbers of onnx.proto, by message.
const (
	modelIR, modelProducer, modelGraph, modelOpset                        = 1, 2, 7, 8
	opsetDomain, opsetVersion                                             = 1, 2
	graphNode, graphName, graphInitializer, graphInput, graphOutput       = 1, 2, 5, 11, 12
	nodeInput, nodeOutput, nodeName, nodeOp, nodeAttribute, nodeDom       = 1, 2, 3, 4, 5, 7
	attrName, attrFloat, attrInt, attrType                                = 1, 2, 3, 20
	tensorDim, tensorType, tensorName, tensorRaw                          = 1, 2, 8, 9
	valueName, valueType, typeTensor, tensorElem, tensorShape             = 1, 2, 1, 1, 2
	shapeDim, dimValue, dimParam                                          = 1, 1, 2
	attributeFloat, attributeInt                                    int64 = 1, 2
)

const (
	irVersion    = 8  // the oldest version with opset 17
	opsetONNX    = 17 // the first opset with LayerNormalization
	opsetContrib = 1
	contrib      = "com.microsoft" // domain of ONNX Runtime's fused operators
)

// attrs are a node's attributes, whose values are int or float32.
type attrs map[string]any

// graph contains nodes and initializers in the order of their addition.
type graph struct{ nodes, initializers message }

// constant adds an initializer and returns its name.
func (g *graph) constant(name string, typ int64, raw []byte, dims ...int) string {
	var t message
	for _, d := range dims {
		t.varint(tensorDim, int64(d))
	}
	t.varint(tensorType, typ)
	t.string(tensorName, name)
	t.bytes(tensorRaw, raw)
	g.initializers.bytes(graphInitializer, t)
	return name
}

func (g *graph) floats(name string, data []float32, dims ...int) string {
	raw := make([]byte, 0, 4*len(data))
	for _, v := range data {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return g.constant(name, typeFloat, raw, dims...)
}

func (g *graph) ints(name string, data ...int64) string {
	var raw []byte
	for _, v := range data {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return g.constant(name, typeInt64, raw, len(data))
}

// node adds a standard ONNX operator and returns its first output.
func (g *graph) node(op string, in, out []string, a attrs) string { return g.add(op, "", in, out, a) }

// fused adds a fused operator of ONNX Runtime and returns its first output.
func (g *graph) fused(op string, in, out []string, a attrs) string {
	return g.add(op, contrib, in, out, a)
}

func (g *graph) add(op, domain string, in, out []string, a attrs) string {
	var n message
	for _, s := range in {
		n.string(nodeInput, s)
	}
	for _, s := range out {
		n.string(nodeOutput, s)
	}
	n.string(nodeName, out[0]+"_n")
	n.string(nodeOp, op)
	for _, name := range slices.Sorted(maps.Keys(a)) {
		var attr message
		attr.string(attrName, name)
		switch v := a[name].(type) {
		case int:
			attr.varint(attrInt, int64(v))
			attr.varint(attrType, attributeInt)
		case float32:
			attr.float(attrFloat, v)
			attr.varint(attrType, attributeFloat)
		}
		n.bytes(nodeAttribute, attr)
	}
	if domain != "" {
		n.string(nodeDom, domain)
	}
	g.nodes.bytes(graphNode, n)
	return out[0]
}

// value describes an input or output. A dimension is an int or the name of a variable dimension.
func value(name string, elem int64, dims ...any) message {
	var shape, tensor, typ, v message
	for _, d := range dims {
		var dim message
		switch d := d.(type) {
		case int:
			dim.varint(dimValue, int64(d))
		case string:
			dim.string(dimParam, d)
		}
		shape.bytes(shapeDim, dim)
	}
	tensor.varint(tensorElem, elem)
	tensor.bytes(tensorShape, shape)
	typ.bytes(typeTensor, tensor)
	v.string(valueName, name)
	v.bytes(valueType, typ)
	return v
}

// model returns an ONNX file with the graph and its inputs and outputs.
func (g *graph) model(name string, inputs, outputs []message) []byte {
	body := slices.Clone(g.nodes)
	body.string(graphName, name)
	body = append(body, g.initializers...)
	for _, v := range inputs {
		body.bytes(graphInput, v)
	}
	for _, v := range outputs {
		body.bytes(graphOutput, v)
	}
	var m message
	m.varint(modelIR, irVersion)
	m.string(modelProducer, "search-mcp convert")
	m.bytes(modelGraph, body)
	for _, set := range []struct {
		domain  string
		version int64
	}{{"", opsetONNX}, {contrib, opsetContrib}} {
		var o message
		o.string(opsetDomain, set.domain)
		o.varint(opsetVersion, set.version)
		m.bytes(modelOpset, o)
	}
	return m
}
