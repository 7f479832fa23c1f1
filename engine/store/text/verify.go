package text

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// verify returns ErrCorrupt if the library's files were changed. The library does not check the offsets in these files.
// A wrong offset ends the process or locks a mutex forever.
//
// Segments never change and end in a checksum. The checksum of root.bolt is in the file root.seal, which Close writes.
// After a crash, only the structure of root.bolt is checked.
//
// An index that was suspended was verified before. Only its root.bolt is checked again.
func verify(ctx context.Context, dir string, suspended bool) error {
	data, err := os.ReadFile(filepath.Join(dir, rootFile))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		if suspended {
			return fmt.Errorf("%w: %s was deleted", ErrCorrupt, rootFile) // scorch would create an empty index
		}
		return orphanedSegments(dir)
	}
	if err != nil {
		return fmt.Errorf("read root of text index: %w", err)
	}
	root, err := readBolt(data)
	if err != nil {
		return err
	}
	if err := root.matches(dir, data); err != nil {
		return err
	}
	if suspended {
		return nil
	}
	for _, name := range root.segments {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if err := verifySegment(filepath.Join(dir, name), root.version); err != nil {
			return err
		}
	}
	return nil
}

// orphanedSegments returns an error for segments without root.bolt, because scorch would remove these segments.
func orphanedSegments(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, "*.zap"))
	if err == nil && len(left) > 0 {
		return fmt.Errorf("open text index: %w: %s is missing", ErrCorrupt, rootFile)
	}
	return nil
}

// verifySegment checks the CRC-32 in a segment's last four bytes, and the version in the preceding four bytes (zapx,
// persistFooter). Reading a segment of another version may end the process.
func verifySegment(name string, version []byte) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: segment %s is missing", ErrCorrupt, filepath.Base(name))
	}
	if err != nil {
		return fmt.Errorf("open segment: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("look at segment: %w", err)
	}
	var tail [2 * crc32.Size]byte
	body := info.Size() - crc32.Size
	if body < crc32.Size {
		return fmt.Errorf("%w: segment %s has %d bytes", ErrCorrupt, filepath.Base(name), info.Size())
	}
	sum := crc32.NewIEEE()
	if _, err := io.CopyBuffer(sum, io.LimitReader(f, body), make([]byte, 256<<10)); err != nil {
		return fmt.Errorf("read segment: %w", err)
	}
	if _, err := f.ReadAt(tail[:], body-crc32.Size); err != nil {
		return fmt.Errorf("read segment: %w", err)
	}
	if sum.Sum32() != binary.BigEndian.Uint32(tail[crc32.Size:]) {
		return fmt.Errorf("%w: segment %s has a wrong checksum", ErrCorrupt, filepath.Base(name))
	}
	if !bytes.HasPrefix(version, tail[:crc32.Size]) {
		return fmt.Errorf("%w: segment %s is not of version %x", ErrCorrupt, filepath.Base(name), version)
	}
	return nil
}

// sealFile contains the checksum of root.bolt.
const sealFile = "root.seal"

// sealOf returns the content of root.seal: the transaction number tx, the CRC-32 of data, and the CRC-32 of both.
func sealOf(tx uint64, data []byte) []byte {
	b := binary.BigEndian.AppendUint64(nil, tx)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(data))
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

// seal writes the checksum of root.bolt. It does not sync, because the checksum may be lost.
func seal(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, rootFile))
	if err != nil {
		return fmt.Errorf("seal text index: %w", err)
	}
	root, err := readBolt(data)
	if err != nil {
		return fmt.Errorf("seal text index: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, sealFile), sealOf(root.tx, data), 0o600); err != nil {
		return fmt.Errorf("seal text index: %w", err)
	}
	return nil
}

func unseal(dir string) error {
	if err := os.Remove(filepath.Join(dir, sealFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("unseal text index: %w", err)
	}
	return nil
}

// matches compares data, the content of root.bolt, with the checksum in root.seal. It ignores the checksum of an
// earlier transaction, which may exist again after a power cut.
func (r *bolt) matches(dir string, data []byte) error {
	b, err := os.ReadFile(filepath.Join(dir, sealFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read seal of text index: %w", err)
	}
	want := sealOf(r.tx, data)
	if len(b) != len(want) || crc32.ChecksumIEEE(b[:12]) != binary.BigEndian.Uint32(b[12:]) {
		return nil // root.seal was written only in part
	}
	if binary.BigEndian.Uint64(b) == r.tx && !bytes.Equal(b, want) {
		return fmt.Errorf("%w: %s has a wrong checksum", ErrCorrupt, rootFile)
	}
	return nil
}
