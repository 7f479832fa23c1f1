package session

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/socket/jsonrpc"
)

// write writes the queued messages. It is the only writer. It writes a broadcast before any response that was queued
// after it.
func (s *Session) write() {
	w := bufio.NewWriterSize(s.conn, 64<<10)
	for {
		var err error
		select {
		case b := <-s.out:
			if err = s.writeNotes(w); err == nil {
				err = s.writeLine(w, b)
			}
		case n := <-s.notes:
			err = s.writeNote(w, n)
		case flushed := <-s.flush:
			for err == nil && len(s.out)+len(s.notes) > 0 {
				if err = s.writeNotes(w); err == nil && len(s.out) > 0 {
					err = s.writeLine(w, <-s.out)
				}
			}
			if err == nil {
				err = s.flushBuffer(w)
			}
			close(flushed)
		case <-s.done:
			return
		}
		if err == nil && len(s.out)+len(s.notes) == 0 {
			err = s.flushBuffer(w)
		}
		if err != nil {
			s.o.Log.Debug("session not writable", "session", s.id, "err", err)
			s.close()
			return
		}
	}
}

func (s *Session) writeNotes(w *bufio.Writer) error {
	for {
		select {
		case n := <-s.notes:
			if err := s.writeNote(w, n); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func (s *Session) writeNote(w *bufio.Writer, n mcp.JSONRPCNotification) error {
	b, err := json.Marshal(n)
	if err != nil {
		s.o.Log.Error("notification not encodable", "method", n.Method, "err", err)
		return nil // the connection still works
	}
	return s.writeLine(w, b)
}

// writeLine writes b and a newline. It sets the write deadline first, because a long line may flush the buffer.
func (s *Session) writeLine(w *bufio.Writer, b []byte) error {
	if err := s.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return fmt.Errorf("set write deadline: %w", err)
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	if err := w.WriteByte('\n'); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}

func (s *Session) flushBuffer(w *bufio.Writer) error {
	if err := s.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return fmt.Errorf("set write deadline: %w", err)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write messages: %w", err)
	}
	return nil
}

// send queues a message. It blocks while the queue is full, to slow down the handlers of a client that does not read.
func (s *Session) send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	select {
	case s.out <- b:
		return nil
	case <-s.done:
		return net.ErrClosed
	}
}

func (s *Session) trySend(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		s.o.Log.Error("message not encodable", "session", s.id, "err", err)
		return
	}
	select {
	case s.out <- b:
	case <-s.done:
	default:
	}
}

func (s *Session) Notify(method string, params any) error {
	return s.send(jsonrpc.Notification(method, params))
}

func (s *Session) TryNotify(method string, params any) {
	s.trySend(jsonrpc.Notification(method, params))
}

// Drain waits until all queued messages are written, but no longer than atMost.
func (s *Session) Drain(atMost time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), atMost)
	defer cancel()
	flushed := make(chan struct{})
	select {
	case s.flush <- flushed:
	case <-s.done:
		return
	case <-ctx.Done():
		return
	}
	select {
	case <-flushed:
	case <-s.done:
	case <-ctx.Done():
	}
}
