package native

import (
	"encoding/binary"
	"fmt"
	"io"
)

// The app sends calls and cancellations. The worker sends the other kinds.
const (
	frameCall   = byte(iota + 1) // body: operation, 1 byte; arguments
	frameCancel                  // no body; the caller no longer waits for the answer
	frameHello                   // id 0; body: the worker's version
	frameItem                    // body: a part of the answer
	frameDone                    // body: the remaining answer
	frameFailed                  // body: code and text of the Failure
)

// A frame consists of the length of the following bytes, the number of the call (both little-endian), the kind, and a
// body.
const (
	frameHead = 4 + 4 + 1
	// maxFrame exceeds the largest call, which has 4,096 rows and about 30 MB.
	maxFrame = 512 << 20
)

// frame returns the head of a frame, with capacity for a body.
func frame(id uint32, kind byte, room int) []byte {
	b := make([]byte, frameHead, frameHead+room)
	binary.LittleEndian.PutUint32(b[4:], id)
	b[8] = kind
	return b
}

// write writes the frame in b and rest, and sets the length in the head of b.
func write(w io.Writer, b []byte, rest Body) error {
	binary.LittleEndian.PutUint32(b, uint32(len(b)+len(rest)-4))
	if len(rest) < 64<<10 { // one system call
		b, rest = append(b, rest...), nil
	}
	_, err := w.Write(b)
	if err == nil && len(rest) > 0 {
		_, err = w.Write(rest)
	}
	return err
}

// readFrame reads a frame. It returns io.EOF if the other process exited between two frames. The caller owns body.
func readFrame(r io.Reader) (id uint32, kind byte, body []byte, err error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n < frameHead-4 || n > maxFrame {
		return 0, 0, nil, fmt.Errorf("read frame: %d bytes long", n)
	}
	body = make([]byte, n-(frameHead-4))
	if _, err := io.ReadFull(r, body); err != nil {
		return 0, 0, nil, fmt.Errorf("read frame: %w", err)
	}
	return binary.LittleEndian.Uint32(head[4:]), head[8], body, nil
}
