package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// safetensors builds a file from a header and a body.
func safetensors(header string, body ...float32) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	b = append(b, header...)
	for _, x := range body {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func TestDecodeSafetensors(t *testing.T) {
	w, err := decodeSafetensors(safetensors(`{"__metadata__":{"format":"pt"},`+
		`"b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]},"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},`+
		`"ids":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}`, 1, 2, 3, -4.5))
	if err != nil {
		t.Fatal(err)
	}
	if len(w) != 2 {
		t.Errorf("%d tensors", len(w))
	}
	b, err := w.get("b", 2)
	if err != nil || b.data[0] != 3 || b.data[1] != -4.5 {
		t.Errorf("b is %v, error %v", b.data, err)
	}
	if _, err := w.get("a", 2, 1); err == nil {
		t.Error("another shape was accepted")
	}
	if _, err := w.get("c", 1); err == nil {
		t.Error("a missing tensor was found")
	}
}

func TestDecodeSafetensorsRefuses(t *testing.T) {
	for name, b := range map[string][]byte{
		"empty":           nil,
		"header too long": binary.LittleEndian.AppendUint64(nil, 1<<62),
		"no JSON":         safetensors("{"),
		"range outside":   safetensors(`{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}`, 1),
		"range backward":  safetensors(`{"a":{"dtype":"F32","shape":[0],"data_offsets":[4,0]}}`, 1),
		"negative range":  safetensors(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}`, 1),
		"wrong shape":     safetensors(`{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,4]}}`, 1),
	} {
		if _, err := decodeSafetensors(b); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestQuantizeLinear checks that the levels have 7 bits and that each weight is restored within half a step.
func TestQuantizeLinear(t *testing.T) {
	a := matrix{[]int{2, 3}, []float32{1, -2, 0.5, 0.01, 0.02, -0.03}}
	b := matrix{[]int{1, 3}, []float32{100, 50, -25}}
	q := quantizeLinear(a, b)
	if q.k != 3 || q.n != 3 {
		t.Fatalf("%d rows, %d columns", q.k, q.n)
	}
	want := append(append([]float32(nil), a.data...), b.data...)
	for col := range q.n {
		for row := range q.k {
			level := int8(q.data[row*q.n+col])
			if level < -weightLevels || level > weightLevels {
				t.Errorf("level %d", level)
			}
			got, exact := float32(level)*q.scales[col], want[col*q.k+row]
			if diff := math.Abs(float64(got - exact)); diff > float64(q.scales[col])/2*1.001 {
				t.Errorf("weight %v was restored as %v", exact, got)
			}
		}
	}
}

func TestQuantizeRowsOfZero(t *testing.T) {
	data, scales := quantizeRows(matrix{[]int{2, 2}, []float32{0, 0, 127, -127}})
	if !bytes.Equal(data, []byte{0, 0, 127, 0x81}) || scales[0] != minScale || scales[1] != 1 {
		t.Errorf("levels %v, scales %v", data, scales)
	}
}

// TestMessage compares a message with the examples of the protocol-buffers documentation.
func TestMessage(t *testing.T) {
	var m message
	m.varint(1, 150)
	m.string(2, "testing")
	m.float(3, 1)
	want := "\x08\x96\x01" + "\x12\x07testing" + "\x1d\x00\x00\x80\x3f"
	if string(m) != want {
		t.Errorf("% x, want % x", []byte(m), want)
	}
}

func TestEncoderReportsMissingTensor(t *testing.T) {
	if _, err := encoder(weights{}); err == nil || !strings.Contains(err.Error(), "embeddings.word_embeddings.weight") {
		t.Errorf("error %v", err)
	}
}
