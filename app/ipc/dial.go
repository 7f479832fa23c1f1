package ipc

import (
	"context"
	"errors"
	"net"
	"time"
)

// First and last pause between two tries of DialWait: quick enough that a starting app costs no noticeable wait, slow
// enough that waiting costs nothing.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = 200 * time.Millisecond
)

// DialWait dials until somebody listens or ctx ends, and then reports the last error. What waiting can't cure (another
// user's socket) it reports at once.
func DialWait(ctx context.Context, address string) (net.Conn, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		conn, err := Dial(ctx, address)
		if err == nil || !errors.Is(err, ErrNotListening) {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(err, context.Cause(ctx))
		case <-time.After(pause):
		}
	}
}
