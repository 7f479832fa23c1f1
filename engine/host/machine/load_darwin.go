package machine

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// SystemLoad asks the operating system. It is not safe for concurrent use.
func SystemLoad() Load {
	m := &mean{at: time.Now()}
	return &load{read: m.usage}
}

// mean adds up how busy the processor was. There are no processor times to be read without C, so the mean number of
// runnable threads of the last minute is taken for that of the time since the last look.
type mean struct {
	at  time.Time
	sum usage
}

// usage reads struct loadavg: three fixed-point numbers, padding, their unit.
func (m *mean) usage() (usage, error) {
	raw, err := unix.SysctlRaw("vm.loadavg")
	if err != nil {
		return usage{}, fmt.Errorf("read load: %w", err)
	}
	if len(raw) < 24 {
		return usage{}, fmt.Errorf("read load: %d bytes", len(raw))
	}
	unit := float64(binary.LittleEndian.Uint64(raw[16:]))
	threads := float64(binary.LittleEndian.Uint32(raw)) / unit
	now := time.Now()
	span := now.Sub(m.at).Seconds()
	m.at = now
	m.sum.all += span * float64(runtime.NumCPU())
	m.sum.busy += span * threads
	own, err := OwnTime()
	m.sum.own = own.Seconds()
	return m.sum, err
}
