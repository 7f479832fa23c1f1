package native

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const (
	opEcho  Op[string, string]     = iota + 1
	opItems Op[int, int]           = iota + 1
	opKill  Op[int, struct{}]      = iota + 1
	opWait  Op[struct{}, struct{}] = iota + 1
	opFail  Op[struct{}, struct{}] = iota + 1
	opSpeak Op[string, struct{}]   = iota + 1
	opHang  Op[struct{}, struct{}] = iota + 1
	opDeaf  Op[struct{}, struct{}] = iota + 1
	opTake  Op[int, int]           = iota + 1
	opNone  Op[struct{}, struct{}] = 99
)

var nothing struct{}

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
	}, Handlers: Handlers{}}
	h := s.Handlers
	opEcho.Serve(h, func(_ context.Context, text string) (string, error) { return text, nil })
	opItems.ServeEach(h, func(_ context.Context, n int, part func(int)) error {
		for i := range n {
			part(i)
		}
		return nil
	})
	opKill.Act(h, func(_ context.Context, signal int) error {
		die(signal)
		select {} // wait for the end of the process
	})
	opWait.ServeEach(h, func(ctx context.Context, _ struct{}, part func(struct{})) error {
		part(nothing)
		<-ctx.Done()
		return nil
	})
	opHang.Act(h, func(context.Context, struct{}) error { select {} })
	opDeaf.Act(h, func(context.Context, struct{}) error { deaf.Store(true); return nil })
	opTake.Serve(h, func(_ context.Context, n int) (int, error) {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(i)
		}
		return int(b[len(b)-1]), nil
	})
	opFail.Act(h, func(context.Context, struct{}) error { return errKnown })
	opSpeak.Act(h, func(_ context.Context, text string) error {
		_, _ = os.Stderr.WriteString(text + "\n")
		os.Exit(2)
		return nil
	})
	if s.Serve(input{}, os.Stdout) != nil {
		return 1
	}
	return 0
}

// input is standard input, which is not read any more after deaf is set.
type input struct{}

var deaf atomic.Bool

func (input) Read(b []byte) (int, error) {
	n, err := os.Stdin.Read(b)
	if deaf.Load() {
		<-time.After(time.Hour) // without a timer Go would report a deadlock
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
	if text, err := opEcho.Call(t.Context(), p.Retry, "x"); err != nil || text != "x" {
		t.Error(err)
	}
}

func wantStarts(t *testing.T, p *Process, want int) {
	t.Helper()
	if p.Starts() != want {
		t.Errorf("%d starts", p.Starts())
	}
}

func TestCalls(t *testing.T) {
	p := start(t, nil)
	if p.Running() {
		t.Error("it runs before the first call")
	}
	var g sync.WaitGroup
	for i := range 50 {
		g.Go(func() {
			want := strings.Repeat("x", i*i*100)
			text, err := opEcho.Call(t.Context(), p.Call, want)
			if err != nil || text != want {
				t.Errorf("call %d: %v", i, err)
			}
			var got []int
			err = opItems.Each(t.Context(), p.Call, i, func(n int) { got = append(got, n) })
			if err != nil || len(got) != i || !slices.IsSorted(got) {
				t.Errorf("items of %d: %v, %v", i, got, err)
			}
		})
	}
	g.Wait()
	wantStarts(t, p, 1)
}

func TestFailure(t *testing.T) {
	p := start(t, nil)
	var f *Failure
	if err := opFail.Do(t.Context(), p.Call, nothing); !errors.As(err, &f) || f.Code != "known" || f.Text != "known" {
		t.Errorf("%v", err)
	}
	if err := opNone.Do(t.Context(), p.Call, nothing); !errors.As(err, &f) || f.Code != "" {
		t.Errorf("unknown operation: %v", err)
	}
	echo(t, p)
}

func TestCancel(t *testing.T) {
	p := start(t, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	if err := opWait.Each(ctx, p.Call, nothing, func(struct{}) { cancel(enough) }); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
	echo(t, p)
}

func TestDeaths(t *testing.T) {
	for signal, want := range deaths {
		p := start(t, nil)
		var died *CrashError
		err := opKill.Do(t.Context(), p.Retry, signal)
		if errors.As(err, &died) {
			want.Status = died.Status // depends on the runtime
		}
		if died == nil || *died != want {
			t.Errorf("%#x: %+v, %v", signal, died, err)
		}
		if errors.Is(died, syscall.ENOMEM) != want.Memory {
			t.Errorf("%#x: not reported as out of memory", signal)
		}
		echo(t, p)
		wantStarts(t, p, 3)
	}
}

const short = time.Second

func TestSilence(t *testing.T) {
	p := start(t, func(o *Options) { o.Silence = short })
	var died *CrashError
	err := opHang.Do(t.Context(), p.Retry, nothing)
	if !errors.As(err, &died) || *died != (CrashError{Cause: "no answer within 1s", OnlyCall: true}) {
		t.Errorf("%+v, %v", died, err)
	}
	echo(t, p)
	wantStarts(t, p, 3)
}

func TestDeaf(t *testing.T) {
	p := start(t, func(o *Options) { o.Silence = short })
	if err := opDeaf.Do(t.Context(), p.Call, nothing); err != nil {
		t.Fatal(err)
	}
	var died *CrashError
	_, err := opEcho.Call(t.Context(), p.Call, strings.Repeat("x", 4<<20))
	if !errors.As(err, &died) || died.Cause != "no answer within 1s" {
		t.Errorf("%v", err)
	}
	echo(t, p)
	wantStarts(t, p, 2)
}

func TestPatient(t *testing.T) {
	p := start(t, func(o *Options) { o.Silence = short })
	ctx, cancel := context.WithTimeout(t.Context(), 2*short)
	defer cancel()
	if err := opWait.Do(AllowSilence(ctx), p.Call, nothing); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	echo(t, p)
	wantStarts(t, p, 1)
}

func TestOutOfMemory(t *testing.T) {
	p := start(t, nil)
	for text, memory := range map[string]bool{
		"memory allocation of 400 bytes failed": true, "fatal error: runtime: out of memory": true,
		"terminate called after throwing an instance of 'std::bad_alloc'": true, "panic: index out of range": false,
	} {
		var died *CrashError
		if err := opSpeak.Do(t.Context(), p.Call, text); !errors.As(err, &died) || died.Memory != memory || died.OnlyCall {
			t.Errorf("%s: %+v, %v", text, died, err)
		}
	}
}

func TestOneOfManyCausedTheCrash(t *testing.T) {
	p := start(t, nil)
	var g sync.WaitGroup
	var blamed atomic.Int32
	for i := range 20 {
		g.Go(func() {
			if i != 7 {
				echo(t, p)
				return
			}
			var died *CrashError
			if err := opKill.Do(t.Context(), p.Retry, fault); errors.As(err, &died) && died.OnlyCall {
				blamed.Add(1)
			}
		})
	}
	g.Wait()
	if blamed.Load() != 1 {
		t.Error("no call is reported as the cause")
	}
}

func TestRepeatedDeaths(t *testing.T) {
	reported := make(chan error, 10)
	p := start(t, func(o *Options) { o.Problem = func(err error) { reported <- err } })
	for i := 0; ; i++ {
		err := opKill.Do(t.Context(), p.Call, fault)
		if errors.Is(err, ErrUnavailable) {
			if i != enoughFailures {
				t.Errorf("after %d deaths", i)
			}
			break
		}
	}
	if err := <-reported; err == nil {
		t.Error("Problem reports that the worker works")
	}
	if n, last := p.Deaths(time.Now().Add(-time.Minute)); n != enoughFailures || last == nil {
		t.Errorf("%d deaths, %v", n, last)
	}
	for err := ErrUnavailable; errors.Is(err, ErrUnavailable); { // until the delay of one second ends
		_, err = opEcho.Call(t.Context(), p.Call, "x")
	}
	if err := <-reported; err != nil {
		t.Error(err)
	}
}

func TestRest(t *testing.T) {
	p := start(t, func(o *Options) { o.Idle = 30 * time.Millisecond })
	tick, deadline := time.NewTicker(time.Millisecond), time.After(3*time.Minute)
	defer tick.Stop()
	for range 2 {
		echo(t, p)
		for p.Running() {
			select {
			case <-tick.C:
			case <-deadline:
				t.Fatal("it never rests")
			}
		}
	}
	wantStarts(t, p, 2)
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
		if _, err := opEcho.Call(t.Context(), p.Call, "x"); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClose(t *testing.T) {
	p := start(t, nil)
	done := make(chan error, 1)
	_, _ = opEcho.Call(t.Context(), p.Call, "x")
	began := make(chan struct{})
	go func() {
		done <- opWait.Each(context.Background(), p.Call, nothing, func(struct{}) { close(began) })
	}()
	<-began
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	var died *CrashError
	if err := <-done; !errors.As(err, &died) {
		t.Errorf("%v", err)
	}
	if _, err := opEcho.Call(t.Context(), p.Call, ""); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
}

type shape struct {
	Text  string
	Texts []string
	On    bool
	Of    struct{ N, Negative int }
	Score float64
	Bytes []byte
	Rows  []struct {
		ID     string
		Vector [2]float32
	}
	For time.Duration
}

var whole = shape{Text: "a", Texts: []string{"b", "c"}, On: true, Of: struct{ N, Negative int }{300, -1}, Score: 1.5,
	Bytes: []byte{0, 1}, Rows: []struct {
		ID     string
		Vector [2]float32
	}{{"x", [2]float32{1, 2}}, {"y", [2]float32{3}}}, For: time.Second}

func TestBody(t *testing.T) {
	for _, want := range []shape{whole, {}, {Texts: []string{}, Bytes: []byte{}}} {
		var got shape
		if err := Decode(Encode(&want), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
	b := Encode(&whole)
	for n := range b {
		var got shape
		if err := Decode(b[:n], &got); !errors.Is(err, ErrBody) {
			t.Errorf("%d of %d bytes: %v", n, len(b), err)
		}
	}
	if err := Decode(append(b, 0), &shape{}); !errors.Is(err, ErrBody) {
		t.Errorf("a byte too many: %v", err)
	}
}

// Decoded bytes are not longer when they are encoded again.
func FuzzBody(f *testing.F) {
	f.Add([]byte(Encode(&whole)))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, data []byte) {
		var v shape
		if Decode(data, &v) != nil {
			return
		}
		var again shape
		if err := Decode(Encode(&v), &again); err != nil || len(Encode(&again)) > len(data) {
			t.Errorf("%q is %+v: %v", data, v, err)
		}
	})
}
