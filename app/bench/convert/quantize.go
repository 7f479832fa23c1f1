package main

import "math"

const (
	// weightLevels keeps weights within 7 bits. With 8 bits the sum of two u8×s8 products overflows the int16 that
	// AVX2 and AVX-512 without VNNI accumulate in, and such a CPU computes other vectors than a newer one.
	weightLevels = 63
	// embeddingLevels is all of int8: the table is looked up and scaled back to float, never multiplied as integers.
	embeddingLevels = 127
	// minScale keeps an all-zero row of the embedding table (unused tokens) from dividing by zero.
	minScale = 1e-12
)

func maxAbs(v []float32) float32 {
	var m float32
	for _, x := range v {
		m = max(m, float32(math.Abs(float64(x))))
	}
	return m
}

func toInt8(x, scale float32) byte { return byte(int8(math.RoundToEven(float64(x / scale)))) }

// columns is a quantised weight matrix as ONNX wants it: k rows, n columns, one scale per column.
type columns struct {
	data   []byte
	scales []float32
	k, n   int
}

// quantizeLinear puts the given linear layers side by side. A layer stores one row of k weights per output; ONNX
// multiplies from the left, so each row becomes a column.
func quantizeLinear(layers ...matrix) columns {
	c := columns{k: layers[0].shape[1]}
	for _, m := range layers {
		c.n += m.shape[0]
	}
	c.data, c.scales = make([]byte, c.k*c.n), make([]float32, c.n)
	col := 0
	for _, m := range layers {
		for ; len(m.data) > 0; m.data = m.data[c.k:] {
			row := m.data[:c.k]
			scale := maxAbs(row) / weightLevels
			c.scales[col] = scale
			for i, x := range row {
				c.data[i*c.n+col] = toInt8(x, scale)
			}
			col++
		}
	}
	return c
}

// quantizeRows quantises a lookup table with one scale per row.
func quantizeRows(m matrix) (data []byte, scales []float32) {
	rows, width := m.shape[0], m.shape[1]
	data, scales = make([]byte, len(m.data)), make([]float32, rows)
	for r := range rows {
		row := m.data[r*width : (r+1)*width]
		scales[r] = max(maxAbs(row)/embeddingLevels, minScale)
		for i, x := range row {
			data[r*width+i] = toInt8(x, scales[r])
		}
	}
	return data, scales
}
