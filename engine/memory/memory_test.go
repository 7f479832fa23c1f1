package memory

import (
	"runtime/metrics"
	"testing"
)

func TestTightenEndsWithItsLastUser(t *testing.T) {
	percent := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	t.Setenv("GOGC", "")
	usual := percent()
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
	t.Setenv("GOGC", "100")
	defer Tighten()()
	if got := percent(); got != usual {
		t.Errorf("%d %% against a person's wish", got)
	}
}
