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

// verify fails with ErrCorrupt unless every byte that the library is going to rely on is the one that was written. The
// library trusts its files: it maps them into memory and follows what stands there without looking, on goroutines of
// its own, where a wrong offset ends the process or keeps a lock forever. So damage has to be found before the library
// sees it.
//
// Segments end in a checksum of their own and never change. The table of contents, root.bolt, has none but the seal
// that Close leaves; after a crash its structure is followed instead. The caller holds the project's lock: nobody
// writes meanwhile.
func verify(ctx context.Context, dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, rootFile))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
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

// orphanedSegments refuses a folder that holds segments but not the table that names them: scorch would begin a new
// index and remove them.
func orphanedSegments(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, "*.zap"))
	if err == nil && len(left) > 0 {
		return fmt.Errorf("open text index: %w: %s is missing", ErrCorrupt, rootFile)
	}
	return nil
}

// readBuffer is read at once: 256 KB are as quick as any more.
const readBuffer = 256 << 10

// verifySegment compares a segment with the CRC-32 that its last four bytes hold, and the version before it with the
// one that the table of contents names (zapx, persistFooter): read by another version's rules it has any number of
// rows, which ends the process.
func verifySegment(name string, version []byte) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: segment %s is missing", ErrCorrupt, filepath.Base(name))
	}
	if err != nil {
		return fmt.Errorf("open segment: %w", err)
	}
	defer f.Close() // only read
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("look at segment: %w", err)
	}
	body := info.Size() - crc32.Size
	if body <= 0 {
		return fmt.Errorf("%w: segment %s has %d bytes", ErrCorrupt, filepath.Base(name), info.Size())
	}
	sum := crc32.NewIEEE()
	if _, err := io.CopyBuffer(sum, io.LimitReader(f, body), make([]byte, readBuffer)); err != nil {
		return fmt.Errorf("read segment: %w", err)
	}
	var want [crc32.Size]byte
	if _, err := io.ReadFull(f, want[:]); err != nil {
		return fmt.Errorf("read segment: %w", err)
	}
	if sum.Sum32() != binary.BigEndian.Uint32(want[:]) {
		return fmt.Errorf("%w: segment %s is not what was written", ErrCorrupt, filepath.Base(name))
	}
	if _, err := f.ReadAt(want[:], body-int64(len(want))); err != nil || !bytes.HasPrefix(version, want[:]) {
		return fmt.Errorf("%w: segment %s is not of version %x", ErrCorrupt, filepath.Base(name), version)
	}
	return nil
}

// sealFile holds the checksum of root.bolt as the last Close left it.
const sealFile = "root.seal"

// A seal is a transaction's number, the CRC-32 of root.bolt after it, and the CRC-32 of these twelve bytes: one that
// was cut off or damaged itself says nothing.
const (
	sealBody = 12
	sealSize = sealBody + crc32.Size
)

// seal notes what root.bolt looks like; the library has closed it. Without a seal the structure is followed, that is
// all, so nothing is synced and an error only means that there is none.
func seal(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, rootFile))
	if err != nil {
		return fmt.Errorf("seal text index: %w", err)
	}
	root, err := readBolt(data)
	if err != nil {
		return fmt.Errorf("seal text index: %w", err)
	}
	b := binary.BigEndian.AppendUint64(make([]byte, 0, sealSize), root.tx)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(data))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	if err := os.WriteFile(filepath.Join(dir, sealFile), b, 0o600); err != nil {
		return fmt.Errorf("seal text index: %w", err)
	}
	return nil
}

// unseal removes the seal before the library writes again.
func unseal(dir string) error {
	if err := os.Remove(filepath.Join(dir, sealFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("unseal text index: %w", err)
	}
	return nil
}

// matches compares root.bolt with its seal. One of another transaction is older than the file: a removal that a power
// cut undid.
func (r *bolt) matches(dir string, data []byte) error {
	b, err := os.ReadFile(filepath.Join(dir, sealFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read seal of text index: %w", err)
	}
	if len(b) != sealSize || crc32.ChecksumIEEE(b[:sealBody]) != binary.BigEndian.Uint32(b[sealBody:]) {
		return nil
	}
	if binary.BigEndian.Uint64(b) == r.tx && binary.BigEndian.Uint32(b[8:]) != crc32.ChecksumIEEE(data) {
		return fmt.Errorf("%w: %s is not what was written", ErrCorrupt, rootFile)
	}
	return nil
}
