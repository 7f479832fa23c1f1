package bridge

import (
	"bufio"
	"io"
	"sync"
)

const (
	queueLines = 10_000   // maximum lines; a queue is full only if the peer does not read
	queueBytes = 32 << 20 // maximum bytes
)

type queue struct {
	mu     sync.Mutex
	change sync.Cond
	lines  [][]byte
	bytes  int
	hurry  bool // if set, pushWait returns at once
	closed bool
}

func newQueue() *queue {
	q := &queue{}
	q.change.L = &q.mu
	return q
}

func (q *queue) full(factor int) bool {
	return len(q.lines) >= factor*queueLines || q.bytes >= factor*queueBytes
}

// push appends line. It returns false if the queue is full or closed.
func (q *queue) push(line []byte) bool { return q.add(line, 1, false) }

// pushOwn appends a line from the bridge. Its limit is twice as high, because the app's lines may fill the queue.
func (q *queue) pushOwn(line []byte) bool { return q.add(line, 2, false) }

// pushWait appends line and waits for space. It returns false if the queue is closed, or if it is full and hurry is
// set.
func (q *queue) pushWait(line []byte) bool { return q.add(line, 1, true) }

func (q *queue) add(line []byte, factor int, wait bool) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for wait && q.full(factor) && !q.closed && !q.hurry {
		q.change.Wait()
	}
	if q.closed || q.full(factor) {
		return false
	}
	q.lines = append(q.lines, line)
	q.bytes += len(line)
	q.change.Broadcast()
	return true
}

// pop waits for a line and removes it. more reports whether further lines follow. ok is false if the queue is closed
// and empty.
func (q *queue) pop() (line []byte, more, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.lines) == 0 && !q.closed {
		q.change.Wait()
	}
	if len(q.lines) == 0 {
		return nil, false, false
	}
	line = q.lines[0]
	q.lines[0] = nil
	q.lines = q.lines[1:]
	q.bytes -= len(line)
	q.change.Broadcast()
	return line, len(q.lines) > 0, true
}

func (q *queue) drain(to io.Writer) error {
	w := bufio.NewWriterSize(to, 64<<10)
	for {
		line, more, ok := q.pop()
		if !ok {
			return w.Flush()
		}
		_, err := w.Write(line)
		if err == nil {
			err = w.WriteByte('\n')
		}
		if err == nil && !more {
			err = w.Flush()
		}
		if err != nil {
			return err
		}
	}
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.change.Broadcast()
	q.mu.Unlock()
}

func (q *queue) noWait() {
	q.mu.Lock()
	q.hurry = true
	q.change.Broadcast()
	q.mu.Unlock()
}
