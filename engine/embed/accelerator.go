package embed

import (
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
)

// Accelerator is an execution provider of ONNX Runtime other than the processor. None of them was tried by us on real
// hardware: the library that comes with the program has none of them on Linux, and a quantised model may well be slower on
// one. So it is a person's choice, is tried before it is used, and what it makes never mixes with other vectors.
type Accelerator string

// The accelerators.
const (
	NoAccelerator Accelerator = ""
	CoreML        Accelerator = "coreml"
	DirectML      Accelerator = "directml"
	CUDA          Accelerator = "cuda"
)

// Accelerators lists what can be chosen.
var Accelerators = []Accelerator{NoAccelerator, CoreML, DirectML, CUDA}

// ProbeOperation is what Options.Busy is told while an accelerator is tried: a process that ended in it should be started
// without.
const ProbeOperation = "try the accelerator"

// provider is its name in ModelHash.
func (a Accelerator) provider() string {
	if a == NoAccelerator {
		return "cpu"
	}
	return string(a)
}

// addTo makes a session run on it where it can; what it cannot run stays on the processor.
func (a Accelerator) addTo(o *ort.SessionOptions) error {
	switch a {
	case NoAccelerator:
		return nil
	case CoreML:
		return o.AppendExecutionProviderCoreMLV2(map[string]string{"MLComputeUnits": "ALL"})
	case DirectML:
		return o.AppendExecutionProviderDirectML(0) // the first adapter, Windows' own choice
	case CUDA:
		c, err := ort.NewCUDAProviderOptions()
		if err != nil {
			return err
		}
		defer c.Destroy()
		return o.AppendExecutionProviderCUDA(c)
	}
	return fmt.Errorf("no accelerator %q", a)
}

// probe finds out whether the accelerator that was asked for works here, by loading the model with it. If not, the processor
// takes its place from the start, so that ModelHash says what makes the vectors.
func (e *Embedder) probe() {
	defer e.o.Busy(ProbeOperation)()
	if err := e.life.try(); err != nil {
		e.o.Log.Warn("accelerator not usable, the processor makes the vectors", "accelerator", string(e.o.Accelerator), "err", err)
		e.o.Accelerator = NoAccelerator
		return
	}
	e.o.Log.Warn("vectors are made with an accelerator, which is untested", "accelerator", string(e.o.Accelerator))
}
