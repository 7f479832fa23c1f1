package main

import (
	"encoding/binary"
	"math"
)

// message is an encoded protocol-buffers message. ONNX needs only four kinds of fields.
type message []byte

func (m *message) key(field, wire int) { *m = binary.AppendUvarint(*m, uint64(field<<3|wire)) }

func (m *message) varint(field int, v int64) {
	m.key(field, 0)
	*m = binary.AppendUvarint(*m, uint64(v))
}

func (m *message) bytes(field int, v []byte) {
	m.key(field, 2)
	*m = binary.AppendUvarint(*m, uint64(len(v)))
	*m = append(*m, v...)
}

func (m *message) string(field int, v string) { m.bytes(field, []byte(v)) }

func (m *message) float(field int, v float32) {
	m.key(field, 5)
	*m = binary.LittleEndian.AppendUint32(*m, math.Float32bits(v))
}
