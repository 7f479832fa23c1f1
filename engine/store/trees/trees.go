package trees

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

const (
	fileName   = "trees"
	headerSize = 64 // of the file: its name and version
	blockSize  = 12 // of a block before its table: magic, number of entries, the table's checksum
	entrySize  = 24 // of the table
	magic      = 0x54524545
	// deadBytes may be out of date before a file is written anew, whatever the rest of it is.
	deadBytes = 4 << 20
	// unused is after how long the file is closed and its list of entries given up, 40 bytes for each file.
	unused = 30 * time.Second
)

// tag says which content a tree is of: the beginning of its SHA-256; 0 for none.
type tag uint64

func tagOf(hash string) tag {
	n, err := strconv.ParseUint(hash[:min(len(hash), 16)], 16, 64)
	if err != nil {
		return 0
	}
	return tag(n)
}

// Item is one file's tree. Hash is the SHA-256 of the content in hex.
type Item struct {
	Path, Hash string
	Tree       []byte
}

// Store is the trees of one project. It is safe for concurrent use; one process at a time may have a folder's.
type Store struct {
	dir, version string

	mu      sync.RWMutex
	file    *os.File // nil: closed, entries are nil
	size    int64
	live    int64 // bytes of trees that count
	entries map[uint64]entry
	closed  bool
	idle    *time.Timer
}

type entry struct {
	tag    tag
	at     int64
	length uint32
	sum    uint32
}

// New returns the trees of the project whose folder is dir; nothing is opened before it is needed. Trees of another
// version are dropped.
func New(dir, version string) *Store {
	s := &Store{dir: dir, version: version}
	s.idle = time.AfterFunc(time.Hour, s.rest)
	s.idle.Stop()
	return s
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func keyOf(path string) uint64 {
	sum := sha256.Sum256([]byte(path))
	return binary.LittleEndian.Uint64(sum[:8])
}

// Known reports whether there is a tree of a path, of whatever text.
func (s *Store) Known(path string) bool {
	_, ok := s.find(path)
	return ok
}

func (s *Store) find(path string) (entry, bool) {
	if s.ready() != nil {
		return entry{}, false
	}
	defer s.mu.RUnlock()
	e, ok := s.entries[keyOf(path)]
	return e, ok
}

// Get returns the tree of a path's content; ok is false if it is not kept or not readable.
func (s *Store) Get(path, hash string) (tree []byte, ok bool) {
	if s.ready() != nil {
		return nil, false
	}
	defer s.mu.RUnlock()
	e, ok := s.entries[keyOf(path)]
	if !ok || e.tag != tagOf(hash) {
		return nil, false
	}
	return s.read(e)
}

// read reads an entry's bytes. s.mu is held.
func (s *Store) read(e entry) ([]byte, bool) {
	b := make([]byte, e.length)
	if _, err := s.file.ReadAt(b, e.at); err != nil || crc32.Checksum(b, castagnoli) != e.sum {
		return nil, false
	}
	return b, true
}

// Put keeps trees in place of those of the same paths. Items without a tree are left out.
func (s *Store) Put(items []Item) error {
	b := newBlock(len(items))
	for _, it := range items {
		if t := tagOf(it.Hash); t != 0 && len(it.Tree) > 0 {
			b.add(keyOf(it.Path), t, it.Tree)
		}
	}
	if len(b.entries) == 0 {
		return nil
	}
	return s.append(b)
}

// Remove forgets files. Nothing of their trees is on disk any more when the file is written anew.
func (s *Store) Remove(paths []string) error {
	b := newBlock(len(paths))
	for _, p := range paths {
		if s.Known(p) {
			b.add(keyOf(p), 0, nil)
		}
	}
	if len(b.entries) == 0 {
		return nil
	}
	return s.append(b)
}

// Retain forgets all files but these, on disk as well.
func (s *Store) Retain(paths []string) error {
	if err := s.ready(); err != nil {
		return err
	}
	s.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	kept := make(map[uint64]bool, len(paths))
	for _, p := range paths {
		kept[keyOf(p)] = true
	}
	for k := range s.entries {
		if !kept[k] {
			s.drop(k)
		}
	}
	if s.size-headerSize > s.live {
		return s.rewrite()
	}
	return nil
}

// drop takes an entry out. s.mu is held.
func (s *Store) drop(k uint64) {
	s.live -= s.entries[k].cost()
	delete(s.entries, k)
}

// cost is what an entry takes on disk where it shares its block with others.
func (e entry) cost() int64 { return int64(e.length) + entrySize }

// block is one in the making.
type block struct {
	keys    []uint64
	entries []entry // at is from the beginning of the trees
	trees   []byte
}

func newBlock(n int) *block { return &block{keys: make([]uint64, 0, n), entries: make([]entry, 0, n)} }

func (b *block) add(key uint64, tag tag, tree []byte) {
	b.keys = append(b.keys, key)
	b.entries = append(b.entries, entry{tag, int64(len(b.trees)), uint32(len(tree)), crc32.Checksum(tree, castagnoli)})
	b.trees = append(b.trees, tree...)
}

// bytes lays the block out, and says where its trees begin.
func (b *block) bytes() (out []byte, trees int64) {
	table := make([]byte, 0, len(b.keys)*entrySize)
	for i, e := range b.entries {
		table = binary.LittleEndian.AppendUint64(table, b.keys[i])
		table = binary.LittleEndian.AppendUint64(table, uint64(e.tag))
		table = binary.LittleEndian.AppendUint32(table, e.length)
		table = binary.LittleEndian.AppendUint32(table, e.sum)
	}
	out = make([]byte, 0, blockSize+len(table)+len(b.trees))
	out = binary.LittleEndian.AppendUint32(out, magic)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(b.keys)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(table, castagnoli))
	out = append(append(out, table...), b.trees...)
	return out, int64(blockSize + len(table))
}

// append writes a block at the end of the file.
func (s *Store) append(b *block) error {
	data, trees := b.bytes()
	if err := s.ready(); err != nil {
		return err
	}
	s.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil // closed in between: it is only a cache
	}
	if _, err := s.file.WriteAt(data, s.size); err != nil {
		return errors.Join(fmt.Errorf("keep syntax trees: %w", err), s.file.Truncate(s.size))
	}
	for i, e := range b.entries {
		e.at += s.size + trees
		s.take(b.keys[i], e)
	}
	s.size += int64(len(data))
	if dead := s.size - headerSize - s.live; dead > deadBytes && dead > s.live {
		return s.rewrite()
	}
	return nil
}

// take notes what the file says of a path. s.mu is held.
func (s *Store) take(key uint64, e entry) {
	if _, ok := s.entries[key]; ok {
		s.drop(key)
	}
	if e.tag != 0 {
		s.entries[key] = e
		s.live += e.cost()
	}
}

// ready has the file open and returns with s.mu read-locked, unless it fails.
func (s *Store) ready() error {
	s.mu.RLock()
	if s.file != nil {
		s.idle.Reset(unused)
		return nil
	}
	s.mu.RUnlock()
	s.mu.Lock()
	var err error
	if s.closed {
		err = fs.ErrClosed
	} else if s.file == nil {
		err = s.open()
	}
	s.mu.Unlock()
	if err != nil {
		return fmt.Errorf("open syntax trees: %w", err)
	}
	s.mu.RLock()
	if s.file == nil {
		s.mu.RUnlock()
		return fmt.Errorf("open syntax trees: %w", fs.ErrClosed)
	}
	s.idle.Reset(unused)
	return nil
}

func (s *Store) path() string { return filepath.Join(s.dir, fileName) }

func (s *Store) header() []byte {
	out := make([]byte, headerSize)
	copy(out, "search-mcp trees 1 "+s.version+"\n")
	return out
}

// open reads the tables of the file. s.mu is held.
func (s *Store) open() error {
	f, err := os.OpenFile(s.path(), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	s.entries, s.live = map[uint64]entry{}, 0
	first := make([]byte, headerSize)
	if _, err := f.ReadAt(first, 0); err != nil || !bytes.Equal(first, s.header()) {
		if err := errors.Join(f.Truncate(0), writeAt(f, s.header(), 0)); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	s.size = headerSize
	for s.size < info.Size() {
		n := s.table(f, info.Size())
		if n == 0 { // torn
			if err := f.Truncate(s.size); err != nil {
				return errors.Join(err, f.Close())
			}
			break
		}
		s.size += n
	}
	s.file = f
	return nil
}

func writeAt(f *os.File, b []byte, at int64) error {
	_, err := f.WriteAt(b, at)
	return err
}

// table takes the entries of the block at s.size and returns its length, 0 if it is none. s.mu is held.
func (s *Store) table(f *os.File, end int64) int64 {
	head := make([]byte, blockSize)
	if _, err := f.ReadAt(head, s.size); err != nil || binary.LittleEndian.Uint32(head) != magic {
		return 0
	}
	n := int64(binary.LittleEndian.Uint32(head[4:]))
	if s.size+blockSize+n*entrySize > end {
		return 0
	}
	table := make([]byte, n*entrySize)
	if _, err := f.ReadAt(table, s.size+blockSize); err != nil ||
		crc32.Checksum(table, castagnoli) != binary.LittleEndian.Uint32(head[8:]) {
		return 0
	}
	length := blockSize + int64(len(table))
	for at := 0; at < len(table); at += entrySize {
		length += int64(binary.LittleEndian.Uint32(table[at+16:]))
	}
	if s.size+length > end {
		return 0
	}
	from := s.size + blockSize + int64(len(table))
	for at := 0; at < len(table); at += entrySize {
		e := entry{
			tag: tag(binary.LittleEndian.Uint64(table[at+8:])), at: from,
			length: binary.LittleEndian.Uint32(table[at+16:]), sum: binary.LittleEndian.Uint32(table[at+20:]),
		}
		s.take(binary.LittleEndian.Uint64(table[at:]), e)
		from += int64(e.length)
	}
	return length
}

// rewrite copies what counts into a new file. s.mu is held.
func (s *Store) rewrite() error {
	if err := s.copyTo(s.path() + ".tmp"); err != nil {
		return errors.Join(fmt.Errorf("write syntax trees anew: %w", err), os.Remove(s.path()+".tmp"))
	}
	s.shut() // Windows replaces no open file
	if err := os.Rename(s.path()+".tmp", s.path()); err != nil {
		return fmt.Errorf("write syntax trees anew: %w", err)
	}
	return nil // the next use opens it
}

func (s *Store) copyTo(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(s.header())
	const most = 4 << 20 // bytes of a block
	b := newBlock(0)
	flush := func() {
		if err == nil && len(b.keys) > 0 {
			data, _ := b.bytes()
			_, err = f.Write(data)
		}
		b = newBlock(0)
	}
	for k, e := range s.entries {
		tree, ok := s.read(e)
		if !ok {
			continue // parsed again when it is asked about
		}
		if b.add(k, e.tag, tree); len(b.trees) > most {
			flush()
		}
	}
	flush()
	return errors.Join(err, f.Close())
}

// rest closes a file that nobody has used for a while.
func (s *Store) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut()
}

// shut closes the file. s.mu is held.
func (s *Store) shut() {
	if s.file != nil {
		_ = s.file.Close() // a lost write costs a parse
	}
	s.file, s.entries = nil, nil
}

// Close ends the use of the trees. It may be called twice.
func (s *Store) Close() error {
	s.idle.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.shut()
	return nil
}
