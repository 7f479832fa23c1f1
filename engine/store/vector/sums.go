package vector

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// sums contains the checksums of a LanceDB table's files, which are verified before LanceDB opens the files. With
// random bytes in a file, LanceDB allocated tens of gigabytes.
//
// The checksums are in a list next to the table, with a line per file. Each line ends with its own checksum. Invalid
// lines and files without a line are ignored. LanceDB never changes a file, but it removes files of old versions.
type sums struct {
	table        string          // folder of the table
	list         string          // path of the list
	known        map[string]bool // files in the list
	filesMissing bool            // a file in the list was removed
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func line(name string, size int64, sum uint32) string {
	text := fmt.Sprintf("%08x %d %s", sum, size, name)
	return fmt.Sprintf("%s %08x\n", text, crc32.Checksum([]byte(text), castagnoli))
}

// verify compares the listed files with their checksums. It returns ErrCorrupt if a file was changed.
func (s *sums) verify(ctx context.Context) error {
	s.known = map[string]bool{}
	f, err := os.Open(s.list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open checksums of vector table: %w", err)
	}
	defer f.Close() // read-only
	var kept strings.Builder
	dropped := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		var want uint32
		var size int64
		var name string
		if _, err := fmt.Sscanf(lines.Text(), "%x %d %s", &want, &size, &name); err != nil ||
			line(name, size, want) != lines.Text()+"\n" {
			dropped = true
			continue
		}
		have, sum, err := s.read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			dropped, s.filesMissing = true, true
			continue
		case err != nil:
			return err
		case have != size || sum != want:
			return fmt.Errorf("open vector table: %w: %s has a wrong checksum", ErrCorrupt, path.Base(name))
		}
		s.known[name] = true
		kept.WriteString(lines.Text() + "\n")
	}
	if dropped { // a new file may get the name of a removed file
		if err := os.WriteFile(s.list, []byte(kept.String()), 0o600); err != nil {
			return fmt.Errorf("write checksums of vector table: %w", err)
		}
	}
	return nil
}

func (s *sums) read(name string) (int64, uint32, error) {
	f, err := os.Open(filepath.Join(s.table, filepath.FromSlash(name)))
	if err != nil {
		return 0, 0, fmt.Errorf("read file of vector table: %w", err)
	}
	defer f.Close() // read-only
	sum := crc32.New(castagnoli)
	n, err := io.CopyBuffer(sum, struct{ io.Reader }{f}, make([]byte, 256<<10))
	if err != nil {
		return 0, 0, fmt.Errorf("read file of vector table: %w", err)
	}
	return n, sum.Sum32(), nil
}

// finished are the extensions of files that LanceDB no longer writes to.
var finished = []string{".lance", ".manifest", ".txn", ".arrow", ".bin", ".idx"}

// add appends the checksums of new files to the list. If add fails, these files are not verified later.
func (s *sums) add() {
	if s.table == "" {
		return
	}
	var text strings.Builder
	err := filepath.WalkDir(s.table, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains(finished, filepath.Ext(file)) {
			return err
		}
		name, err := filepath.Rel(s.table, file)
		if name = filepath.ToSlash(name); err != nil || s.known[name] || strings.ContainsAny(name, " \n") {
			return err
		}
		size, sum, err := s.read(name)
		if err == nil {
			s.known[name] = true
			text.WriteString(line(name, size, sum))
		}
		return err
	})
	if text.Len() > 0 {
		var f *os.File
		if f, err = os.OpenFile(s.list, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			_, err = f.WriteString(text.String())
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		slog.Warn("checksums of vector files not written", "err", err)
	}
}
