package onnx

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"searchmcp/engine/api"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/index/embed/wordpiece"
)

const lengthTolerance = 0.01 // maximum deviation of a vector's length from 1

type session struct {
	native *ort.DynamicAdvancedSession
	vocab  *wordpiece.Vocabulary

	mu   sync.Mutex
	free []*runner // unused runners
}

func newSession(path string, vocab *wordpiece.Vocabulary) (*session, error) {
	native, err := newNativeSession(path)
	if err != nil {
		return nil, fmt.Errorf("load model %s: %w: %w", path, embed.ErrModel, err)
	}
	s := &session{native: native, vocab: vocab}
	// The first inference allocates memory, and shows whether the model works on this processor.
	if _, err := s.embed("self-test", embed.TextTokens); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *session) embed(text string, limit int) (api.Vector, error) {
	r, err := s.borrow()
	if err != nil {
		return api.Vector{}, err
	}
	defer s.release(r)
	r.ids = r.encode(r.ids[:0], text, limit)
	return r.run(s.native, len(r.ids))
}

func (s *session) release(r *runner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, r)
}

func (s *session) borrow() (*runner, error) {
	s.mu.Lock()
	if n := len(s.free); n > 0 {
		r := s.free[n-1]
		s.free = s.free[:n-1]
		s.mu.Unlock()
		return r, nil
	}
	s.mu.Unlock()
	return newRunner(s.vocab)
}

// close unloads the model. No inference may be running.
func (s *session) close() error {
	var errs []error
	for _, r := range s.free {
		errs = append(errs, r.close())
	}
	s.free = nil
	if err := errors.Join(append(errs, s.native.Destroy())...); err != nil {
		return fmt.Errorf("unload model: %w", err)
	}
	return nil
}

// runner contains the buffers of an inference. The buffers are pinned, because C code keeps pointers to them.
type runner struct {
	encoder *wordpiece.Encoder
	words   []byte
	ids     []int32 // capacity embed.MaxTokens
	mask    []int32
	out     []float32
	output  *ort.Tensor[float32]
	pins    runtime.Pinner
}

func newRunner(vocab *wordpiece.Vocabulary) (*runner, error) {
	r := &runner{
		encoder: wordpiece.NewEncoder(vocab),
		ids:     make([]int32, 0, embed.MaxTokens),
		mask:    make([]int32, embed.MaxTokens),
		out:     make([]float32, api.VectorDim),
	}
	for i := range r.mask {
		r.mask[i] = 1
	}
	r.pins.Pin(&r.ids[:1][0])
	r.pins.Pin(&r.mask[0])
	r.pins.Pin(&r.out[0])
	var err error
	if r.output, err = ort.NewTensor(ort.NewShape(1, api.VectorDim), r.out); err != nil {
		r.pins.Unpin()
		return nil, fmt.Errorf("allocate output: %w", err)
	}
	return r, nil
}

func (r *runner) close() error {
	defer r.pins.Unpin()
	return r.output.Destroy()
}

// encode appends the token ids of text to dst, at most limit. 0 means no limit.
func (r *runner) encode(dst []int32, text string, limit int) []int32 {
	r.words = embed.AppendSplit(r.words[:0], embed.Clip(text))
	return r.encoder.Encode(dst, string(r.words), limit)
}

func (r *runner) run(native *ort.DynamicAdvancedSession, n int) (v api.Vector, err error) {
	shape := ort.NewShape(1, int64(n))
	ids, err := ort.NewTensor(shape, r.ids[:n])
	if err != nil {
		return v, fmt.Errorf("wrap token ids: %w", err)
	}
	defer ids.Destroy()
	mask, err := ort.NewTensor(shape, r.mask[:n])
	if err != nil {
		return v, fmt.Errorf("wrap attention mask: %w", err)
	}
	defer mask.Destroy()
	if err := native.Run([]ort.Value{ids, mask}, []ort.Value{r.output}); err != nil {
		return v, fmt.Errorf("embed %d tokens: %w: %w", n, embed.ErrModel, err)
	}
	copy(v[:], r.out)
	return v, checkUnit(&v)
}

func checkUnit(v *api.Vector) error {
	square := 0.0
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	if length := math.Sqrt(square); !(math.Abs(length-1) <= lengthTolerance) {
		return fmt.Errorf("vector of length %v instead of 1: %w", length, embed.ErrModel)
	}
	return nil
}
