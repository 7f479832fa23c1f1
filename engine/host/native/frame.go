package native

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Kinds of frames. The app sends frameCall and frameCancel, and the worker sends the other kinds.
const (
	frameCall   = byte(iota + 1) // body: operation (1 byte) and arguments
	frameCancel                  // no body; the caller has stopped waiting for the answer
	frameHello                   // call number 0; body: the worker's version
	frameItem                    // body: a part of the answer, before frameDone
	frameDone                    // body: the last part of the answer
	frameFailed                  // body: code and text of the Failure
)

// A frame is a head and a body. The head contains the length of the following bytes, the call's number (both 4 bytes,
// little-endian) and the frame's kind (1 byte).
const (
	frameHead = 4 + 4 + 1
	// maxFrame is the maximum size of a frame in bytes. The largest call has about 30 MB.
	maxFrame = 512 << 20
)

func frame(id uint32, kind byte, capacity int) []byte {
	b := make([]byte, frameHead, frameHead+capacity)
	binary.LittleEndian.PutUint32(b[4:], id)
	b[8] = kind
	return b
}

func write(w io.Writer, head []byte, body Body) error {
	binary.LittleEndian.PutUint32(head, uint32(len(head)+len(body)-4))
	if len(body) < 64<<10 { // use a single system call for small frames
		head, body = append(head, body...), nil
	}
	_, err := w.Write(head)
	if err == nil && len(body) > 0 {
		_, err = w.Write(body)
	}
	return err
}

// readFrame reads a frame. It returns io.EOF if the input ends before a frame.
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
