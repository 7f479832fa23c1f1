package native

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"slices"
)

// Body is an encoded value. Numbers are varints. A string begins with its length, and a list with its length plus 1. A
// nil list is encoded as 0. A struct is the sequence of its fields.
type Body []byte

func Encode(v any) Body { return Append(nil, v) }

// Append appends the encoding of v, a pointer, to b.
func Append(b Body, v any) Body { return appendValue(b, reflect.ValueOf(v).Elem()) }

// maxGrowth is the maximum number of bytes that are allocated for a list in advance.
const maxGrowth = 8 << 20

func appendValue(b Body, v reflect.Value) Body {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendValue(b, v.Field(i))
		}
		return b
	case reflect.Array:
		for _, f := range v.Slice(0, v.Len()).Interface().([]float32) {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
		}
		return b
	}
	if v.IsNil() {
		return append(b, 0)
	}
	n := v.Len()
	b = binary.AppendUvarint(b, uint64(n)+1)
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return append(b, v.Bytes()...)
	}
	for i := range n {
		before := len(b)
		if b = appendValue(b, v.Index(i)); i == 0 {
			b = slices.Grow(b, min((len(b)-before)*n, maxGrowth))
		}
	}
	return b
}

var ErrBody = errors.New("malformed message")

// Decode decodes b into v. Byte slices in v share the memory of b.
func Decode(b Body, v any) error { return (&reader{rest: b}).decode(v) }

// DecodeShared is like Decode, but all strings in v share the memory of a copy of b.
func DecodeShared(b Body, v any) error { return (&reader{rest: b, text: string(b)}).decode(v) }

// reader decodes the fields of a message. After an error, bad is true.
type reader struct {
	rest []byte
	text string // the whole message if strings share its memory, or ""
	bad  bool
}

func (r *reader) decode(v any) error {
	r.value(reflect.ValueOf(v).Elem())
	if r.bad || len(r.rest) > 0 {
		return ErrBody
	}
	return nil
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.rest, r.bad = nil, true
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// count reads the length of a list, which can't exceed the number of remaining bytes.
func (r *reader) count() int {
	n, size := binary.Uvarint(r.rest)
	if r.take(size); size <= 0 || n > uint64(len(r.rest))+1 {
		r.take(-1)
		return 0
	}
	return int(n)
}

func (r *reader) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		b := r.take(1)
		v.SetBool(len(b) == 1 && b[0] != 0)
	case reflect.Int, reflect.Int64:
		n, size := binary.Varint(r.rest)
		if r.take(size); size <= 0 {
			r.take(-1)
		}
		v.SetInt(n)
	case reflect.Float64:
		if b := r.take(8); b != nil {
			v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	case reflect.String:
		v.SetString(r.string(r.count()))
	case reflect.Struct:
		for i := range v.NumField() {
			r.value(v.Field(i))
		}
	case reflect.Array:
		b := r.take(4 * v.Len())
		fs := v.Slice(0, v.Len()).Interface().([]float32)
		for i := range len(b) / 4 {
			fs[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	default:
		r.list(v, r.count())
	}
}

func (r *reader) string(n int) string {
	start := len(r.text) - len(r.rest)
	b := r.take(n)
	if r.text == "" || r.bad {
		return string(b)
	}
	return r.text[start : start+n]
}

func (r *reader) list(v reflect.Value, n int) {
	switch {
	case n == 0:
	case v.Type().Elem().Kind() == reflect.Uint8:
		v.SetBytes(r.take(n - 1))
	default:
		maxLength := 1 + maxGrowth/max(1, int(v.Type().Elem().Size()))
		v.Set(reflect.MakeSlice(v.Type(), 0, min(n-1, maxLength)))
		for i := 0; i < n-1 && !r.bad; i++ {
			if i == v.Cap() {
				v.Grow(1)
			}
			v.SetLen(i + 1)
			r.value(v.Index(i))
		}
	}
}
