package text

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Where bbolt's two meta pages say how large the file must be (bbolt, internal/common: Page, Meta): a page's header has 16 bytes; then
// come magic, version and page size of four bytes each, and from offset 40 of the meta the number of pages in use and the transaction.
const (
	boltMagic    = 0xED0CDAED
	boltHeader   = 16
	boltPageSize = 8
	boltPages    = 40
	boltMeta     = 64
)

// whole fails with ErrCorrupt if scorch's root.bolt is shorter than it says. The library maps the file into memory, and reading beyond
// its end would take the process down, past any recover.
func whole(dir string) error {
	f, err := os.Open(filepath.Join(dir, rootFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at root of text index: %w", err)
	}
	defer f.Close() // only read
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("look at root of text index: %w", err)
	}
	if info.Size() == 0 {
		return nil // a new one
	}
	meta := make([]byte, boltMeta)
	size := int64(os.Getpagesize())
	for _, page := range []int64{0, 1} {
		if _, err := f.ReadAt(meta, page*size+boltHeader); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("look at root of text index: %w", err)
		}
		if binary.NativeEndian.Uint32(meta) != boltMagic {
			continue // the library knows a damaged meta page by its checksum
		}
		size = int64(binary.NativeEndian.Uint32(meta[boltPageSize:]))
		pages := binary.NativeEndian.Uint64(meta[boltPages:])
		if size <= 0 || pages > uint64(info.Size()/size) {
			return fmt.Errorf("%w: root.bolt has %d bytes and speaks of %d pages of %d", ErrCorrupt, info.Size(), pages, size)
		}
	}
	return nil
}
