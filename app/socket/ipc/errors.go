package ipc

import (
	"errors"
	"fmt"
)

// Errors that Dial and Listen return, wrapped with the address.
var (
	// ErrNotListening: no process serves the address. The app does not run or is still starting.
	ErrNotListening = errors.New("no process listens")
	// ErrInUse: another process serves the address already.
	ErrInUse = errors.New("another process listens there")
	// ErrForeign: the other end, the socket or its folder belongs to another user.
	ErrForeign = errors.New("it belongs to another user")
	// ErrUnsafe: the socket's folder, or the file at the socket's path, is not as Listen would have made it.
	ErrUnsafe = errors.New("it is not safe to use")
)

// HeldError reports that another process has locked the data folder.
type HeldError struct {
	Dir    string
	Holder Holder // zero if the other process has not written it yet
}

func (e *HeldError) Error() string {
	if e.Holder.PID == 0 {
		return fmt.Sprintf("lock data folder %s: another Search MCP has it", e.Dir)
	}
	return fmt.Sprintf("lock data folder %s: Search MCP %s has it (process %d, since %s)", e.Dir, e.Holder.Version,
		e.Holder.PID, e.Holder.Started.Local().Format("2006-01-02 15:04:05"))
}
