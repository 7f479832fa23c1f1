package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	bufferSize = 64 << 10
	keptStart  = 64 << 10 // bytes kept of an oversized message, to find the id
)

type Reader struct {
	r     *bufio.Reader
	limit int
}

func NewReader(r io.Reader, limit int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, bufferSize), limit: limit}
}

// TooLongError reports a message that exceeded the limit and was skipped. Start is its beginning.
type TooLongError struct {
	Start []byte
	Size  int
	Limit int
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("a message of %d bytes is longer than %d MB", e.Size, e.Limit>>20)
}

// ReadLine returns the next line without its newline, or a *TooLongError. If the last line lacks a newline, ReadLine
// returns it with io.ErrUnexpectedEOF.
func (r *Reader) ReadLine() ([]byte, error) {
	var line []byte
	size := 0
	for {
		part, err := r.r.ReadSlice('\n')
		size += len(part)
		length := size
		if err == nil {
			length-- // excludes the newline
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
