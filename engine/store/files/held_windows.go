package files

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

// How long a file that somebody holds is waited for: virus scanners, backups and the system's own search open what was
// just written, for milliseconds, and Windows renames and removes nothing that is open.
const (
	firstWait = 5 * time.Millisecond
	lastWait  = 640 * time.Millisecond // 1.3 s in all
)

// whileHeld does something again while another program holds the file.
func whileHeld(do func() error) error {
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
