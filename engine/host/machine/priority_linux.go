package machine

import "golang.org/x/sys/unix"

// backgroundNice is the niceness of work that nobody waits for: a person's programs get nine tenths of a contested
// core. The kernel derives the priority of a thread's disk accesses from it (ionice(1), best effort 6).
const backgroundNice = 10

// LowerPriority makes the calling thread yield to others. The caller has locked it to its goroutine and lets it end
// with it, because a thread can't take its priority back. Priority 0 of PRIO_PROCESS is this thread's alone. A
// thread that is nicer already stays so.
func LowerPriority() error {
	inverted, err := unix.Getpriority(unix.PRIO_PROCESS, 0) // the system call's result: 20 - nice
	if err == nil && 20-inverted >= backgroundNice {
		return nil
	}
	return unix.Setpriority(unix.PRIO_PROCESS, 0, backgroundNice)
}
