package machine

import (
	"errors"
	"testing"
)

func TestOthers(t *testing.T) {
	var now usage
	l := &load{read: func() (usage, error) { return now, nil }}
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
		if got, err := l.Others(); err != nil || got != tc.want {
			t.Errorf("%d: %v, %v; want %v", i, got, err, tc.want)
		}
	}
	broken := errors.New("not to be read")
	l.read = func() (usage, error) { return usage{}, broken }
	if _, err := l.Others(); !errors.Is(err, broken) {
		t.Error(err)
	}
}

func TestSystem(t *testing.T) {
	if _, err := SystemBattery().OnBattery(); err != nil {
		t.Error(err)
	}
	l := SystemLoad()
	for range 2 {
		if share, err := l.Others(); err != nil || share < 0 || share > 1 {
			t.Errorf("%v, %v", share, err)
		}
	}
}
