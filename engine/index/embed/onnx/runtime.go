package onnx

import (
	"fmt"
	"log/slog"
	"runtime"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
	"golang.org/x/sys/cpu"

	"searchmcp/engine/index/embed"
)

var (
	runtimeMu   sync.Mutex
	runtimePath string
)

// startRuntime loads ONNX Runtime in the first call. A later call with another path fails, because ONNX Runtime cannot
// be unloaded.
func startRuntime(path string, log *slog.Logger) error {
	runtimeMu.Lock()
	defer runtimeMu.Unlock()
	if runtimePath == path {
		return nil
	}
	if runtimePath != "" {
		return fmt.Errorf("load %s: %s is loaded already: %w", path, runtimePath, embed.ErrLibrary)
	}
	if err := checkCPU(); err != nil {
		return err
	}
	ort.SetSharedLibraryPath(path)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return fmt.Errorf("load %s: %w: %w", path, embed.ErrLibrary, err)
	}
	runtimePath = path
	if err := ort.DisableTelemetry(); err != nil { // only ONNX Runtime for Windows has telemetry
		log.Warn("can't switch off the runtime's telemetry", "err", err)
	}
	log.Info("embedding library loaded", "path", path, "version", ort.GetVersion())
	return nil
}

// checkCPU returns an error for processors older than x86-64-v2 (2009), which could crash.
func checkCPU() error {
	if runtime.GOARCH == "amd64" && !(cpu.X86.HasSSE42 && cpu.X86.HasSSSE3 && cpu.X86.HasPOPCNT) {
		return fmt.Errorf("SSE 4.2 is missing: %w", embed.ErrCPU)
	}
	return nil
}

// newNativeSession loads the model. An inference uses one thread.
func newNativeSession(path string) (*ort.DynamicAdvancedSession, error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer o.Destroy()
	for _, set := range []func() error{
		func() error { return o.SetIntraOpNumThreads(1) },
		func() error { return o.SetInterOpNumThreads(1) },
		// This option reduces the resident memory from 73 to 63 MB.
		func() error { return o.SetCpuMemArena(true) },
		// ONNX Runtime would keep a memory pattern for every length of text.
		func() error { return o.SetMemPattern(false) },
	} {
		if err := set(); err != nil {
			return nil, err
		}
	}
	return ort.NewDynamicAdvancedSession(path, []string{"input_ids", "attention_mask"}, []string{"embedding"}, o)
}
