package native

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Kinds of frame. The app sends calls and cancellations, the worker the rest.
const (
	frameCall   = byte(iota + 1) // body: operation, 1 byte; arguments
	frameCancel                  // no body; nobody waits for the answer any more
	frameHello                   // id 0; body: the worker's version
	frameItem                    // a part of the answer, handed over as it comes
	frameDone                    // body: the rest of the answer
	frameFailed                  // body: Failure's code and text
)

// A frame is its length without these four bytes, the call's number and its kind, all little-endian, and a body.
const (
	frameHead = 4 + 4 + 1
	// maxFrame is more than any call needs (4,096 rows with their text are some 30 MB): beyond it the two have lost step.
	maxFrame = 512 << 20
)

// frame begins a frame; the body, or its beginning, is appended to it before write.
func frame(id uint32, kind byte, room int) []byte {
	b := make([]byte, frameHead, frameHead+room)
	binary.LittleEndian.PutUint32(b[4:], id)
	b[8] = kind
	return b
}

// write writes a frame that frame began, and the rest of its body, which is not copied for it.
func write(w io.Writer, b []byte, rest Body) error {
	binary.LittleEndian.PutUint32(b, uint32(len(b)+len(rest)-4))
	if len(rest) < 64<<10 { // one call of the system
		b, rest = append(b, rest...), nil
	}
	_, err := w.Write(b)
	if err == nil && len(rest) > 0 {
		_, err = w.Write(rest)
	}
	return err
}

// readFrame returns the next frame; its body is the caller's. io.EOF means that the other side has ended between
// two frames.
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
