//go:build (darwin || linux) && (amd64 || arm64)

package fsevents

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ebitengine/purego"
)

// TestCalls calls a library that is compiled from Apple's prototypes: every argument arrives as C expects it, events
// come from a thread that Go does not know, and everything is given back.
func TestCalls(t *testing.T) {
	file := filepath.Join(t.TempDir(), "libsystem.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-pthread", "-o", file, "testdata/system.c").CombinedOutput()
	if err != nil {
		if os.Getenv("CI") != "" || !errors.Is(err, exec.ErrNotFound) {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Skip("no C compiler")
	}
	l, err := load(file, file, file)
	if err != nil {
		t.Fatal(err)
	}
	type call struct {
		paths []string
		flags []uint32
	}
	calls := make(chan call, 10)
	const dir = "/r/Größe of a project"
	stop, err := l.Watch(dir, 50*time.Millisecond, func(paths []string, flags []uint32) { calls <- call{paths, flags} })
	if err != nil {
		t.Fatal(err)
	}
	got := <-calls
	stop()
	stop() // and once more is no harm
	want := call{[]string{
		dir + " since ffffffffffffffff latency 0.050 flags 16 on io.searchmcp.fsevents", "/r/u\u0308.go", "",
	}, []uint32{0x10100, 1<<32 - 1, 0}}
	if !slices.Equal(got.paths, want.paths) || !slices.Equal(got.flags, want.flags) {
		t.Errorf("told %q %x, want %q %x", got.paths, got.flags, want.paths, want.flags)
	}
	if n := len(calls); n != 1 { // what FSEventStreamStop's thread had under way, nothing of the time after it
		t.Errorf("%d calls after the first", n)
	}
	for _, dir := range []string{"/refused", ""} {
		if _, err := l.Watch(dir, time.Second, nil); !errors.Is(err, ErrRefused) {
			t.Errorf("watch %q: %v", dir, err)
		}
	}
	if n := len(handlers.byID); n != 0 {
		t.Errorf("%d handlers are kept", n)
	}
	lib, err := purego.Dlopen(file, purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	var alive func() int32
	purego.RegisterLibFunc(&alive, lib, "alive")
	if n := alive(); n != 0 {
		t.Errorf("%d objects were not released", n)
	}
}

func TestNoLibrary(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("it is there")
	}
	if _, err := Load(); err == nil || !strings.Contains(err.Error(), "CoreFoundation") {
		t.Errorf("%v", err)
	}
}
