//go:build !linux

package watch

import (
	"log/slog"
	"time"
)

// sleepClock compares the wall clock with Go's monotonic one, which stops in sleep on macOS. Setting the clock forward
// looks the same and costs a pass. Windows counts sleep in both; there watches survive sleep and the daily pass
// remains.
type sleepClock struct{ began time.Time }

func openClock(*slog.Logger) clock { return &sleepClock{began: time.Now()} }

func (c *sleepClock) sleptFor() time.Duration {
	now := time.Now()
	return now.Round(0).Sub(c.began.Round(0)) - now.Sub(c.began)
}

func (c *sleepClock) resumed() <-chan struct{} { return nil }

func (c *sleepClock) close() {}

// mounts never reports anything here: a vanished root is noticed by its removal event, by the next pass, or by Check.
type mounts struct{ changed chan struct{} }

func openMounts() (*mounts, error) { return &mounts{}, nil }

func (m *mounts) close() {}

func mountsBelow(string) string { return "" }

// limitAdvice says in words why the system gives no more watches. A watch takes open files here, one for every file of
// a watched folder on macOS and the BSDs.
func limitAdvice(error) string {
	return "the system's limit on open files is reached; to lift it, raise it with ulimit -n or launchctl limit maxfiles"
}
