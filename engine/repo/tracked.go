package repo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"searchmcp/engine/native"
)

// Index is git's list of the files that it tracks.
func (g Git) Index() string { return filepath.Join(g.Dir, "index") }

// Tracked yields the files below a folder of the work tree that git tracks, relative to the folder. They are read by
// git's own program, as commits are.
func (g Git) Tracked(ctx context.Context, folder string, yield func(path string)) error {
	below, err := filepath.Rel(g.top, folder)
	if err != nil {
		return fmt.Errorf("list tracked files: %w", err)
	}
	program, err := Program()
	if err != nil {
		return err
	}
	own, err := emptyRepository(g.digits())
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	cmd := exec.CommandContext(ctx, program, "ls-files", "-z", "--cached")
	cmd.Dir = own
	cmd.Env = append(environment(own, filepath.Join(own, "objects")), "GIT_INDEX_FILE="+g.Index())
	prefix := filepath.ToSlash(below) + "/"
	err = native.Run(ctx, cmd, native.Limits{Memory: maxMemory, Apart: true}, func(out io.Reader) error {
		list := reading{in: bufio.NewReaderSize(io.LimitReader(out, maxOutput), 64<<10)}
		for {
			field, err := list.field(maxName)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if path, ok := strings.CutPrefix(string(field), prefix); ok || prefix == "./" {
				yield(path)
			}
		}
	})
	if err != nil {
		return fmt.Errorf("list tracked files: %w", err)
	}
	return nil
}

// digits is the length of the names of the repository's objects: HEAD's commit has one.
func (g Git) digits() int {
	head, err := g.Head()
	if err != nil {
		return 0
	}
	return len(head.commit)
}
