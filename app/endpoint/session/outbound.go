package session

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/socket/jsonrpc"
)

// write is the only goroutine that writes to the connection. It writes a broadcast before any response queued later.
func (s *Session) write() {
	for {
		var err error
		select {
		case m := <-s.out:
			if err = s.writeNotes(); err == nil && m.line != nil {
				err = s.writeLine(m.line)
			}
			if m.written != nil {
				close(m.written)
			}
		case n := <-s.notes:
			err = s.writeNote(n)
		case <-s.done:
			return
		}
		if err != nil {
			s.o.Log.Debug("session not writable", "session", s.id, "err", err)
			s.close()
			return
		}
	}
}

func (s *Session) writeNotes() error {
	for {
		select {
		case n := <-s.notes:
			if err := s.writeNote(n); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func (s *Session) writeNote(n mcp.JSONRPCNotification) error {
	b, err := json.Marshal(n)
	if err != nil {
		s.o.Log.Error("notification not encodable", "method", n.Method, "err", err)
		return nil // only this notification is dropped
	}
	return s.writeLine(b)
}

func (s *Session) writeLine(b []byte) error {
	if err := s.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return fmt.Errorf("set write deadline: %w", err)
	}
	if _, err := s.conn.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}

// send queues a message. It blocks while the queue is full, which slows down the handlers of a client that does not
// read.
func (s *Session) send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	select {
	case s.out <- outgoing{line: b}:
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
	case s.out <- outgoing{line: b}:
	default:
	}
}

func (s *Session) Notify(method string, params any) error {
	return s.send(jsonrpc.Notification(method, params))
}

func (s *Session) TryNotify(method string, params any) {
	s.trySend(jsonrpc.Notification(method, params))
}

func (s *Session) Drain(atMost time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), atMost)
	defer cancel()
	written := make(chan struct{})
	select {
	case s.out <- outgoing{written: written}:
	case <-s.done:
	case <-ctx.Done():
	}
	select {
	case <-written:
	case <-s.done:
	case <-ctx.Done():
	}
}
