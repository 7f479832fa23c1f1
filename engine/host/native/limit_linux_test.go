package native

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

func TestStarved(t *testing.T) {
	const head = "SIGSEGV: segmentation violation\nPC=0x43317d m=3 sigcode=1 addr="
	const runtime = "\n\ngoroutine 0 gp=0x1a m=3 mp=0x1a [idle]:\nruntime.(*spanQueue).tryDrain(0x1a, 0x43b905)\n"
	for stderr, memory := range map[string]bool{
		head + "0x0" + runtime:   true,
		head + "0x4f8" + runtime: false,
		head + "0x0\nsignal arrived during cgo execution\n\ngoroutine 7 gp=0x1a [syscall]:\nruntime.cgocall()\n": false,
	} {
		if d := diedOf(2, "", false, stderr); d.Memory != memory || d.Cause != "SIGSEGV" || d.Killed {
			t.Errorf("%q: %+v", stderr, d)
		}
	}
}

// Deaths with a cause outside of the worker are not attributed to a call.
func TestFromOutside(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGTERM, syscall.SIGKILL,
		syscall.SIGSTOP} {
		p := start(t, func(o *Options) {
			if o.Silence = time.Minute; signal == syscall.SIGSTOP { // only Options.Silence detects a stopped worker
				o.Silence = short
			}
		})
		echo(t, p)
		died := func() (died *CrashError) {
			err := opWait.Each(t.Context(), p.CallAlone, nothing, func(struct{}) { _ = syscall.Kill(p.PID(), signal) })
			errors.As(err, &died)
			return died
		}()
		if died == nil || died.CausedByCall() || !died.Killed {
			t.Errorf("%s: %+v", signal, died)
		}
		echo(t, p)
	}
}

func TestRun(t *testing.T) {
	sh := func(script string) *exec.Cmd { return exec.Command("/bin/sh", "-c", script) }
	all := func(r io.Reader) error { _, err := io.Copy(io.Discard, r); return err }
	if err := Run(t.Context(), sh("echo a; echo b >&2"), Limits{}, all); err != nil {
		t.Error(err)
	}
	var died *CrashError
	if err := Run(t.Context(), sh("exit 3"), Limits{}, all); !errors.As(err, &died) || died.Status != 3 {
		t.Errorf("%v", err)
	}
	enough := errors.New("enough")
	err := Run(t.Context(), sh("yes"), Limits{}, func(r io.Reader) error {
		_, _ = bufio.NewReader(r).ReadString('\n')
		return enough
	})
	if !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := Run(ctx, sh("while :; do :; done"), Limits{}, all); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	file := t.TempDir() + "/grows"
	if err := Run(t.Context(), sh(fmt.Sprintf("sleep 0.1; echo x > '%s'", file)), Limits{Apart: true}, all); err == nil {
		t.Error("a file grew")
	}
	if err := Run(t.Context(), exec.Command("/nonexistent"), Limits{}, all); err == nil {
		t.Error("no error of a program that is not there")
	}
}
