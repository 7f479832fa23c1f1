package machine

import (
	"errors"
	"testing"
)

func TestOthers(t *testing.T) {
	var now usage
	var broken error
	share := others(func() (usage, error) { return now, broken })
	for i, tc := range []struct {
		now  usage
		want float64
	}{
		{usage{100, 50, 20}, 0},    // no previous value
		{usage{120, 60, 20}, 0.5},  // half of the cores, all by others
		{usage{140, 70, 30}, 0},    // all by this process
		{usage{140, 70, 30}, 0},    // no time has passed
		{usage{160, 90, 35}, 0.75}, // partly by this process
		{usage{180, 91, 40}, 0},    // the clocks are not synchronized
	} {
		now = tc.now
		if got, err := share(); err != nil || got != tc.want {
			t.Errorf("%d: %v, %v; want %v", i, got, err, tc.want)
		}
	}
	broken = errors.New("not to be read")
	if _, err := share(); !errors.Is(err, broken) {
		t.Error(err)
	}
}

func TestSystem(t *testing.T) {
	if _, err := OnBattery(); err != nil {
		t.Error(err)
	}
	others := OtherLoad()
	for range 2 {
		if share, err := others(); err != nil || share < 0 || share > 1 {
			t.Errorf("%v, %v", share, err)
		}
	}
}
