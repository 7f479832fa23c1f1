package native

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// Died is the end of a worker during a call. Nothing is known of what the call did.
type Died struct {
	Cause  string // for the log: a signal's name, "killed", an exit status
	Memory bool   // perhaps for want of memory
	Alone  bool   // no other call was running: this one is to blame, or the machine
	Status int    // with which it ended by itself; -1: a signal ended it
	// Outside: something else ended or stopped it, whatever it was at: a person, a debugger, the system for want of
	// memory.
	Outside bool
}

// Blames reports that the call itself ended its worker: nothing else was running, and nothing came from outside.
func (d *Died) Blames() bool { return d.Alone && !d.Outside && !d.Memory }

// Error implements error.
func (d *Died) Error() string { return "the process for native code ended: " + d.Cause }

// Is has a death for want of memory be ENOMEM, so that callers do less at once.
func (d *Died) Is(target error) bool { return d.Memory && target == syscall.ENOMEM }

// noMemory are texts with which runtimes and libraries say that memory ran out before they abort.
var noMemory = []string{"out of memory", "annot allocate memory", "memory allocation of", "bad_alloc", "bad allocation"}

// sent are signals that no fault of a program raises.
var sent = []string{"SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"}

// sigcode is how Go's runtime names the sender of a signal (SI_USER, SI_TKILL): what the processor raised is positive.
var sigcode = regexp.MustCompile(`sigcode=(0|-\d+)\b`)

// starved is how Go's runtime ends where its collector was refused memory and went on without: it reads at address 0 on
// a stack of its own, which nothing else makes it do.
var starved = regexp.MustCompile(`SIGSEGV[^\n]*\nPC=\S+ m=\d+ sigcode=\d+ addr=0x0\s*\n` +
	`\s*goroutine 0 [^\n]*\n(?:runtime stack:\n)?runtime\.`)

// diedOf tells a death from how the process ended: status and killed as the system reports them, and the beginning
// of what it wrote to its standard error since. Go's runtime turns a signal of C's into a line that names it and
// exit status 2; the line after that says by a number that is not positive that another process or thread sent it. An
// abort is what C and Rust answer a failed allocation with, and a kill is the system's answer to want of memory.
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
