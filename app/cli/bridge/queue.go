package bridge

import (
	"bufio"
	"io"
	"sync"
)

// Limits of a queue. Editors send a few kilobytes per second, so a peer with a full queue does not read.
const (
	queueLines = 10_000
	queueBytes = 32 << 20
)

// queue is a bounded FIFO of lines between a reader and a possibly slow writer.
type queue struct {
	mu     sync.Mutex
	change sync.Cond
	lines  [][]byte
	bytes  int
	hurry  bool // pushWait fails instead of waiting for space
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

// push adds a line without blocking. It returns false if the queue is full or closed.
func (q *queue) push(line []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.add(line, 1)
}

// pushOwn is push with twice the limits, for the bridge's own lines, so that the app's lines can't displace them.
func (q *queue) pushOwn(line []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.add(line, 2)
}

// pushWait adds a line once the queue has space. It returns false if the queue is closed or hurry is set.
func (q *queue) pushWait(line []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.full(1) && !q.closed && !q.hurry {
		q.change.Wait()
	}
	return q.add(line, 1)
}

func (q *queue) add(line []byte, factor int) bool {
	if q.closed || q.full(factor) {
		return false
	}
	q.lines = append(q.lines, line)
	q.bytes += len(line)
	q.change.Broadcast()
	return true
}

// pop waits for the next line. more reports whether another line is queued. ok is false at the end of a closed queue.
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

// drain writes lines until the queue is closed and empty. It flushes when no line is waiting.
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

// close makes the queue refuse more lines. Queued lines are still written.
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
