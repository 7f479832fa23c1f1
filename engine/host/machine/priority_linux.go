package machine

import "golang.org/x/sys/unix"

// If a thread at nice 10 and a thread at nice 0 share a core, Linux gives the first about a tenth of the time. The
// niceness also lowers the disk priority (ionice(1)).
const backgroundNice = 10

// LowerPriority permanently lowers the priority of the calling thread, which must remain locked to its goroutine.
func LowerPriority() error {
	inverted, err := unix.Getpriority(unix.PRIO_PROCESS, 0) // the system call returns 20 - nice
	if err == nil && 20-inverted >= backgroundNice {
		return nil
	}
	return unix.Setpriority(unix.PRIO_PROCESS, 0, backgroundNice)
}
