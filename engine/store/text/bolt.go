package text

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
)

// Layout of bbolt's files (bbolt, internal/common).
const (
	boltMagic = 0xED0CDAED

	// A page begins with its number, its kind, and the counts of its elements and overflow pages.
	pageHeader   = 16
	pageFlags    = 8
	pageCount    = 10
	pageOverflow = 12

	branchPage = 0x01
	leafPage   = 0x02

	metaPageSize = 8
	metaRoot     = 16
	metaPages    = 40 // number of pages in use
	metaTx       = 48
	metaChecksum = 56
	metaSize     = 64

	elementSize  = 16
	bucketHeader = 16 // size of the root page's number and a sequence number
	isBucket     = 0x01
)

// Names in root.bolt (bleve, util/keys.go).
const (
	snapshotsBucket = "s"
	pathKey         = "p"
	metadataBucket  = "m"
	versionKey      = "version"
)

// bolt reads a bbolt file and checks bounds before each step.
//
// bbolt's own check (Tx.Check) reads the mapped file on another goroutine, where a fault can't be recovered. It ended
// the process with 13 of 250 damaged files.
type bolt struct {
	data     []byte
	pageSize uint64
	pages    uint64          // number of pages in use
	tx       uint64          // number of the last transaction
	seen     map[uint64]bool // page numbers that were visited
	segments []string        // files of the newest snapshot
	version  []byte          // format version of these files
	snapshot []byte
}

// readBolt checks data, the content of root.bolt. It returns ErrCorrupt if a page is missing or is used twice. It does
// not check the list of free pages: 200 files with a damaged list neither ended the process nor blocked it.
func readBolt(data []byte) (*bolt, error) {
	b := &bolt{data: data, seen: map[uint64]bool{}}
	root, err := b.meta()
	if err != nil {
		return nil, err
	}
	if err := b.tree(root, nil); err != nil {
		return nil, err
	}
	return b, nil
}

func corruptRoot(format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrCorrupt, rootFile, fmt.Sprintf(format, args...))
}

// meta returns the page number of the root.
func (b *bolt) meta() (root uint64, err error) {
	found := false
	size := uint64(os.Getpagesize())
	for page := range uint64(2) {
		at := page*size + pageHeader
		if at+metaSize > uint64(len(b.data)) {
			break
		}
		m := b.data[at : at+metaSize]
		h := fnv.New64a()
		_, _ = h.Write(m[:metaChecksum])
		if binary.NativeEndian.Uint32(m) != boltMagic || h.Sum64() != binary.NativeEndian.Uint64(m[metaChecksum:]) {
			continue
		}
		size = uint64(binary.NativeEndian.Uint32(m[metaPageSize:]))
		if tx := binary.NativeEndian.Uint64(m[metaTx:]); !found || tx > b.tx {
			found, b.tx, b.pageSize, b.pages = true, tx, size, binary.NativeEndian.Uint64(m[metaPages:])
			root = binary.NativeEndian.Uint64(m[metaRoot:])
		}
	}
	if !found {
		return 0, corruptRoot("no valid meta page")
	}
	if b.pageSize < pageHeader || b.pages > uint64(len(b.data))/b.pageSize {
		return 0, corruptRoot("%d bytes, and it speaks of %d pages of %d", len(b.data), b.pages, b.pageSize)
	}
	return root, nil
}

// page returns the page with number id and its overflow pages, and marks all of them as used.
func (b *bolt) page(id uint64) ([]byte, error) {
	if id < 2 || id >= b.pages {
		return nil, corruptRoot("page %d of %d", id, b.pages)
	}
	p := b.data[id*b.pageSize:]
	if binary.NativeEndian.Uint64(p) != id {
		return nil, corruptRoot("page %d calls itself %d", id, binary.NativeEndian.Uint64(p))
	}
	n := 1 + uint64(binary.NativeEndian.Uint32(p[pageOverflow:]))
	if n > b.pages-id {
		return nil, corruptRoot("page %d has %d overflow pages", id, n)
	}
	for i := range n {
		if b.seen[id+i] {
			return nil, corruptRoot("page %d is used twice", id+i)
		}
		b.seen[id+i] = true
	}
	return p[:n*b.pageSize], nil
}

// tree checks a page of a bucket and all pages below. path contains the names of the enclosing buckets.
func (b *bolt) tree(id uint64, path [][]byte) error {
	p, err := b.page(id)
	if err != nil {
		return err
	}
	return b.walk(p, path)
}

func (b *bolt) walk(p []byte, path [][]byte) error {
	kind, count := binary.NativeEndian.Uint16(p[pageFlags:]), int(binary.NativeEndian.Uint16(p[pageCount:]))
	isBranch := kind == branchPage
	if !isBranch && kind != leafPage || isBranch && count == 0 || pageHeader+count*elementSize > len(p) {
		return corruptRoot("page of kind %x with %d elements", kind, count)
	}
	var last []byte
	for i := range count {
		e := pageHeader + i*elementSize
		var n [4]uint32 // flags, position, and sizes of key and value
		for j := range n {
			n[j] = binary.NativeEndian.Uint32(p[e+4*j:])
		}
		if isBranch { // position and size of the key, then a page number
			n = [4]uint32{0, n[0], n[1], 0}
		}
		key, value, err := within(p, e, n[1], n[2], n[3])
		switch {
		case err != nil:
		case i > 0 && bytes.Compare(last, key) >= 0:
			err = corruptRoot("page is not in order")
		case isBranch:
			err = b.tree(binary.NativeEndian.Uint64(p[e+8:]), path)
		case n[0] == isBucket:
			err = b.bucket(value, append(path[:len(path):len(path)], key))
		case n[0] != 0:
			err = corruptRoot("entry of kind %x", n[0])
		default:
			b.entry(path, key, value)
		}
		if err != nil {
			return err
		}
		last = key
	}
	return nil
}

func (b *bolt) bucket(value []byte, path [][]byte) error {
	if len(value) >= bucketHeader {
		if root := binary.NativeEndian.Uint64(value); root != 0 {
			return b.tree(root, path)
		}
	}
	if len(value) < bucketHeader+pageHeader {
		return corruptRoot("bucket of %d bytes", len(value))
	}
	return b.walk(value[bucketHeader:], path)
}

// entry records the segments of a snapshot and their format version. Later snapshots replace earlier ones.
func (b *bolt) entry(path [][]byte, key, value []byte) {
	if len(path) != 3 || string(path[0]) != snapshotsBucket {
		return
	}
	if !bytes.Equal(b.snapshot, path[1]) {
		b.snapshot, b.segments, b.version = path[1], nil, nil
	}
	switch {
	case string(key) == pathKey:
		b.segments = append(b.segments, string(value))
	case string(key) == versionKey && string(path[2]) == metadataBucket:
		b.version = value
	}
}

func within(p []byte, e int, pos, keySize, valueSize uint32) (key, value []byte, err error) {
	from := uint64(e) + uint64(pos)
	middle := from + uint64(keySize)
	to := middle + uint64(valueSize)
	if to > uint64(len(p)) {
		return nil, nil, corruptRoot("entry from %d to %d of %d bytes", from, to, len(p))
	}
	return p[from:middle], p[middle:to], nil
}
