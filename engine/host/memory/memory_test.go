package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

func TestTightenEndsWithItsLastUser(t *testing.T) {
	percent := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	usual := uint64(usual.percent)
	defer debug.SetGCPercent(debug.SetGCPercent(int(usual)))
	first, second := Tighten(), Tighten()
	if got := percent(); got >= usual {
		t.Fatalf("the heap may grow by %d %%, usually %d", got, usual)
	}
	first()
	first() // once counts
	if got := percent(); got >= usual {
		t.Errorf("loose again, by %d %%, while somebody still works", got)
	}
	second()
	if got := percent(); got != usual {
		t.Errorf("%d %% afterwards, %d before", got, usual)
	}
	for _, own := range []int{40, tightPercent} { // as GOGC does
		debug.SetGCPercent(own)
		third := Tighten()
		if got := percent(); got != uint64(own) {
			t.Errorf("%d %% against a person's wish of %d", got, own)
		}
		third()
		if got := percent(); got != uint64(own) {
			t.Errorf("%d %% afterwards, against a person's wish of %d", got, own)
		}
	}
}

func TestBoundEndsWithItsLastUser(t *testing.T) {
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	first := Bound()
	one := limit()
	if one < room || one > room+inUse()+64<<20 {
		t.Errorf("a limit of %d MB with %d in use", one>>20, inUse()>>20)
	}
	held := make([]byte, 32<<20)
	if err := Release(); err != nil {
		t.Fatal(err)
	}
	if got := limit(); got != one {
		t.Errorf("memory given back at work moves the limit by %d", got-one)
	}
	runtime.KeepAlive(held)
	second := Bound()
	if got := limit(); got != one+room {
		t.Errorf("%d more for a second user", got-one)
	}
	first()
	first() // once counts
	if got := limit(); got != one {
		t.Errorf("a limit of %d MB for who is left, %d before", got>>20, one>>20)
	}
	second()
	if got := limit(); got != math.MaxInt64 {
		t.Errorf("a limit of %d MB afterwards", got>>20)
	}
	const own = 1 << 30 // as GOMEMLIMIT does
	debug.SetMemoryLimit(own)
	third := Bound()
	if got := limit(); got != own {
		t.Errorf("%d against a person's wish", got)
	}
	third()
	if got := limit(); got != own {
		t.Errorf("%d afterwards, against a person's wish", got)
	}
}

// TestRestEndsWithTheFirstCollection: a process at rest has no collection by the clock, and goes on as ever once it
// works.
func TestRestEndsWithTheFirstCollection(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usual.percent))
	for range 2 { // the second time while the first sentinel is being finalized
		if err := Release(); err != nil {
			t.Fatal(err)
		}
	}
	switch at := current(); {
	case at.percent != -1:
		t.Fatalf("at rest the heap may grow by %d %%", at.percent)
	case at.limit > inUse()+restRoom+1<<20:
		t.Errorf("a limit of %d MB with %d in use", at.limit>>20, inUse()>>20)
	}
	before := collections()
	worked := 0
	for late := time.Now().Add(5 * time.Minute); current() != usual; worked += len(sink) {
		if sink = make([]byte, 64<<10); time.Now().After(late) {
			t.Fatalf("after %d MB it is %+v", worked>>20, current())
		}
	}
	if n := collections() - before; worked < restRoom/4 || n > 3 {
		t.Errorf("%d collections, and awake after %d KB", n, worked>>10)
	}
}

// TestWorkEndsRest: what is wanted while a process works counts from its first moment.
func TestWorkEndsRest(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usual.percent))
	if err := Release(); err != nil {
		t.Fatal(err)
	}
	loosen := Tighten()
	if at := current(); at != (settings{tightPercent, usual.limit}) {
		t.Errorf("tight at rest: %+v", at)
	}
	loosen()
	if at := current(); at != usual {
		t.Errorf("at the end of work: %+v", at)
	}
	debug.SetGCPercent(40) // as GOGC does
	if err := Release(); err != nil {
		t.Fatal(err)
	}
	if at := current(); at != (settings{40, usual.limit}) {
		t.Errorf("%+v against a person's wish", at)
	}
}

var sink []byte

func collections() uint64 {
	s := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
