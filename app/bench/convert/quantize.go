package main

import "math"

const (
	// weightLevels limits weights to 7 bits. With 8 bits, the sum of two u8×s8 products overflows the int16 of AVX2
	// and of AVX-512 without VNNI. The vectors would then depend on the processor.
	weightLevels = 63
	// embeddingLevels uses all of int8, because rows of the table are converted to float before they are multiplied.
	embeddingLevels = 127
	// minScale prevents a division by zero for the rows of unused tokens, which contain only zeros.
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

// columns is a quantised weight matrix for ONNX with k rows, n columns and one scale per column.
type columns struct {
	data   []byte
	scales []float32
	k, n   int
}

// quantizeLinear joins linear layers into one matrix. A layer stores a row of k weights per output. ONNX multiplies
// from the left, so each row becomes a column.
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
