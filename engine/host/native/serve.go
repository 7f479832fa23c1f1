package native

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
)

// Handler implements an operation. It may call item for each part of the answer. ctx ends when the caller stops
// waiting.
type Handler func(ctx context.Context, args Body, item func(Body)) (Body, error)

// Failure is an error of a handler. Callers distinguish failures by Code.
type Failure struct{ Code, Text string }

func (f *Failure) Error() string { return f.Text }

// Is reports whether target is ENOMEM and memory ran out. Callers then retry with less data.
func (f *Failure) Is(target error) bool { return target == syscall.ENOMEM && outOfMemory(f.Text) }

type Service struct {
	Version  string
	Handlers Handlers
	// Code, if not nil, returns the Failure.Code for a handler's error, or "".
	Code func(error) string
}

type server struct {
	Service
	write sync.Mutex
	out   io.Writer

	mu    sync.Mutex
	calls map[uint32]context.CancelFunc
}

// Serve handles the calls that it reads from in, until in ends. It doesn't wait for calls in flight, because native
// calls can't be interrupted.
func (s Service) Serve(in io.Reader, out io.Writer) error {
	v := &server{Service: s, out: out, calls: map[uint32]context.CancelFunc{}}
	v.send(frame(0, frameHello, len(s.Version)), Body(s.Version))
	in = bufio.NewReaderSize(in, 64<<10)
	for {
		id, kind, body, err := readFrame(in)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read call: %w", err)
		case kind == frameCancel:
			v.mu.Lock()
			if cancel := v.calls[id]; cancel != nil {
				cancel()
			}
			v.mu.Unlock()
		case kind == frameCall && len(body) > 0:
			ctx, cancel := context.WithCancel(context.Background())
			v.mu.Lock()
			v.calls[id] = cancel
			v.mu.Unlock()
			go v.answer(ctx, id, body[0], body[1:])
		default:
			return fmt.Errorf("read call: unexpected frame of kind %d", kind)
		}
	}
}

func (v *server) answer(ctx context.Context, id uint32, op byte, args []byte) {
	defer func() {
		v.mu.Lock()
		v.calls[id]()
		delete(v.calls, id)
		v.mu.Unlock()
	}()
	handler := v.Handlers[op]
	if handler == nil {
		v.fail(id, fmt.Errorf("unknown operation %d", op))
		return
	}
	item := func(b Body) { v.send(frame(id, frameItem, 0), b) }
	out, err := handler(ctx, args, item)
	if err != nil {
		v.fail(id, err)
		return
	}
	v.send(frame(id, frameDone, 0), out)
}

func (v *server) fail(id uint32, err error) {
	code := ""
	if v.Code != nil {
		code = v.Code(err)
	}
	v.send(frame(id, frameFailed, 64), Encode(&Failure{code, err.Error()}))
}

// send writes a frame to the app. It ignores errors, which occur only after the app has exited.
func (v *server) send(head []byte, body Body) {
	v.write.Lock()
	defer v.write.Unlock()
	_ = write(v.out, head, body)
}
