package machine

import "golang.org/x/sys/unix"

// backgroundNice leaves other programs nine tenths of a contested core, and priority for the disk (ionice(1)).
const backgroundNice = 10

// LowerPriority lowers the calling thread's priority, which can't be raised again. The thread must be locked to its
// goroutine and end with it.
func LowerPriority() error {
	inverted, err := unix.Getpriority(unix.PRIO_PROCESS, 0) // raw result of the system call: 20 - nice
	if err == nil && 20-inverted >= backgroundNice {
		return nil
	}
	return unix.Setpriority(unix.PRIO_PROCESS, 0, backgroundNice)
}
