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

// ErrReplaced means that the program's file was replaced by another working version. The caller of Run then calls
// Restart.
var ErrReplaced = errors.New("the program was replaced by another version")

var errRemoved = errors.New("the program was removed")

const (
	programEvery = time.Minute
	// programSettled is how long a new file must be unchanged. Package managers install their files within two seconds.
	programSettled = 5 * time.Second
	// programGone is how long the file must be missing until it is considered removed. Some installers remove the old
	// file first.
	programGone  = 30 * time.Second
	programTrial = 30 * time.Second
)

type program struct {
	path  string
	began fs.FileInfo
	poke  chan struct{}
	log   *slog.Logger
	try   func(ctx context.Context, path string) (string, error)
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

func (p *program) look() {
	select {
	case p.poke <- struct{}{}:
	default:
	}
}

// watch returns ErrReplaced if another working version replaces the file, errRemoved if the file is removed, and nil
// when ctx ends.
func (p *program) watch(ctx context.Context) error {
	refused := p.began // the last version that failed to start
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
			pause = programSettled // the file is being written
		case unchanged(p.began, now), unchanged(refused, now):
		default:
			version, err := p.try(ctx, p.path)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				p.log.Warn("the program was replaced by one that does not start; this one continues", "err", err)
				refused = now
				continue
			}
			p.log.Info("the program was replaced", "version", version)
			return ErrReplaced
		}
	}
}

// settled returns the file's info, or nil while the file is changing. It returns fs.ErrNotExist if the file is missing
// for programGone.
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

func unchanged(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

func tryProgram(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, programTrial)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "-version").Output()
	if err != nil {
		return "", fmt.Errorf("start %s: %w", path, err)
	}
	return string(out), nil
}
