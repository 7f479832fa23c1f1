package machine

import "golang.org/x/sys/unix"

// Other programs get nine tenths of a contested core, and the disk first (ionice(1)).
const backgroundNice = 10

// LowerPriority can't be undone. The thread must be locked to its goroutine and end with it.
func LowerPriority() error {
	inverted, err := unix.Getpriority(unix.PRIO_PROCESS, 0) // raw result of the system call: 20 - nice
	if err == nil && 20-inverted >= backgroundNice {
		return nil
	}
	return unix.Setpriority(unix.PRIO_PROCESS, 0, backgroundNice)
}
