package memory

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestTightenEndsWithItsLastUser(t *testing.T) {
	const usual = defaultPercent
	percent := func() int { return int(read("/gc/gogc:percent")) }
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
	first, second := CollectMoreOften(), CollectMoreOften()
	if got := percent(); got >= usual {
		t.Fatalf("the heap may grow by %d %%, usually %d", got, usual)
	}
	first()
	first()
	if got := percent(); got >= usual {
		t.Errorf("the heap may grow by %d %% although a caller still works", got)
	}
	second()
	if got := percent(); got != usual {
		t.Errorf("%d %% afterwards, %d before", got, usual)
	}
	for _, own := range []int{40, tightPercent} { // as set by GOGC
		debug.SetGCPercent(own)
		third := CollectMoreOften()
		if got := percent(); got != own {
			t.Errorf("GOGC is %d, the user set %d", got, own)
		}
		third()
		if got := percent(); got != own {
			t.Errorf("GOGC is %d afterwards, the user set %d", got, own)
		}
	}
}

func TestLimitGrowthEndsWithLastRelease(t *testing.T) {
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	first := LimitGrowth(Headroom)
	one := limit()
	if one < Headroom || one > Headroom+inUse()+64<<20 {
		t.Errorf("a limit of %d MB with %d in use", one>>20, inUse()>>20)
	}
	second := LimitGrowth(Headroom)
	if got := limit(); got != one+Headroom {
		t.Errorf("%d more for a second user", got-one)
	}
	first()
	first()
	if got := limit(); got != one {
		t.Errorf("the limit is %d MB after one of two releases, want %d", got>>20, one>>20)
	}
	second()
	if got := limit(); got != math.MaxInt64 {
		t.Errorf("a limit of %d MB afterwards", got>>20)
	}
	const own = 1 << 30 // as set by GOMEMLIMIT
	debug.SetMemoryLimit(own)
	third := LimitGrowth(Headroom)
	if got := limit(); got != own {
		t.Errorf("the limit is %d, the user set another", got)
	}
	third()
	if got := limit(); got != own {
		t.Errorf("the limit is %d afterwards, the user set another", got)
	}
}
