package machine

import (
	"fmt"
	"time"

	"golang.org/x/sys/windows"
)

// ProcessorTime returns the processor time of this process. Windows measures it in steps of 16 ms.
func ProcessorTime() (time.Duration, error) {
	var created, ended, system, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &system, &user); err != nil {
		return 0, fmt.Errorf("read own processor time: %w", err)
	}
	return span(system) + span(user), nil
}

func span(f windows.Filetime) time.Duration {
	return 100 * time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime))
}
