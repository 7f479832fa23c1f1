package native

import (
	"encoding/binary"
	"errors"
	"math"
)

// Body is a frame's body being written: numbers as varints, text with its length before it.
type Body []byte

// Uint appends a number.
func (b Body) Uint(n int) Body { return binary.AppendUvarint(b, uint64(n)) }

// Bool appends a truth.
func (b Body) Bool(v bool) Body {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// Text appends a string.
func (b Body) Text(s string) Body { return append(b.Uint(len(s)), s...) }

// Bytes appends bytes.
func (b Body) Bytes(s []byte) Body { return append(b.Uint(len(s)), s...) }

// Texts appends strings.
func (b Body) Texts(list []string) Body {
	b = b.Uint(len(list))
	for _, s := range list {
		b = b.Text(s)
	}
	return b
}

// Float appends a number.
func (b Body) Float(f float64) Body { return binary.LittleEndian.AppendUint64(b, math.Float64bits(f)) }

// Floats appends numbers whose count both sides know.
func (b Body) Floats(fs []float32) Body {
	for _, f := range fs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

// ErrBody: a frame's body is not what was agreed on.
var ErrBody = errors.New("message of another shape")

// Reader reads what Body wrote. After the first thing that does not fit every answer is zero, and Err says so.
type Reader struct {
	rest []byte
	err  error
}

// NewReader reads a body. What it returns are copies, but for View's.
func NewReader(body []byte) *Reader { return &Reader{rest: body} }

// Err is ErrBody if something did not fit. End is Err when nothing may be left.
func (r *Reader) Err() error { return r.err }

// End fails also when something is left.
func (r *Reader) End() error {
	if len(r.rest) > 0 {
		r.fail()
	}
	return r.err
}

func (r *Reader) fail() {
	r.err, r.rest = ErrBody, nil
}

// More reports whether something is left to read.
func (r *Reader) More() bool { return len(r.rest) > 0 }

// Uint reads a number.
func (r *Reader) Uint() int {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > math.MaxInt {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return int(n)
}

// Count reads a number of things that take at least one byte each.
func (r *Reader) Count() int {
	n := r.Uint()
	if n > len(r.rest) {
		r.fail()
		return 0
	}
	return n
}

// Bool reads a truth.
func (r *Reader) Bool() bool {
	b := r.take(1)
	return len(b) == 1 && b[0] != 0
}

// Text reads a string.
func (r *Reader) Text() string { return string(r.take(r.Uint())) }

// Bytes reads bytes; nil for none.
func (r *Reader) Bytes() []byte { return append([]byte(nil), r.take(r.Uint())...) }

// View reads bytes where they stand in the body.
func (r *Reader) View() []byte { return r.take(r.Uint()) }

// Texts reads strings; nil for none.
func (r *Reader) Texts() []string {
	n := r.Count()
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = r.Text()
	}
	return list
}

// Float reads a number.
func (r *Reader) Float() float64 {
	b := r.take(8)
	if len(b) < 8 {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// Floats fills fs.
func (r *Reader) Floats(fs []float32) {
	b := r.take(4 * len(fs))
	for i := range len(b) / 4 {
		fs[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}

func (r *Reader) take(n int) []byte {
	if n > len(r.rest) {
		r.fail()
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}
