package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestWatchProgram imitates installers that replace a fake program whose content is its version.
func TestWatchProgram(t *testing.T) {
	const old = "1.0.0"
	for name, c := range map[string]struct {
		play  func(s *installer)
		want  error
		after time.Duration // maximum time from the start
	}{
		"nothing happens":                    {func(*installer) {}, nil, 0},
		"replaced by rename, as packages do": {func(s *installer) { s.put("1.1.0") }, ErrReplaced, 2 * time.Minute},
		"a bridge of the new version connects": {func(s *installer) { s.put("1.1.0"); s.p.look() },
			ErrReplaced, 10 * time.Second},
		"written slowly": {func(s *installer) {
			s.put("1")
			s.p.look()
			s.wait(4 * time.Second)
			s.put("1.1")
			s.wait(4 * time.Second)
			s.put("1.1.0")
		}, ErrReplaced, 30 * time.Second},
		"removed": {func(s *installer) { s.remove() }, errRemoved, 3 * time.Minute},
		"removed, then replaced": {func(s *installer) {
			s.remove()
			s.p.look()
			s.wait(10 * time.Second)
			s.put("1.1.0")
		}, ErrReplaced, 3 * time.Minute},
		"the new one does not start": {func(s *installer) { s.put("broken") }, nil, 0},
		"broken, then mended": {func(s *installer) {
			s.put("broken")
			s.wait(5 * time.Minute)
			s.put("1.1.0")
		}, ErrReplaced, 8 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newInstaller(t, old)
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				began := time.Now()
				ended := make(chan error, 1)
				go func() { ended <- s.p.watch(ctx) }()
				c.play(s)
				err := <-ended
				if !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
					t.Fatalf("watch: %v, want %v", err, c.want)
				}
				if took := time.Since(began); c.want != nil && took > c.after {
					t.Errorf("noticed after %s, want at most %s", took, c.after)
				}
				if tried := s.tried.Load(); c.want == nil && tried > 1 {
					t.Errorf("the same file was tried %d times", tried)
				}
			})
		})
	}
}

// installer changes a program.
type installer struct {
	t     *testing.T
	p     *program
	tried atomic.Int64
}

func newInstaller(t *testing.T, version string) *installer {
	s := &installer{t: t}
	path := filepath.Join(t.TempDir(), "program")
	s.p = &program{path: path, poke: make(chan struct{}, 1), log: slog.New(slog.DiscardHandler)}
	s.p.try = func(context.Context, string) (string, error) {
		s.tried.Add(1)
		text, err := os.ReadFile(path)
		if err == nil && string(text) == "broken" {
			err = errors.New("a library is missing")
		}
		return string(text), err
	}
	s.put(version)
	var err error
	if s.p.began, err = os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *installer) put(version string) {
	s.t.Helper()
	if err := os.WriteFile(s.p.path+".new", []byte(version), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(s.p.path+".new", s.p.path); err != nil {
		s.t.Fatal(err)
	}
}

func (s *installer) remove() {
	if err := os.Remove(s.p.path); err != nil {
		s.t.Fatal(err)
	}
}

func (s *installer) wait(d time.Duration) { <-time.After(d) }

func TestTryProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of a shell")
	}
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good"), filepath.Join(dir, "bad")
	for path, text := range map[string]string{good: "#!/bin/sh\n[ \"$*\" = -version ] && echo search-mcp-app 1.1.0\n",
		bad: "#!/bin/sh\nexit 127\n"} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if version, err := tryProgram(t.Context(), good); err != nil || version != "search-mcp-app 1.1.0\n" {
		t.Errorf("version %q, %v", version, err)
	}
	if _, err := tryProgram(t.Context(), bad); err == nil {
		t.Error("a program that does not start was taken")
	}
}
