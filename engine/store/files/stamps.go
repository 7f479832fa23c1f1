package files

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"time"
)

const StampsName = "stamps"

// CheckedStamp is the stamp of a file (size and times), and the time when its content was last checked.
type CheckedStamp struct {
	Stamp
	At time.Time
}

// WriteStamps writes the stamps of files, by path, and a CRC-32C.
func WriteStamps(path string, all map[string]CheckedStamp) error {
	return Replace(path, func(w io.Writer) error {
		sum := crc32.New(castagnoli)
		if err := gob.NewEncoder(io.MultiWriter(w, sum)).Encode(all); err != nil {
			return err
		}
		_, err := w.Write(binary.BigEndian.AppendUint32(nil, sum.Sum32()))
		return err
	})
}

// ReadStamps reads the stamps of files. It returns nil if the file is missing, and ErrDamaged if it is damaged.
func ReadStamps(path string) (all map[string]CheckedStamp, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read stamps: %w", err)
	}
	end := len(data) - crc32.Size
	if end < 0 || crc32.Checksum(data[:end], castagnoli) != binary.BigEndian.Uint32(data[end:]) {
		return nil, fmt.Errorf("read stamps: %w", ErrDamaged)
	}
	if err := gob.NewDecoder(bytes.NewReader(data[:end])).Decode(&all); err != nil {
		return nil, fmt.Errorf("read stamps: %w: %w", ErrDamaged, err)
	}
	return all, nil
}
