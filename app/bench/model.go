package main

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/index/embed/onnx"
)

// madeUp is an embedding model for projects that are too large for the real model. It generates the vectors of texts:
// one of a thousand topics plus noise. They are about as dense as real vectors. The real model computes the vectors
// of queries, so that searches do the same work as in the product.
type madeUp struct {
	*onnx.Embedder
	topics []api.Vector
}

const (
	topics = 1000
	// noise is the length of the random vector that is added to a topic. With 1, two texts of a topic have a cosine
	// of 0.5.
	noise = 1.0
)

func newMadeUp(ctx context.Context) (*madeUp, error) {
	real, err := onnx.Open(ctx, onnx.Options{})
	if err != nil {
		return nil, err
	}
	m := &madeUp{Embedder: real, topics: make([]api.Vector, topics)}
	r := rand.New(rand.NewPCG(1, 2)) // the same in every run
	for i := range m.topics {
		m.topics[i] = direction(r)
	}
	return m, nil
}

// direction returns a random vector of length 1.
func direction(r *rand.Rand) (v api.Vector) {
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return unit(v)
}

func unit(v api.Vector) api.Vector {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func (m *madeUp) Texts(ctx context.Context, texts []string, each func(i int, v api.Vector)) error {
	for i, s := range texts {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		h := fnv.New64a()
		_, _ = h.Write([]byte(s)) // never fails
		r := rand.New(rand.NewPCG(h.Sum64(), 3))
		v := m.topics[r.IntN(topics)]
		for j, x := range direction(r) {
			v[j] += noise * x
		}
		each(i, unit(v))
	}
	return nil
}

// Loaded implements model.Embedder.
func (m *madeUp) Loaded() bool { return true }

func (m *madeUp) Input(c api.Chunk) string { return embed.Input(c) }

// ModelHash returns a hash that differs from the real model's.
func (m *madeUp) ModelHash() string { return strings.Repeat("0", 64) }
