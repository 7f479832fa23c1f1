package ipc

import (
	"errors"
	"fmt"
)

// What Dial and Listen report, wrapped with the address.
var (
	// ErrNotListening: nobody serves the address; the app does not run or has not come so far yet.
	ErrNotListening = errors.New("nobody listens")
	// ErrInUse: another process serves the address already.
	ErrInUse = errors.New("another process listens there")
	// ErrForeign: the other end, the socket or its folder belongs to another user.
	ErrForeign = errors.New("it belongs to another user")
	// ErrUnsafe: the folder of the socket, or what lies at its place, is not what we would have made.
	ErrUnsafe = errors.New("it is not safe to use")
)

// HeldError says that another process has the data folder.
type HeldError struct {
	Dir    string
	Holder Holder // zero if the holder has not said who it is
}

// Error names the holder.
func (e *HeldError) Error() string {
	if e.Holder.PID == 0 {
		return fmt.Sprintf("lock data folder %s: another Search MCP has it", e.Dir)
	}
	return fmt.Sprintf("lock data folder %s: Search MCP %s has it (process %d, since %s)", e.Dir, e.Holder.Version,
		e.Holder.PID, e.Holder.Started.Local().Format("2006-01-02 15:04:05"))
}
