package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	bufferSize = 64 << 10 // most messages are read with one call of the system
	keptStart  = 64 << 10 // of a message that is too long: enough to find its id
)

// Reader splits a stream into messages.
type Reader struct {
	r     *bufio.Reader
	limit int
}

// NewReader reads messages of at most limit bytes, the newline not counted.
func NewReader(r io.Reader, limit int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, bufferSize), limit: limit}
}

// TooLongError says that a message is longer than the limit. It has been read to its end; reading may go on.
type TooLongError struct {
	Start []byte // of the message
	Size  int    // bytes in all
	Limit int
}

// Error names the limit.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("a message of %d bytes is longer than %d MB", e.Size, e.Limit>>20)
}

// ReadLine returns the next message, without its newline and space around it; it may be empty. The error is io.EOF at
// the end, io.ErrUnexpectedEOF together with what stands before the end without a newline, a *TooLongError, or the
// stream's.
func (r *Reader) ReadLine() ([]byte, error) {
	var line []byte
	size := 0
	for {
		part, err := r.r.ReadSlice('\n')
		size += len(part)
		length := size
		if err == nil {
			length-- // the newline
		}
		long := length > r.limit
		if long {
			line = line[:min(len(line), keptStart):min(len(line), keptStart)]
			part = part[:min(len(part), keptStart-len(line))]
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && size > 0:
			err = io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		}
		if long {
			return nil, &TooLongError{Start: line, Size: length, Limit: r.limit}
		}
		return bytes.TrimSpace(line), err
	}
}
