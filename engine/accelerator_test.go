package engine

import (
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/embed"
)

// A process that ended while an accelerator was tried starts without one from then on, and its model answers.
func TestAcceleratorThatCrashedIsDropped(t *testing.T) {
	data := t.TempDir()
	o := Options{Data: data, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	begin := func() *Engine {
		t.Helper()
		e, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close(t.Context()) })
		return e
	}
	e := begin()
	if _, err := e.SetSettings(map[string]any{settingAccelerator: "abacus"}); api.CodeOf(err) != api.InvalidArgument {
		t.Fatalf("an accelerator that does not exist: %v", err)
	}
	if _, err := e.SetSettings(map[string]any{settingAccelerator: string(embed.CUDA)}); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(mark{Op: embed.ProbeOperation})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, busyFile), text, 0o600); err != nil {
		t.Fatal(err)
	}
	e = begin()
	if got := e.Settings()[settingAccelerator]; got != "" {
		t.Errorf("after the crash the accelerator is still %v", got)
	}
	if e.embedder == nil {
		t.Error("after the crash of an accelerator there is no model")
	}
}
