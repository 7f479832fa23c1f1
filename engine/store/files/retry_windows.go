package files

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

const (
	firstWait = 5 * time.Millisecond
	lastWait  = 640 * time.Millisecond // the waits add up to 1.3 s
)

// retryLocked retries do while another program, such as a virus scanner, has the file open. Windows can't rename or
// remove open files.
func retryLocked(do func() error) error {
	for wait := firstWait; ; wait *= 2 {
		err := do()
		held := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) ||
			errors.Is(err, windows.ERROR_LOCK_VIOLATION)
		if !held || wait > lastWait {
			return err
		}
		time.Sleep(wait)
	}
}
