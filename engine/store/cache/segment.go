package cache

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"searchmcp/engine/api"
)

// header begins every segment, padded to a record's size, so that records are aligned.
var header = []byte("search-mcp vectors 1\n")

const headerSize = recordSize

// Extensions of a segment and of its index.
const (
	segmentExt = ".vec"
	indexExt   = ".idx"
)

// segment is one file of vectors.
type segment struct {
	dir     string
	number  uint64
	file    *os.File
	sealed  bool
	bytes   atomic.Int64 // written, header included
	refs    atomic.Int32 // reference count: the list's and readers'; the last one closes the file
	evicted atomic.Bool  // the last reference removes the files

	// byPrefix maps the first eight bytes of a key to its slot while the segment grows. A sealed one has sorted keys and
	// their slots instead: twelve bytes a vector.
	byPrefix map[uint64]uint32
	keys     []uint64
	slots    []uint32
}

func segmentPath(dir string, number uint64, ext string) string {
	return filepath.Join(dir, fmt.Sprintf("%016x%s", number, ext))
}

// listSegments returns the segments' numbers in order.
func listSegments(dir string) ([]uint64, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list vector cache: %w", err)
	}
	var out []uint64
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), segmentExt)
		if !ok {
			continue
		}
		if n, err := strconv.ParseUint(name, 16, 64); err == nil && n < math.MaxUint64 {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, nil
}

func removeSegment(dir string, number uint64) error {
	for _, ext := range []string{indexExt, segmentExt} {
		if err := os.Remove(segmentPath(dir, number, ext)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove segment of vector cache: %w", err)
		}
	}
	return nil
}

func createSegment(dir string, number uint64) (*segment, error) {
	f, err := os.OpenFile(segmentPath(dir, number, segmentExt), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create segment of vector cache: %w", err)
	}
	first := make([]byte, headerSize)
	copy(first, header)
	if _, err := f.Write(first); err != nil {
		return nil, errors.Join(fmt.Errorf("create segment of vector cache: %w", err), f.Close(), removeSegment(dir, number))
	}
	s := &segment{dir: dir, number: number, file: f, byPrefix: map[uint64]uint32{}}
	s.bytes.Store(headerSize)
	s.refs.Store(1)
	return s, nil
}

// openSegment opens a segment. A full one without an index gets one; the last one may grow.
func openSegment(dir string, number uint64, full bool) (*segment, error) {
	f, err := os.OpenFile(segmentPath(dir, number, segmentExt), os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	s := &segment{dir: dir, number: number, file: f}
	s.refs.Store(1)
	if err := s.load(full); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

func (s *segment) load(full bool) error {
	first := make([]byte, len(header))
	if _, err := s.file.ReadAt(first, 0); err != nil || !bytes.Equal(first, header) {
		return errors.New("not a segment")
	}
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	n := max(0, (info.Size()-headerSize)/recordSize)
	s.bytes.Store(headerSize + n*recordSize)
	if s.readIndex(int(n)) == nil {
		s.sealed = true
		return nil
	}
	if err := s.scan(int(n)); err != nil {
		return err
	}
	if full {
		return s.seal()
	}
	if err := s.file.Truncate(s.bytes.Load()); err != nil { // a torn record
		return err
	}
	return nil
}

// scan builds the index from the records; those with a wrong checksum are left out.
func (s *segment) scan(n int) error {
	s.byPrefix = make(map[uint64]uint32, n)
	r := bufio.NewReaderSize(io.NewSectionReader(s.file, headerSize, int64(n)*recordSize), 1<<20)
	buf := make([]byte, recordSize)
	for slot := range n {
		if _, err := io.ReadFull(r, buf); err != nil {
			return err
		}
		if validRecord(buf) {
			s.byPrefix[prefix(key(buf[:keySize]))] = uint32(slot)
		}
	}
	return nil
}

func prefix(k key) uint64 { return binary.LittleEndian.Uint64(k[:8]) }

// seal ends a segment: its data and its index become durable.
func (s *segment) seal() error {
	if s.sealed {
		return nil
	}
	if err := s.file.Sync(); err != nil {
		return fmt.Errorf("seal segment of vector cache: %w", err)
	}
	type pair struct {
		key  uint64
		slot uint32
	}
	pairs := make([]pair, 0, len(s.byPrefix))
	for k, slot := range s.byPrefix {
		pairs = append(pairs, pair{k, slot})
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
	b := append([]byte(nil), header...)
	for _, p := range pairs {
		b = binary.LittleEndian.AppendUint64(b, p.key)
		b = binary.LittleEndian.AppendUint32(b, p.slot)
	}
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	temp := segmentPath(s.dir, s.number, indexExt+".tmp")
	if err := os.WriteFile(temp, b, 0o600); err != nil {
		return fmt.Errorf("seal segment of vector cache: %w", err)
	}
	if err := os.Rename(temp, segmentPath(s.dir, s.number, indexExt)); err != nil {
		return fmt.Errorf("seal segment of vector cache: %w", err)
	}
	s.sealed = true // lookups use byPrefix until the next start
	return nil
}

// readIndex reads the index of a sealed segment with n records at most.
func (s *segment) readIndex(n int) error {
	b, err := os.ReadFile(segmentPath(s.dir, s.number, indexExt))
	if err != nil {
		return err
	}
	const entry = 12
	body := len(b) - len(header) - 4
	if body < 0 || body%entry != 0 || !bytes.HasPrefix(b, header) ||
		crc32.Checksum(b[:len(b)-4], castagnoli) != binary.LittleEndian.Uint32(b[len(b)-4:]) {
		return errors.New("damaged")
	}
	count := body / entry
	s.keys, s.slots = make([]uint64, count), make([]uint32, count)
	for i := range count {
		at := len(header) + i*entry
		s.keys[i] = binary.LittleEndian.Uint64(b[at:])
		s.slots[i] = binary.LittleEndian.Uint32(b[at+8:])
		if int(s.slots[i]) >= n {
			return errors.New("names records that are not there")
		}
	}
	return nil
}

// find returns the slot of a key by the first half of the key; read compares the rest. Cache.mu is held.
func (s *segment) find(k key) (uint32, bool) {
	if s.byPrefix != nil {
		slot, ok := s.byPrefix[prefix(k)]
		return slot, ok
	}
	i, ok := slices.BinarySearch(s.keys, prefix(k))
	if !ok {
		return 0, false
	}
	return s.slots[i], true
}

// read returns a record's vector if its key and checksum are right. buf has a record's length.
func (s *segment) read(slot uint32, k key, buf []byte) (v api.Vector, ok bool) {
	if _, err := s.file.ReadAt(buf, headerSize+int64(slot)*recordSize); err != nil {
		return v, false
	}
	if key(buf[:keySize]) != k || !validRecord(buf) {
		return v, false
	}
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(buf[keySize+4*i:]))
	}
	return v, true
}

// write appends records without fsync: after a crash of the system they are made again.
func (s *segment) write(records []byte) error {
	at := s.bytes.Load()
	if _, err := s.file.WriteAt(records, at); err != nil {
		if terr := s.file.Truncate(at); terr != nil {
			err = errors.Join(err, terr)
		}
		return err
	}
	return nil
}

// markAdded adds keys to the index whose records were written. Cache.mu is held.
func (s *segment) markAdded(keys []key) {
	slot := uint32((s.bytes.Load() - headerSize) / recordSize)
	for _, k := range keys {
		s.byPrefix[prefix(k)] = slot
		slot++
	}
	s.bytes.Add(int64(len(keys)) * recordSize)
}

func (s *segment) size() int64 { return s.bytes.Load() }

func (s *segment) count() int { return int((s.bytes.Load() - headerSize) / recordSize) }

func (s *segment) acquire() { s.refs.Add(1) }

// release drops a reference. The last one closes the file and, if the segment was evicted, removes it: Windows removes
// no open file.
func (s *segment) release() {
	if s.refs.Add(-1) > 0 {
		return
	}
	_ = s.file.Close() // a lost write costs only time
	if s.evicted.Load() {
		_ = removeSegment(s.dir, s.number) // the next Open finds it and evicts it again
	}
}

// evict removes the segment once it is unused.
func (s *segment) evict() {
	s.evicted.Store(true)
	s.release()
}
