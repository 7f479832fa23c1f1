package sketch

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"searchmcp/engine/api"
)

var (
	// ErrDamaged means that the files are not a complete sketch.
	ErrDamaged = errors.New("sketch of vectors is damaged")
	ErrUnfit   = errors.New("row does not fit into the sketch of vectors")
	ErrClosed  = errors.New("sketch of vectors is closed")
)

// Row is a chunk with its vector. The sketch does not store Text.
type Row struct {
	ID, Path, Text     string
	Vector             api.Vector
	StartLine, EndLine int
	ContentHash        string // SHA-256 of the source file, hex
}

type Key struct {
	ID, Path, ContentHash string
}

type Sketch struct {
	bits, codes, names *os.File

	mu       sync.RWMutex // guards the fields below
	blocks   [][]row
	live     int
	namesEnd int64
	closed   bool
}

// blockRows is the number of rows of a block. A search checks for cancellation after each block.
const blockRows = 4096

// header is the beginning of the file "bits". It is as long as a row.
var header = func() []byte {
	h := make([]byte, bitsSize)
	copy(h, "search-mcp sketch of vectors 1\n")
	return h
}()

var fileNames = [...]string{"bits", "codes", "names"}

// Create creates an empty sketch in dir. It replaces an existing sketch.
func Create(dir string) (*Sketch, error) {
	if err := Remove(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create sketch of vectors: %w", err)
	}
	s, err := openFiles(dir, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, fmt.Errorf("create sketch of vectors: %w", err)
	}
	if _, err := s.bits.WriteAt(header, 0); err != nil {
		return nil, errors.Join(fmt.Errorf("create sketch of vectors: %w", err), s.Close())
	}
	return s, nil
}

func Remove(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove sketch of vectors: %w", err)
	}
	return nil
}

// Open opens the sketch in dir and reads its one-bit codes. It returns fs.ErrNotExist or ErrDamaged if no usable sketch
// exists.
func Open(dir string) (*Sketch, error) {
	s, err := openFiles(dir, os.O_RDWR)
	if err != nil {
		return nil, fmt.Errorf("open sketch of vectors: %w", err)
	}
	if err := s.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("open sketch of vectors: %w", err), s.Close())
	}
	return s, nil
}

func openFiles(dir string, flag int) (*Sketch, error) {
	s := &Sketch{}
	for i, f := range []**os.File{&s.bits, &s.codes, &s.names} {
		var err error
		if *f, err = os.OpenFile(filepath.Join(dir, fileNames[i]), flag, 0o600); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// load reads the one-bit codes. It ignores a partial last row after a crash, which the next Append overwrites.
func (s *Sketch) load() error {
	r := bufio.NewReaderSize(s.bits, 1<<20)
	buf := make([]byte, bitsSize)
	if _, err := io.ReadFull(r, buf); err != nil || string(buf) != string(header) {
		return fmt.Errorf("%w: no header", ErrDamaged)
	}
	for {
		_, err := io.ReadFull(r, buf)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return err
		}
		one, ok := parseRow(buf)
		if !ok {
			return fmt.Errorf("%w: row %d", ErrDamaged, s.rows())
		}
		s.push(one)
	}
	codes, err1 := s.codes.Stat()
	names, err2 := s.names.Stat()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if codes.Size() < int64(s.rows())*codesSize {
		return fmt.Errorf("%w: the file of codes is too short", ErrDamaged)
	}
	s.namesEnd = names.Size()
	return nil
}

func (s *Sketch) push(r row) {
	if n := len(s.blocks); n == 0 || len(s.blocks[n-1]) == blockRows {
		// The first block grows with its rows, so that small tables use little memory.
		s.blocks = append(s.blocks, nil)
		if n > 0 {
			s.blocks[n] = make([]row, 0, blockRows)
		}
	}
	last := &s.blocks[len(s.blocks)-1]
	*last = append(*last, r)
	if r.mark&removed == 0 {
		s.live++
	}
}

func (s *Sketch) rows() int {
	if len(s.blocks) == 0 {
		return 0
	}
	return (len(s.blocks)-1)*blockRows + len(s.blocks[len(s.blocks)-1])
}

func (s *Sketch) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.live
}

func (s *Sketch) Removed() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.rows() - s.live
}

func (s *Sketch) Each(visit func(Key)) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return ErrClosed
	}
	name := s.cachedNames()
	for b, block := range s.blocks {
		var live []candidate
		for i, r := range block {
			if r.mark&removed == 0 {
				live = append(live, candidate{row: b*blockRows + i})
			}
		}
		err := s.readDetails(context.Background(), live, func(_ int, d *detail) error {
			path, hash, err := name(d.file)
			if err == nil {
				visit(Key{d.rowID(), path, hash})
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Sketch) cachedNames() func(place uint32) (path, hash string, err error) {
	type name struct{ path, hash string }
	known := map[uint32]name{}
	return func(place uint32) (string, string, error) {
		n, ok := known[place]
		if !ok {
			var err error
			if n.path, n.hash, err = s.name(place); err != nil {
				return "", "", err
			}
			known[place] = n
		}
		return n.path, n.hash, nil
	}
}

// Append adds rows. If it returns an error, either no row was added, or the sketch is damaged and must be removed.
func (s *Sketch) Append(added []Row) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	names, places, err := s.nameRows(added)
	if err != nil {
		return fmt.Errorf("add to sketch of vectors: %w", err)
	}
	codes := make([]byte, 0, len(added)*codesSize)
	bits := make([]byte, 0, len(added)*bitsSize)
	fresh := make([]row, len(added))
	for i := range added {
		codes = appendDetail(codes, &added[i], places[i])
		fresh[i] = newRow(&added[i])
		bits = fresh[i].append(bits)
	}
	n := int64(s.rows())
	_, err = s.names.WriteAt(names, s.namesEnd)
	if err == nil {
		_, err = s.codes.WriteAt(codes, n*codesSize)
	}
	if err == nil {
		_, err = s.bits.WriteAt(bits, (1+n)*bitsSize)
	}
	if err != nil {
		return fmt.Errorf("add to sketch of vectors: %w", err)
	}
	s.namesEnd += int64(len(names))
	for _, r := range fresh {
		s.push(r)
	}
	return nil
}

// nameRows encodes the paths and content hashes of rows for the file "names". offsets contains the position of each
// row's path in that file. The caller must hold s.mu.
func (s *Sketch) nameRows(added []Row) (names []byte, offsets []uint32, err error) {
	type file struct{ path, hash string }
	known := map[file]uint32{}
	offsets = make([]uint32, len(added))
	for i := range added {
		e := &added[i]
		if len(e.ID) > maxID || len(e.Path) > math.MaxUint16 || len(e.ContentHash) > math.MaxUint16 {
			return nil, nil, fmt.Errorf("%w: %s", ErrUnfit, e.ID)
		}
		f := file{e.Path, e.ContentHash}
		place, ok := known[f]
		if !ok {
			at := s.namesEnd + int64(len(names))
			if at > math.MaxUint32 {
				return nil, nil, fmt.Errorf("%w: 4 GB of paths", ErrUnfit)
			}
			place = uint32(at)
			known[f] = place
			names = appendName(names, f.path, f.hash)
		}
		offsets[i] = place
	}
	return names, offsets, nil
}

const nameHead = 4 + 2 + 2

func appendName(b []byte, path, hash string) []byte {
	body := binary.LittleEndian.AppendUint16(nil, uint16(len(path)))
	body = binary.LittleEndian.AppendUint16(body, uint16(len(hash)))
	body = append(append(body, path...), hash...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(body, castagnoli))
	return append(b, body...)
}

func (s *Sketch) name(place uint32) (path, hash string, err error) {
	b := make([]byte, 256)
	n, err := s.names.ReadAt(b, int64(place))
	if err != nil && !errors.Is(err, io.EOF) {
		return "", "", fmt.Errorf("read path: %w", err)
	}
	if n < nameHead {
		return "", "", fmt.Errorf("%w: a path is missing", ErrDamaged)
	}
	pathLen := int(binary.LittleEndian.Uint16(b[4:]))
	whole := nameHead + pathLen + int(binary.LittleEndian.Uint16(b[6:]))
	if whole > n {
		b = make([]byte, whole)
		if _, err := s.names.ReadAt(b, int64(place)); err != nil {
			return "", "", fmt.Errorf("%w: read path: %w", ErrDamaged, err)
		}
	}
	b = b[:whole]
	if crc32.Checksum(b[4:], castagnoli) != binary.LittleEndian.Uint32(b) {
		return "", "", fmt.Errorf("%w: a path", ErrDamaged)
	}
	return string(b[nameHead : nameHead+pathLen]), string(b[nameHead+pathLen:]), nil
}

func (s *Sketch) RemovePaths(paths []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	byHash := make(map[uint32][]string, len(paths))
	for _, p := range paths {
		byHash[pathHash(p)] = append(byHash[pathHash(p)], p)
	}
	buf := make([]byte, codesSize)
	for b, block := range s.blocks {
		for i := range block {
			r := &block[i]
			if len(byHash[r.path]) == 0 || r.mark&removed != 0 {
				continue
			}
			if err := s.removeRow(b*blockRows+i, r, byHash[r.path], buf); err != nil {
				return fmt.Errorf("remove from sketch of vectors: %w", err)
			}
		}
	}
	return nil
}

func (s *Sketch) removeRow(n int, r *row, paths []string, buf []byte) error {
	b, err := s.read(n, 1, buf)
	if err != nil {
		return err
	}
	d, err := detailOf(n, b)
	if err != nil {
		return err
	}
	path, _, err := s.name(d.file)
	if err != nil || !slices.Contains(paths, path) {
		return err
	}
	if _, err := s.bits.WriteAt([]byte{byte(r.mark | removed)}, int64(1+n)*bitsSize+markOffset); err != nil {
		return err
	}
	r.mark |= removed
	s.live--
	return nil
}

// read reads n rows of the file "codes" into buf. first is the index of the first row.
func (s *Sketch) read(first, n int, buf []byte) ([]byte, error) {
	buf = buf[:n*codesSize]
	if _, err := s.codes.ReadAt(buf, int64(first)*codesSize); err != nil {
		if errors.Is(err, io.EOF) {
			err = ErrDamaged
		}
		return nil, fmt.Errorf("read codes of rows from %d on: %w", first, err)
	}
	return buf, nil
}

func detailOf(n int, b []byte) (detail, error) {
	d, ok := parseDetail(b)
	if !ok {
		return d, fmt.Errorf("%w: code of row %d", ErrDamaged, n)
	}
	return d, nil
}

// Close closes the files. It may be called twice.
func (s *Sketch) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed, s.blocks = true, nil
	var errs []error
	for _, f := range []*os.File{s.bits, s.codes, s.names} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close sketch of vectors: %w", err)
	}
	return nil
}
