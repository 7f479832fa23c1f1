package serve

import (
	"os"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// allowed lists the permitted system calls. All others fail with EPERM.
var allowed = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_CLOSE, unix.SYS_FSTAT, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MREMAP, unix.SYS_MADVISE, unix.SYS_BRK, unix.SYS_MINCORE,
	unix.SYS_FUTEX, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_MEMBARRIER, unix.SYS_RESTART_SYSCALL, unix.SYS_GETRANDOM,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_SETITIMER,
	unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_DELETE, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRUSAGE, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT,
	unix.SYS_EVENTFD2, unix.SYS_PIPE2,
}

var arches = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// Offsets in struct seccomp_data, which the filter reads.
const (
	dataNumber = 0
	dataArch   = 4
	dataFirst  = 16 // lower half of the first argument
	dataSecond = 24 // lower half of the second argument
)

// sandbox permanently restricts this process to the system calls in allowed. On kernels without seccomp filters, it
// only prevents core dumps and writing to files.
func sandbox() {
	for resource, most := range map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: 0} {
		_ = unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most}) // lowering a limit never fails
	}
	arch, ok := arches[runtime.GOARCH]
	if !ok {
		return
	}
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	equal := func(k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: yes, Jf: no, K: k}
	}
	answer := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	refuse := func(e unix.Errno) unix.SockFilter { return answer(unix.SECCOMP_RET_ERRNO | uint32(e)) }
	filter := []unix.SockFilter{
		load(dataArch), equal(arch, 1, 0), answer(unix.SECCOMP_RET_KILL_PROCESS),
		load(dataNumber),
		// Allow the creation of threads, but not of processes. A filter can't inspect the flags of clone3. If clone3
		// fails with ENOSYS, libc uses clone.
		equal(unix.SYS_CLONE3, 0, 1), refuse(unix.ENOSYS),
		equal(unix.SYS_CLONE, 0, 4),
		load(dataFirst), {Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: 0, Jf: 1, K: unix.CLONE_THREAD},
		answer(unix.SECCOMP_RET_ALLOW), refuse(unix.EPERM),
		// Allow signals to threads of this process, which Go's scheduler sends.
		equal(unix.SYS_TGKILL, 0, 4),
		load(dataFirst), equal(uint32(os.Getpid()), 0, 1), answer(unix.SECCOMP_RET_ALLOW), refuse(unix.EPERM),
	}
	// Allow the fcntl commands that Go uses for pipes. Others, such as F_SETOWN, can send signals to another process.
	commands := []uint32{unix.F_GETFL, unix.F_GETFD, unix.F_SETFD, unix.F_DUPFD_CLOEXEC}
	filter = append(filter, equal(unix.SYS_FCNTL, 0, uint8(2*len(commands)+2)), load(dataSecond))
	for _, c := range commands {
		filter = append(filter, equal(c, 0, 1), answer(unix.SECCOMP_RET_ALLOW))
	}
	filter = append(filter, refuse(unix.EPERM))
	for _, n := range slices.Sorted(slices.Values(allowed)) {
		filter = append(filter, equal(n, 0, 1), answer(unix.SECCOMP_RET_ALLOW))
	}
	filter = append(filter, refuse(unix.EPERM))
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread() // SECCOMP_FILTER_FLAG_TSYNC copies the filter of this thread to all threads
	defer runtime.UnlockOSThread()
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == nil {
		_, _, _ = unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
			uintptr(unsafe.Pointer(&program)))
	}
}
