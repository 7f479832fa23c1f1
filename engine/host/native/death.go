package native

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// CrashError is the error of a call whose worker process died. The worker may already have executed the call.
type CrashError struct {
	Cause    string
	Memory   bool // the worker may have run out of memory
	OnlyCall bool // no other call was running
	Status   int  // exit status; -1 if killed by a signal
	// Killed is true if the user, a debugger or the system stopped the worker.
	Killed bool
}

func (d *CrashError) CausedByCall() bool { return d.OnlyCall && !d.Killed && !d.Memory }

func (d *CrashError) Error() string { return "worker process ended: " + d.Cause }

// Is reports whether target is ENOMEM and the worker ran out of memory. Callers then retry with less data.
func (d *CrashError) Is(target error) bool { return d.Memory && target == syscall.ENOMEM }

// noMemory lists parts of the messages that libraries and runtimes print when memory runs out.
var noMemory = []string{"out of memory", "annot allocate memory", "memory allocation of", "bad_alloc", "bad allocation",
	"ailed to allocate"}

func outOfMemory(text string) bool {
	return slices.ContainsFunc(noMemory, func(part string) bool { return strings.Contains(text, part) })
}

// sent lists signals that come from another process, never from a crash.
var sent = []string{"SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"}

// sigcode matches Go's crash output if another process sent the signal. A crash has a positive code.
var sigcode = regexp.MustCompile(`sigcode=(0|-\d+)\b`)

// starved matches the crash output of Go's garbage collector when memory runs out: a read of address 0.
var starved = regexp.MustCompile(`SIGSEGV[^\n]*\nPC=\S+ m=\d+ sigcode=\d+ addr=0x0\s*\n` +
	`\s*goroutine 0 [^\n]*\n(?:runtime stack:\n)?runtime\.`)

// diedOf finds the cause of a worker's death. Go's runtime prints a signal in C code and exits with status 2. C and
// Rust code raises SIGABRT if memory runs out.
func diedOf(status int, signal string, killed bool, stderr string) *CrashError {
	d := &CrashError{Cause: signal, Memory: killed || starved.MatchString(stderr), Status: status,
		Killed: killed || slices.Contains(sent, signal)}
	if signal == "" {
		d.Cause = fmt.Sprintf("exit status %d", status)
	}
	for line := range strings.Lines(stderr) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch name {
		case "SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS":
			d.Cause = name
		case "SIGABRT":
			d.Cause, d.Memory = name, true
		}
		if m := sigcode.FindStringSubmatch(line); m != nil && !d.Memory {
			d.Killed = true
		}
		d.Memory = d.Memory || outOfMemory(line)
	}
	return d
}
