package embed

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"
)

// The library here has no accelerator: asking for one costs a warning, and what makes the vectors, the processor, is what
// their hash says.
func TestAcceleratorThatIsNotThere(t *testing.T) {
	plain := open(t, Options{})
	want, err := plain.Query(t.Context(), "read a file")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []Accelerator{CUDA, DirectML, CoreML, "abacus"} {
		var said bytes.Buffer
		var tried []string
		e := open(t, Options{
			Accelerator: a, Log: slog.New(slog.NewTextHandler(&said, nil)),
			Busy: func(op string) func() { tried = append(tried, op); return func() {} },
		})
		if !strings.Contains(said.String(), "level=WARN") || !strings.Contains(said.String(), "accelerator="+string(a)) {
			t.Errorf("%s: no warning: %s", a, said.String())
		}
		if len(tried) == 0 || tried[0] != ProbeOperation {
			t.Errorf("%s: tried without a marker: %q", a, tried)
		}
		if e.ModelHash() != plain.ModelHash() {
			t.Errorf("%s: another hash although the processor makes the vectors", a)
		}
		if got, err := e.Query(t.Context(), "read a file"); err != nil || got != want {
			t.Errorf("%s: another vector than the processor's (%v)", a, err)
		}
	}
}

// What an accelerator makes has a hash of its own.
func TestAcceleratorIsPartOfTheHash(t *testing.T) {
	var hashes []string
	for _, a := range Accelerators {
		e := open(t, Options{})
		e.o.Accelerator = a // as after a probe that succeeded
		hashes = append(hashes, e.ModelHash())
	}
	slices.Sort(hashes)
	if n := len(slices.Compact(hashes)); n != len(Accelerators) {
		t.Errorf("%d hashes for %d providers", n, len(Accelerators))
	}
}
