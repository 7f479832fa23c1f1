package sketch

import (
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"math"
	"math/bits"

	"searchmcp/engine/api"
)

const (
	words = api.VectorDim / 64
	// planes is the number of bits per component of a query. In a hundred queries, 4 bits had the same recall as
	// float32 (RaBitQ, section 3.3).
	planes = 4
)

type row struct {
	code   [words]uint64 // bit i is set if component i is positive
	factor float32       // scales the estimate of an inner product
	ones   uint16        // bits set in code
	mark   uint16        // bit 0 is set if the row was removed
	path   uint32        // hash of the path
}

const (
	bitsSize  = 64
	codesSize = 448
	maxID     = codesSize - api.VectorDim - 4*4 - 4 - 1
)

const removed = 1

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func newRow(e *Row) row {
	r := row{path: pathHash(e.Path)}
	var absolute, square float64
	for i, x := range e.Vector {
		if x > 0 {
			r.code[i/64] |= 1 << (i % 64)
			r.ones++
		}
		absolute += math.Abs(float64(x))
		square += float64(x) * float64(x)
	}
	if absolute > 0 {
		r.factor = float32(square / absolute)
	}
	return r
}

func pathHash(path string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(path))
	return h.Sum32()
}

// append appends r in the format of the file "bits". The CRC excludes the bit that removeRow sets in the file.
func (r *row) append(b []byte) []byte {
	from := len(b)
	for _, w := range r.code {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(r.factor))
	b = binary.LittleEndian.AppendUint16(b, r.ones)
	b = binary.LittleEndian.AppendUint32(b, r.path)
	b = binary.LittleEndian.AppendUint16(b, r.mark&^removed)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
	if r.mark&removed != 0 {
		b[from+markOffset] |= removed
	}
	return b
}

const markOffset = 8*words + 4 + 2 + 4

// parseRow parses a row of bitsSize bytes. ok is false if its CRC is wrong. parseRow may modify b.
func parseRow(b []byte) (r row, ok bool) {
	gone := uint16(b[markOffset] & removed)
	b[markOffset] &^= removed
	for i := range r.code {
		r.code[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	r.factor = math.Float32frombits(binary.LittleEndian.Uint32(b[8*words:]))
	r.ones = binary.LittleEndian.Uint16(b[8*words+4:])
	r.path = binary.LittleEndian.Uint32(b[8*words+6:])
	r.mark = binary.LittleEndian.Uint16(b[markOffset:]) | gone
	return r, crc32.Checksum(b[:bitsSize-4], castagnoli) == binary.LittleEndian.Uint32(b[bitsSize-4:])
}

// question is a query for comparison with one-bit codes. Each component is rounded to low + level·step.
type question struct {
	plane     [planes][words]uint64 // plane[k] contains bit k of each component's level
	low, step float32
	sum       float32 // sum of the rounded components
}

func newQuestion(v *api.Vector) question {
	low, high := v[0], v[0]
	for _, x := range v {
		low, high = min(low, x), max(high, x)
	}
	q := question{low: low, step: (high - low) / (1<<planes - 1)}
	if q.step == 0 {
		q.step = 1 // all components are equal, so every level is 0
	}
	for i, x := range v {
		level := uint64(math.Round(float64((x - low) / q.step)))
		q.sum += float32(level)*q.step + low
		for k := range q.plane {
			q.plane[k][i/64] |= (level >> k & 1) << (i % 64)
		}
	}
	return q
}

// estimate returns an estimate of the inner product of the query and r.
func (q *question) estimate(r *row) float32 {
	var s0, s1, s2, s3 int
	for w := range words {
		c := r.code[w]
		s0 += bits.OnesCount64(c & q.plane[0][w])
		s1 += bits.OnesCount64(c & q.plane[1][w])
		s2 += bits.OnesCount64(c & q.plane[2][w])
		s3 += bits.OnesCount64(c & q.plane[3][w])
	}
	positive := float32(s0+2*s1+4*s2+8*s3)*q.step + float32(r.ones)*q.low
	return r.factor * (2*positive - q.sum)
}

type detail struct {
	scale      float32
	file       uint32 // offset of the path in the file "names"
	start, end uint32
	id         [maxID + 1]byte // length and bytes; a string would need an allocation
	levels     []byte          // eight-bit code, an int8 per component
}

func (d *detail) rowID() string { return string(d.id[1 : 1+d.id[0]]) }

// appendDetail appends e in the format of the file "codes". e.ID must have at most maxID bytes.
func appendDetail(b []byte, e *Row, file uint32) []byte {
	from := len(b)
	largest := 0.0
	for _, x := range e.Vector {
		largest = max(largest, math.Abs(float64(x)))
	}
	perLevel := 0.0
	if largest > 0 {
		perLevel = math.MaxInt8 / largest
	}
	// The scale makes the inner product of a vector and its own code exact.
	var square, product float64
	var levels [api.VectorDim]byte
	for i, x := range e.Vector {
		level := float64(x) * perLevel
		level = float64(int(level + math.Copysign(0.5, level))) // faster than math.Round
		levels[i] = byte(int8(level))
		square += float64(x) * float64(x)
		product += level * float64(x)
	}
	b = append(b, levels[:]...)
	scale := float32(0)
	if product > 0 {
		scale = float32(square / product)
	}
	for _, n := range []uint32{math.Float32bits(scale), file, uint32(e.StartLine), uint32(e.EndLine)} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	var id [maxID + 1]byte
	id[0] = byte(copy(id[1:], e.ID))
	b = append(b, id[:]...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
}

// parseDetail parses a row of the file "codes". d.levels shares the memory of b.
func parseDetail(b []byte) (d detail, ok bool) {
	rest := b[api.VectorDim:]
	d = detail{
		levels: b[:api.VectorDim],
		scale:  math.Float32frombits(binary.LittleEndian.Uint32(rest)),
		file:   binary.LittleEndian.Uint32(rest[4:]),
		start:  binary.LittleEndian.Uint32(rest[8:]),
		end:    binary.LittleEndian.Uint32(rest[12:]),
	}
	id := rest[16:]
	if crc32.Checksum(b[:codesSize-4], castagnoli) != binary.LittleEndian.Uint32(b[codesSize-4:]) || id[0] > maxID {
		return d, false
	}
	copy(d.id[:], id)
	return d, true
}

// score returns the inner product of d and v, to within about 0.001.
func (d *detail) score(v *api.Vector) float64 {
	var s0, s1, s2, s3 float32
	for i := 0; i < api.VectorDim; i += 4 {
		s0 += float32(int8(d.levels[i])) * v[i]
		s1 += float32(int8(d.levels[i+1])) * v[i+1]
		s2 += float32(int8(d.levels[i+2])) * v[i+2]
		s3 += float32(int8(d.levels[i+3])) * v[i+3]
	}
	return float64(s0+s1+s2+s3) * float64(d.scale)
}
