package repo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

func (g Git) Index() string { return filepath.Join(g.Dir, "index") }

// Tracked calls yield with the path of each file below folder that git tracks, relative to folder.
func (g Git) Tracked(ctx context.Context, folder string, yield func(path string)) error {
	if err := ordinary(g.Index()); err != nil {
		return fmt.Errorf("list tracked files: %w", err)
	}
	below, err := filepath.Rel(g.top, folder)
	if err != nil {
		return fmt.Errorf("list tracked files: %w", err)
	}
	prefix := filepath.ToSlash(below) + "/"
	variables, args := []string{"GIT_INDEX_FILE=" + g.Index()}, []string{"ls-files", "-z", "--cached"}
	head, _ := g.Head()
	err = run(ctx, len(head.commit), "", variables, args, func(out io.Reader) error {
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
