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
	d := reader{b: body[:len(body)-4]}
	for n := d.uvarint(); n > 0 && !d.bad; n-- {
		name := d.string()
		c := CheckedStamp{Stamp: Stamp{Size: d.varint(), ModTime: time.Unix(0, d.varint()), Inode: d.uvarint()}}
		c.At = time.Unix(0, d.varint())
		if !d.bad {
			visit(name, c)
		}
	}
	if d.bad {
		return fmt.Errorf("read stamps: %w", ErrDamaged)
	}
	return nil
}

// reader decodes numbers and strings from a buffer. It sets bad if the buffer ends too early.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) {
	if n <= 0 {
		r.bad, r.b = true, nil
		return
	}
	r.b = r.b[n:]
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	r.take(n)
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	r.take(n)
	return v
}

func (r *reader) string() string {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}
