package native

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Operations of the worker that this test program is.
const (
	opEcho = byte(iota + 1)
	opItems
	opKill
	opWait
	opFail
	opSpeak
	opHang
	opDeaf
	opTake
)

const workerEnv = "SEARCH_MCP_TEST_NATIVE"

func TestMain(m *testing.M) {
	if version := os.Getenv(workerEnv); version != "" {
		os.Exit(serveTest(version))
	}
	os.Exit(m.Run())
}

var errKnown = errors.New("known")

func serveTest(version string) int {
	s := Service{Version: version, Code: func(err error) string {
		if errors.Is(err, errKnown) {
			return "known"
		}
		return ""
	}, Handlers: map[byte]Handler{
		opEcho: func(_ context.Context, r *Reader, _ func(Body)) (Body, error) {
			text := r.Text()
			return Body{}.Text(text), r.End()
		},
		opItems: func(_ context.Context, r *Reader, item func(Body)) (Body, error) {
			for i := range r.Uint() {
				item(Body{}.Uint(i))
			}
			return nil, nil
		},
		opKill: func(_ context.Context, r *Reader, _ func(Body)) (Body, error) {
			die(r.Uint())
			select {} // it comes
		},
		opWait: func(ctx context.Context, _ *Reader, item func(Body)) (Body, error) {
			item(Body{})
			<-ctx.Done()
			return nil, nil
		},
		opHang: func(context.Context, *Reader, func(Body)) (Body, error) { select {} },
		opDeaf: func(context.Context, *Reader, func(Body)) (Body, error) { deaf.Store(true); return nil, nil },
		opTake: func(_ context.Context, r *Reader, _ func(Body)) (Body, error) {
			b := make([]byte, r.Uint())
			for i := range b {
				b[i] = byte(i)
			}
			return Body{}.Uint(int(b[len(b)-1])), nil
		},
		opFail: func(context.Context, *Reader, func(Body)) (Body, error) { return nil, errKnown },
		opSpeak: func(_ context.Context, r *Reader, _ func(Body)) (Body, error) {
			_, _ = os.Stderr.WriteString(r.Text() + "\n")
			os.Exit(2)
			return nil, nil
		},
	}}
	if s.Serve(input{}, os.Stdout) != nil {
		return 1
	}
	return 0
}

// input is standard input, of which nothing is read any more once the worker is deaf.
type input struct{}

var deaf atomic.Bool

func (input) Read(b []byte) (int, error) {
	n, err := os.Stdin.Read(b)
	if deaf.Load() {
		<-time.After(time.Hour) // the test has ended; without a timer Go would call it a deadlock
	}
	return n, err
}

func start(t *testing.T, change func(*Options)) *Process {
	t.Helper()
	o := Options{Name: "test", Program: os.Executable, Env: []string{workerEnv + "=1"}, Version: "1",
		Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&o)
	}
	p := New(o)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func echo(t *testing.T, p *Process) {
	t.Helper()
	r, err := p.Retry(t.Context(), opEcho, Body{}.Text("x"), nil)
	if err != nil || r.Text() != "x" {
		t.Error(err)
	}
}

// Many calls at once get each its own answer, whatever its size.
func TestCalls(t *testing.T) {
	p := start(t, nil)
	if p.Running() {
		t.Error("it runs before the first call")
	}
	var g sync.WaitGroup
	for i := range 50 {
		g.Go(func() {
			want := strings.Repeat("x", i*i*100)
			r, err := p.Call(t.Context(), opEcho, Body{}.Text(want), nil)
			if err != nil || r.Text() != want || r.End() != nil {
				t.Errorf("call %d: %v", i, err)
			}
			var got []int
			_, err = p.Call(t.Context(), opItems, Body{}.Uint(i), func(r *Reader) { got = append(got, r.Uint()) })
			if err != nil || len(got) != i || !slices.IsSorted(got) {
				t.Errorf("items of %d: %v, %v", i, got, err)
			}
		})
	}
	g.Wait()
	if p.Starts() != 1 {
		t.Errorf("%d starts", p.Starts())
	}
}

func TestFailure(t *testing.T) {
	p := start(t, nil)
	var f *Failure
	if _, err := p.Call(t.Context(), opFail, nil, nil); !errors.As(err, &f) || f.Code != "known" || f.Text != "known" {
		t.Errorf("%v", err)
	}
	if _, err := p.Call(t.Context(), 99, nil, nil); !errors.As(err, &f) || f.Code != "" {
		t.Errorf("unknown operation: %v", err)
	}
	echo(t, p)
}

func TestCancel(t *testing.T) {
	p := start(t, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	if _, err := p.Call(ctx, opWait, nil, func(*Reader) { cancel(enough) }); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
	echo(t, p)
}

// A death says its cause; the next call finds a new worker.
func TestDeaths(t *testing.T) {
	for signal, want := range deaths {
		p := start(t, nil)
		var died *Died
		_, err := p.Retry(t.Context(), opKill, Body{}.Uint(signal), nil)
		if errors.As(err, &died) {
			want.Status = died.Status // the runtime's own affair
		}
		if died == nil || *died != want {
			t.Errorf("%#x: %+v, %v", signal, died, err)
		}
		if errors.Is(died, syscall.ENOMEM) != want.Memory {
			t.Errorf("%#x: not told as want of memory", signal)
		}
		echo(t, p)
		if p.Starts() != 3 {
			t.Errorf("%#x: %d starts", signal, p.Starts())
		}
	}
}

// A worker that does not answer is killed, which is no want of memory; the next call finds a new one.
func TestSilence(t *testing.T) {
	p := start(t, func(o *Options) { o.Silence = 300 * time.Millisecond })
	var died *Died
	_, err := p.Retry(t.Context(), opHang, nil, nil)
	if !errors.As(err, &died) || *died != (Died{Cause: "no answer within 300ms", Alone: true}) {
		t.Errorf("%+v, %v", died, err)
	}
	echo(t, p)
	if p.Starts() != 3 {
		t.Errorf("%d starts", p.Starts())
	}
}

// A worker that reads nothing is killed as well, although the pipe is full.
func TestDeaf(t *testing.T) {
	p := start(t, func(o *Options) { o.Silence = 300 * time.Millisecond })
	if _, err := p.Call(t.Context(), opDeaf, nil, nil); err != nil {
		t.Fatal(err)
	}
	var died *Died
	_, err := p.Call(t.Context(), opEcho, Body{}.Text(strings.Repeat("x", 4<<20)), nil)
	if !errors.As(err, &died) || died.Cause != "no answer within 300ms" {
		t.Errorf("%v", err)
	}
	echo(t, p)
	if p.Starts() != 2 {
		t.Errorf("%d starts", p.Starts())
	}
}

// A call that waits for somebody else may be silent for longer.
func TestPatient(t *testing.T) {
	p := start(t, func(o *Options) { o.Silence = 100 * time.Millisecond })
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := p.Call(Patient(ctx), opWait, nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	echo(t, p)
	if p.Starts() != 1 {
		t.Errorf("%d starts", p.Starts())
	}
}

// What a library says before it ends tells want of memory.
func TestWantOfMemory(t *testing.T) {
	p := start(t, nil)
	for text, memory := range map[string]bool{
		"memory allocation of 400 bytes failed": true, "fatal error: runtime: out of memory": true,
		"terminate called after throwing an instance of 'std::bad_alloc'": true, "panic: index out of range": false,
	} {
		var died *Died
		if _, err := p.Call(t.Context(), opSpeak, Body{}.Text(text), nil); !errors.As(err, &died) ||
			died.Memory != memory || died.Alone {
			t.Errorf("%s: %+v, %v", text, died, err)
		}
	}
}

// Calls that are in flight beside one that kills the worker are done all the same, and it alone is blamed.
func TestOneOfManyIsToBlame(t *testing.T) {
	p := start(t, nil)
	var g sync.WaitGroup
	var blamed atomic.Int32
	for i := range 20 {
		g.Go(func() {
			if i != 7 {
				echo(t, p)
				return
			}
			var died *Died
			if _, err := p.Retry(t.Context(), opKill, Body{}.Uint(fault), nil); errors.As(err, &died) && died.Alone {
				blamed.Add(1)
			}
		})
	}
	g.Wait()
	if blamed.Load() != 1 {
		t.Error("nobody is blamed")
	}
}

// A worker that does nothing but die is left alone for a while, people are told, and told again when it works.
func TestRepeatedDeaths(t *testing.T) {
	told := make(chan error, 10)
	p := start(t, func(o *Options) { o.Problem = func(err error) { told <- err } })
	for i := 0; ; i++ {
		_, err := p.Call(t.Context(), opKill, Body{}.Uint(fault), nil)
		if errors.Is(err, ErrUnavailable) {
			if i != enoughFailures {
				t.Errorf("after %d deaths", i)
			}
			break
		}
	}
	if err := <-told; err == nil {
		t.Error("told that it works")
	}
	if err := p.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	echo(t, p)
	if err := <-told; err != nil {
		t.Error(err)
	}
}

func TestRest(t *testing.T) {
	p := start(t, func(o *Options) { o.Idle = 30 * time.Millisecond })
	for range 2 {
		echo(t, p)
		for deadline := time.Now().Add(30 * time.Second); p.Running(); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("it never rests")
			}
		}
	}
	if p.Starts() != 2 {
		t.Errorf("%d starts", p.Starts())
	}
}

func TestNoStart(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"missing":      func(o *Options) { o.Program = func() (string, error) { return "/nonexistent/worker", nil } },
		"relative":     func(o *Options) { o.Program = func() (string, error) { return "worker", nil } },
		"another":      func(o *Options) { o.Version = "2" },
		"ends at once": func(o *Options) { o.Program = func() (string, error) { return "/bin/false", nil } },
		"speaks other": func(o *Options) {
			o.Program = func() (string, error) { return "/bin/echo", nil }
			o.Args = []string{strings.Repeat("x", 99)}
		},
	} {
		p := start(t, change)
		if _, err := p.Call(t.Context(), opEcho, Body{}.Text("x"), nil); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClose(t *testing.T) {
	p := start(t, nil)
	done := make(chan error, 1)
	_, _ = p.Call(t.Context(), opEcho, Body{}.Text("x"), nil)
	began := make(chan struct{})
	go func() {
		_, err := p.Call(context.Background(), opWait, nil, func(*Reader) { close(began) })
		done <- err
	}()
	<-began
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	var died *Died
	if err := <-done; !errors.As(err, &died) {
		t.Errorf("%v", err)
	}
	if _, err := p.Call(t.Context(), opEcho, nil, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
}

// Whatever bytes come, a reader neither panics nor goes beyond them.
func FuzzReader(f *testing.F) {
	f.Add([]byte(Body{}.Text("a").Texts([]string{"b", "c"}).Bool(true).Uint(300).Float(1.5).Floats([]float32{1, 2})))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader(data)
		_, _, _, _, _ = r.Text(), r.Texts(), r.Bool(), r.Uint(), r.Float()
		r.Floats(make([]float32, 2))
		if r.End() == nil && len(data) == 0 {
			t.Error("nothing was read without an error")
		}
	})
}
