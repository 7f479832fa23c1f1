package machine

import "golang.org/x/sys/unix"

// backgroundNice is the niceness of background work, with which other programs get nine tenths of a contested core. The
// kernel derives the priority of a thread's disk accesses from it (ionice(1), best effort 6).
const backgroundNice = 10

// LowerPriority lowers the calling thread's priority. The caller must lock the thread to its goroutine and let it end
// with the goroutine, because a thread can't raise its priority again. The priority of a thread with a higher niceness
// is not changed.
func LowerPriority() error {
	inverted, err := unix.Getpriority(unix.PRIO_PROCESS, 0) // raw result of the system call: 20 - nice
	if err == nil && 20-inverted >= backgroundNice {
		return nil
	}
	return unix.Setpriority(unix.PRIO_PROCESS, 0, backgroundNice)
}
