package native

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

const (
	// maxLog limits the lines of a worker's standard error that are logged.
	maxLog = 200
	// maxReason is the number of bytes of standard error that are searched for the cause of a worker's death.
	maxReason = 16 << 10
)

// start starts a worker and waits for its first frame. The caller must lock p.mu.
func (p *Process) start() (*worker, error) {
	program, err := p.o.Program()
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(program) {
		return nil, fmt.Errorf("start worker: %s is not an absolute path", program)
	}
	cmd := exec.Command(program, p.o.Args...)
	cmd.Dir = filepath.Dir(program)
	// GOTRACEBACK=single prevents a core dump.
	cmd.Env = append(os.Environ(), append([]string{"GOTRACEBACK=single"}, p.o.Env...)...)
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	stderr, err3 := cmd.StderrPipe()
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	w := &worker{in: in, done: make(chan struct{}), calls: map[uint32]*pending{}, silence: p.o.Silence}
	w.kill = func() { _ = cmd.Process.Kill() }
	began := make(chan error)
	hello := make(chan error, 1)
	output := &tail{}
	var pipes sync.WaitGroup
	pipes.Add(2)
	p.workers.Go(func() {
		// Linux kills a child when the thread that started the child ends, so this thread waits for the child. The
		// thread is never unlocked, because its priority may be low.
		runtime.LockOSThread()
		release, err := startAttached(cmd, p.o.Background, Limits{Memory: p.o.Memory})
		if err == nil {
			w.pid = cmd.Process.Pid
		}
		began <- err
		if err != nil {
			return
		}
		defer release()
		pipes.Wait() // before cmd.Wait, which closes the pipes
		err = cmd.Wait()
		w.died = p.death(cmd, err, output.text(), w)
		p.gone(w, w.died)
		close(w.done)
	})
	if err := <-began; err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	p.workers.Go(func() { defer pipes.Done(); p.follow(stderr, output) })
	p.workers.Go(func() {
		defer pipes.Done()
		r := bufio.NewReaderSize(out, 64<<10)
		err := p.greet(r)
		hello <- err
		if err == nil {
			err = w.read(r)
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
			p.o.Log.Error("invalid answer of worker", "worker", p.o.Name, "err", err)
		}
		w.end()
		_, _ = io.Copy(io.Discard, r) // a full pipe would block the worker's exit
	})
	select {
	case err := <-hello:
		if err == nil {
			p.o.Log.Debug("worker started", "worker", p.o.Name, "pid", w.pid)
			return w, nil
		}
		w.end()
		return nil, fmt.Errorf("start worker %s: %w", filepath.Base(program), err)
	case <-time.After(helloWithin):
		w.kill()
		return nil, fmt.Errorf("start worker %s: %w within %s", filepath.Base(program), errMute, helloWithin)
	}
}

// greet reads the worker's first frame. It fails if the worker has another version than the app.
func (p *Process) greet(r io.Reader) error {
	_, kind, body, err := readFrame(r)
	if err != nil {
		return fmt.Errorf("ended immediately: %w", err)
	}
	if kind != frameHello || string(body) != p.o.Version {
		return fmt.Errorf("version %.40q, not %q", body, p.o.Version)
	}
	return nil
}

func (p *Process) death(cmd *exec.Cmd, err error, stderr string, w *worker) *CrashError {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return &CrashError{Cause: "exit status 0"}
	case !errors.As(err, &exit):
		return &CrashError{Cause: err.Error()}
	}
	signal, killed := signalOf(exit)
	d := diedOf(exit.ExitCode(), signal, killed, stderr)
	if w.silent.Load() {
		d = &CrashError{Cause: fmt.Sprintf("no answer within %s", p.o.Silence), Killed: w.stopped.Load()}
	}
	if p.o.Memory > 0 && d.Memory && !d.Killed { // the worker exceeded its own limit: the call needs too much memory
		d.Memory = false
		d.Cause += fmt.Sprintf(", with more than %d MB", p.o.Memory>>20)
	}
	p.o.Log.Error("worker died", "worker", p.o.Name, "pid", cmd.Process.Pid, "cause", d.Cause, "memory", d.Memory)
	return d
}

type tail struct {
	mu sync.Mutex
	b  strings.Builder
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b.Write(b[:min(len(b), max(0, maxReason-t.b.Len()))])
	return len(b), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

func (p *Process) follow(r io.Reader, output *tail) {
	lines := bufio.NewReader(r)
	for n := 0; ; n++ {
		line, err := lines.ReadString('\n')
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			_, _ = io.WriteString(output, line+"\n") // output keeps only the first maxReason bytes
			if n < maxLog {
				p.o.Log.Info("worker output", "worker", p.o.Name, "line", line)
			}
		}
		if err != nil {
			return
		}
	}
}
