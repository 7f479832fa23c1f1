package native

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// Died: the worker ended during a call, whose effect is unknown.
type Died struct {
	Cause  string // for the log
	Memory bool   // it may have run out of memory
	Alone  bool   // no other call was running
	Status int    // exit status; -1 if ended by a signal
	// Outside: the user, a debugger or the system ended or stopped the worker.
	Outside bool
}

func (d *Died) Blames() bool { return d.Alone && !d.Outside && !d.Memory }

func (d *Died) Error() string { return "worker process ended: " + d.Cause }

// Is matches ENOMEM, so that callers retry with less data.
func (d *Died) Is(target error) bool { return d.Memory && target == syscall.ENOMEM }

// Messages of runtimes and libraries.
var noMemory = []string{"out of memory", "annot allocate memory", "memory allocation of", "bad_alloc", "bad allocation"}

// Faults of the program never raise these.
var sent = []string{"SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"}

// SI_USER and SI_TKILL. The codes of faults are positive.
var sigcode = regexp.MustCompile(`sigcode=(0|-\d+)\b`)

// Go's collector without memory: a read of address 0 on the system stack.
var starved = regexp.MustCompile(`SIGSEGV[^\n]*\nPC=\S+ m=\d+ sigcode=\d+ addr=0x0\s*\n` +
	`\s*goroutine 0 [^\n]*\n(?:runtime stack:\n)?runtime\.`)

// diedOf relies on Go's runtime, which prints the name of a signal from C and exits with 2. A nonpositive code in the
// next line means that another process or thread sent the signal. C and Rust abort without memory.
func diedOf(status int, signal string, killed bool, stderr string) *Died {
	d := &Died{Cause: signal, Memory: killed || starved.MatchString(stderr), Status: status,
		Outside: killed || slices.Contains(sent, signal)}
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
			d.Outside = true
		}
		for _, text := range noMemory {
			if strings.Contains(line, text) {
				d.Memory = true
			}
		}
	}
	return d
}
