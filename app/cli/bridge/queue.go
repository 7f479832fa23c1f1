package bridge

import (
	"bufio"
	"io"
	"sync"
)

// Limits of a queue. A peer whose queue is full does not read, because an editor sends a few kilobytes per second.
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
	hurry  bool // pushWait no longer waits for space
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

// push adds a line without waiting. It returns false if the queue is full or closed.
func (q *queue) push(line []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.add(line, 1)
}

// pushOwn adds one of the bridge's lines, with twice the limits, so that the app's lines can't displace an answer.
func (q *queue) pushOwn(line []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.add(line, 2)
}

// pushWait adds a line as soon as the queue has space. It returns false if the queue is closed or ending.
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

// pop returns the next line and whether more are waiting. ok is false at the end of a closed queue.
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

// drain writes lines until the queue is closed and empty. It flushes whenever the queue is empty.
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

// close refuses further lines. Queued lines can still be popped.
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
