package machine

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

func TestOnBattery(t *testing.T) {
	battery := func(status string) map[string]string {
		return map[string]string{"type": "Battery", "status": status}
	}
	mouse := battery("Discharging")
	mouse["scope"] = "Device"
	for _, tc := range []struct {
		name     string
		supplies map[string]map[string]string
		want     bool
	}{
		{"no supplies", nil, false},
		{"a desk's computer with a mouse", map[string]map[string]string{"hid": mouse}, false},
		{"unplugged", map[string]map[string]string{"AC": {"type": "Mains", "online": "0"}, "BAT0": battery("Discharging")},
			true},
		{"plugged in", map[string]map[string]string{"AC": {"type": "Mains", "online": "1"}, "BAT0": battery("Charging")},
			false},
		{"drained although plugged in", map[string]map[string]string{"AC": {"type": "USB", "online": "1"},
			"BAT0": battery("Discharging")}, false},
		{"full", map[string]map[string]string{"BAT0": battery("Full")}, false},
		{"one of two", map[string]map[string]string{"BAT0": battery("Full"), "BAT1": battery("Discharging")}, true},
	} {
		dir := filepath.Join(t.TempDir(), "power_supply")
		for name, fields := range tc.supplies {
			for field, text := range fields {
				if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name, field), []byte(text+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got, err := onBattery(dir); err != nil || got != tc.want {
			t.Errorf("%s: %v, %v", tc.name, got, err)
		}
	}
}

func TestLowerPriority(t *testing.T) {
	nice := func() int {
		n, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
		if err != nil {
			t.Error(err)
		}
		return 20 - n // raw result of the system call
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := nice()
	done := make(chan int)
	go func() {
		runtime.LockOSThread() // the thread ends with the goroutine
		if err := LowerPriority(); err != nil {
			t.Error(err)
		}
		done <- nice()
	}()
	if got := <-done; got != max(before, backgroundNice) {
		t.Errorf("nice %d", got)
	}
	if after := nice(); after != before {
		t.Errorf("this thread's went from %d to %d", before, after)
	}
}
