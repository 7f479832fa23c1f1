package machine

import "golang.org/x/sys/unix"

// backgroundNice gives other programs nine tenths of a contested core, and precedence for the disk (ionice(1)).
const backgroundNice = 10

// LowerPriority permanently lowers the priority of the calling thread. The thread must be locked to its goroutine and
// end with it.
func LowerPriority() error {
	inverted, err := unix.Getpriority(unix.PRIO_PROCESS, 0) // raw result of the system call: 20 - nice
	if err == nil && 20-inverted >= backgroundNice {
		return nil
	}
	return unix.Setpriority(unix.PRIO_PROCESS, 0, backgroundNice)
}
