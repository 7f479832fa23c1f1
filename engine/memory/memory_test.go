package memory

import (
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

func TestTightenEndsWithItsLastUser(t *testing.T) {
	percent := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	const usual = usualPercent
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
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
