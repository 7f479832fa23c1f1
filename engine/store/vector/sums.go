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

// sums are the checksums of a table's files. The library follows what stands in them: random bytes at the head of a
// data file made it ask for tens of gigabytes. Its files never change once they are written, so each is summed up
// after the write that made it, and compared before the library sees it again. The list is beside the table, a line a
// file with a checksum of its own: a line that a crash cut off, and a file without one, say nothing. The library
// removes files that its older versions alone had, so one that is gone says only that the rows have to be read.
type sums struct {
	table string          // its folder
	list  string          // the list's file
	known map[string]bool // files that have a line
	gone  bool            // some had one, and aren't there
}

// SumsFile is the list of a table's checksums.
func SumsFile(dir, name string) string { return filepath.Join(dir, name+".sums") }

// castagnoli is the CRC that processors compute: 160 MB, which 100,000 chunks take, are read in 0.1 s.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// line is what the list says of a file, the checksum of the line itself last.
func line(name string, size int64, sum uint32) string {
	text := fmt.Sprintf("%08x %d %s", sum, size, name)
	return fmt.Sprintf("%s %08x\n", text, crc32.Checksum([]byte(text), castagnoli))
}

// verify fails with ErrCorrupt if a file is not what was written.
func (s *sums) verify(ctx context.Context) error {
	s.known = map[string]bool{}
	f, err := os.Open(s.list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open checksums of vector table: %w", err)
	}
	defer f.Close() // only read
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
			dropped, s.gone = true, true
			continue
		case err != nil:
			return err
		case have != size || sum != want:
			return fmt.Errorf("open vector table: %w: %s is not what was written", ErrCorrupt, path.Base(name))
		}
		s.known[name] = true
		kept.WriteString(lines.Text() + "\n")
	}
	if dropped { // a later file may have the name of one that is gone
		if err := os.WriteFile(s.list, []byte(kept.String()), 0o600); err != nil {
			return fmt.Errorf("write checksums of vector table: %w", err)
		}
	}
	return nil
}

// read returns a file's size and checksum.
func (s *sums) read(name string) (int64, uint32, error) {
	f, err := os.Open(filepath.Join(s.table, filepath.FromSlash(name)))
	if err != nil {
		return 0, 0, fmt.Errorf("read file of vector table: %w", err)
	}
	defer f.Close() // only read
	sum := crc32.New(castagnoli)
	n, err := io.CopyBuffer(sum, struct{ io.Reader }{f}, make([]byte, 256<<10)) // as large reads as any help
	if err != nil {
		return 0, 0, fmt.Errorf("read file of vector table: %w", err)
	}
	return n, sum.Sum32(), nil
}

// finished are the endings of files that the library has written whole; others are in the making.
var finished = []string{".lance", ".manifest", ".txn", ".arrow", ".bin", ".idx"}

// add sums up the files that are new. What fails costs the comparison, no more. A table in a bucket has no files here.
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
		slog.Warn("files of vectors not summed up, damage of theirs is noticed later", "err", err)
	}
}
