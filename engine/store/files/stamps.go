package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"time"
)

// StampsName is the file's name in a project's folder.
const StampsName = "stamps"

// CheckedStamp is a stamp and the time when the file's content was last compared with its fingerprint.
type CheckedStamp struct {
	Stamp
	At time.Time
}

// The file has the magic, a count, the entries, and the CRC-32C of all these.
var stampsMagic = []byte("search-mcp stamps 1\n")

// WriteStamps replaces the file. Without it every file is hashed again.
func WriteStamps(path string, all map[string]CheckedStamp) error {
	err := Replace(path, func(w io.Writer) error {
		sum := crc32.New(castagnoli)
		out := io.MultiWriter(w, sum)
		b := binary.AppendUvarint(bytes.Clone(stampsMagic), uint64(len(all)))
		for p, c := range all {
			b = binary.AppendUvarint(b, uint64(len(p)))
			b = append(b, p...)
			b = binary.AppendVarint(b, c.Size)
			b = binary.AppendVarint(b, c.ModTime.UnixNano())
			b = binary.AppendUvarint(b, c.Inode)
			b = binary.AppendVarint(b, c.At.UnixNano())
			if _, err := out.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
		if _, err := out.Write(b); err != nil {
			return err
		}
		_, err := w.Write(binary.BigEndian.AppendUint32(nil, sum.Sum32()))
		return err
	})
	if err != nil {
		return fmt.Errorf("write stamps: %w", err)
	}
	return nil
}

// ReadStamps calls visit for each entry. A missing file has no entries. For a damaged file it returns ErrDamaged
// without calling visit.
func ReadStamps(path string, visit func(path string, c CheckedStamp)) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read stamps: %w", err)
	}
	body, ok := bytes.CutPrefix(data, stampsMagic)
	if !ok || len(body) < 4 {
		return fmt.Errorf("read stamps: %w", ErrDamaged)
	}
	end := len(data) - 4
	if crc32.Checksum(data[:end], castagnoli) != binary.BigEndian.Uint32(data[end:]) {
		return fmt.Errorf("read stamps: %w", ErrDamaged)
	}
	d := bytes.NewReader(body[:len(body)-4])
	unsigned := func() (n uint64) {
		if err == nil {
			n, err = binary.ReadUvarint(d)
		}
		return n
	}
	signed := func() (n int64) {
		if err == nil {
			n, err = binary.ReadVarint(d)
		}
		return n
	}
	for n := unsigned(); n > 0 && err == nil; n-- {
		name := make([]byte, min(unsigned(), uint64(d.Len()))) // a shorter name is followed by an error
		_, _ = d.Read(name)
		c := CheckedStamp{Stamp: Stamp{Size: signed(), ModTime: time.Unix(0, signed()), Inode: unsigned()}}
		c.At = time.Unix(0, signed())
		if err == nil {
			visit(string(name), c)
		}
	}
	if err != nil {
		return fmt.Errorf("read stamps: %w: %w", ErrDamaged, err)
	}
	return nil
}
