package machine

import (
	"errors"
	"fmt"

	"github.com/shirou/gopsutil/v4/cpu"
)

// usage contains processor times in seconds, summed over all processor cores.
type usage struct {
	all  float64 // busy and idle time
	busy float64 // time used by all processes, including this process
	own  float64
}

// OtherLoad returns a function that measures the load of other processes since its previous call, from 0 to 1 (all
// cores). The first call returns 0. The function is not safe for concurrent use.
func OtherLoad() func() (float64, error) { return others(systemUsage) }

// systemUsage returns the processor times since the system started. Waiting for a disk is idle time.
func systemUsage() (usage, error) {
	times, err := cpu.Times(false)
	if err == nil && len(times) == 0 {
		err = errors.New("none reported")
	}
	if err != nil {
		return usage{}, fmt.Errorf("read processor times: %w", err)
	}
	t := times[0]
	u := usage{busy: t.User + t.System + t.Nice + t.Irq + t.Softirq + t.Steal}
	u.all = u.busy + t.Idle + t.Iowait
	own, err := ProcessorTime()
	u.own = own.Seconds()
	return u, err
}

func others(read func() (usage, error)) func() (float64, error) {
	var last usage
	return func() (float64, error) {
		now, err := read()
		if err != nil {
			return 0, err
		}
		before := last
		last = now
		span := now.all - before.all
		if before.all == 0 || span <= 0 {
			return 0, nil
		}
		return min(1, max(0, (now.busy-before.busy-now.own+before.own)/span)), nil
	}
}
