package files

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

// Times between attempts. Virus scanners, backups and the desktop search open new files for milliseconds, and Windows
// neither renames nor removes open files.
const (
	firstWait = 5 * time.Millisecond
	lastWait  = 640 * time.Millisecond // 1.3 s in total
)

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
