package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"time"
)

// ErrReplaced is returned by Run after everything has been closed because the program's file was replaced by another
// version that runs: Restart is to be called.
var ErrReplaced = errors.New("the program was replaced by another version")

// errRemoved ends a run whose program was uninstalled.
var errRemoved = errors.New("the program was removed")

const (
	// programEvery is how often the program's own file is looked at: one stat(2). A bridge of another version has it
	// looked at at once.
	programEvery = time.Minute
	// programSettled is how long the file must be as it is. Package managers put all files of a package in place within a
	// second or two; the libraries must be there before the program starts again.
	programSettled = 5 * time.Second
	// programGone is how long the file must be missing to count as removed: some installers remove before they write.
	programGone = 30 * time.Second
	// programTrial bounds the question to the new program which version it is.
	programTrial = 30 * time.Second
)

// program is the file that this process was started from.
type program struct {
	path  string
	began fs.FileInfo // of the file as it was
	poke  chan struct{}
	log   *slog.Logger
	// asks the new program for its version; it must be able to start
	try func(ctx context.Context, path string) (string, error)
}

func newProgram(log *slog.Logger) (*program, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find own program: %w", err)
	}
	began, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("look at own program: %w", err)
	}
	return &program{path: path, began: began, poke: make(chan struct{}, 1), log: log, try: tryProgram}, nil
}

// look has watch look at the file at once.
func (p *program) look() {
	select {
	case p.poke <- struct{}{}:
	default:
	}
}

// watch returns ErrReplaced when another version stands in the file's place and can be started, errRemoved when nothing
// does, and nil when ctx ends.
func (p *program) watch(ctx context.Context) error {
	refused := p.began // what was tried and did not start
	for pause := programEvery; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-p.poke:
		case <-time.After(pause):
		}
		pause = programEvery
		now, err := p.settled(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, fs.ErrNotExist):
			return errRemoved
		case err != nil:
			p.log.Warn("own program not readable", "err", err)
		case now == nil:
			pause = programSettled // it is being written
		case unchanged(p.began, now), unchanged(refused, now):
		default:
			version, err := p.try(ctx, p.path)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				p.log.Warn("the program was replaced by one that does not start; this one goes on", "err", err)
				refused = now
				continue
			}
			p.log.Info("the program was replaced", "version", version)
			return ErrReplaced
		}
	}
}

// settled returns what the file is once that has stood for a while, nil if it is changing; fs.ErrNotExist only if it
// stays away.
func (p *program) settled(ctx context.Context) (fs.FileInfo, error) {
	first, err := os.Stat(p.path)
	wait := programSettled
	switch {
	case errors.Is(err, fs.ErrNotExist):
		wait = programGone
	case err != nil:
		return nil, err
	case unchanged(p.began, first):
		return first, nil
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(wait):
	}
	second, err := os.Stat(p.path)
	if err != nil {
		return nil, err
	}
	if first == nil || !unchanged(first, second) {
		return nil, nil
	}
	return second, nil
}

// unchanged reports whether two looks at a path saw the same bytes, as far as that shows from outside.
func unchanged(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// tryProgram asks a program for its version, which needs its libraries.
func tryProgram(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, programTrial)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "-version").Output()
	if err != nil {
		return "", fmt.Errorf("start %s: %w", path, err)
	}
	return string(out), nil
}
