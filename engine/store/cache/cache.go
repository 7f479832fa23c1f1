// Package cache is a content-addressed cache of vectors for all projects: a rename, a branch, a fork or a reindex
// embeds nothing twice. Whatever it loses is made again.
//
// It must not know projects, chunks or models; a model's hash is a part of the key.
//
// # Files
//
// Append-only segments of fixed-size records: 16 bytes of key, 384 float32, a checksum. Only the last segment grows;
// when it is full it is sealed, and its index (sorted keys with their slots) is written to a file beside it, which is
// made again if it is missing. When the files exceed the limit, the oldest segment is evicted; vectors in use were
// copied forward before, so the policy approximates least recently used. A record with a wrong checksum is ignored.
//
// # Goroutines and locks
//
// No goroutines. Cache.writer is the single-writer lock and is held over I/O; Cache.mu guards the list of segments and
// the last one's index, is a leaf, and is never held over I/O. The order is writer, mu.
package cache

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"math"
	"os"
	"slices"
	"sync"

	"searchmcp/engine/api"
)

// DefaultMaxBytes holds some 690,000 vectors: the chunks of several large projects with a few branches each.
const DefaultMaxBytes = 1 << 30

// Sizes of a record's parts and of a full segment, in bytes. 32 MB (21,000 vectors) are read in 20 ms when an index
// has to be made again, and are a small part of any sensible limit to evict at once.
const (
	keySize     = 16
	vectorSize  = api.VectorDim * 4
	recordSize  = keySize + vectorSize + 4
	segmentSize = 32 << 20
)

// ErrClosed is returned after Close.
var ErrClosed = errors.New("vector cache is closed")

// Options is what a Cache works with.
type Options struct {
	// MaxBytes bounds the files. 0 means DefaultMaxBytes.
	MaxBytes int64
	// SegmentBytes is when a segment is full; 0 means 32 MB, for tests.
	SegmentBytes int64
	Log          *slog.Logger // nil: slog.Default()
}

// Cache is the cache. Its methods are safe for concurrent use; only one process may have it open.
type Cache struct {
	dir string
	opt Options
	log *slog.Logger

	writer sync.Mutex // appends, seals, evicts

	mu       sync.RWMutex // guards what follows
	segments []*segment   // oldest first; the last one grows
	closed   bool
}

// key names a vector: the first 16 bytes of SHA-256(model, input).
type key [keySize]byte

func keyOf(model, input string) key {
	h := sha256.New()
	io.WriteString(h, model) //nolint:errcheck // a hash never fails
	h.Write([]byte{0})
	io.WriteString(h, input) //nolint:errcheck // a hash never fails
	return key(h.Sum(nil)[:keySize])
}

// Open opens the cache in dir or begins one. Damaged segments are dropped and logged.
func Open(dir string, o Options) (*Cache, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.SegmentBytes <= 0 {
		o.SegmentBytes = segmentSize
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of vector cache: %w", err)
	}
	c := &Cache{dir: dir, opt: o, log: o.Log}
	numbers, err := listSegments(dir)
	if err != nil {
		return nil, err
	}
	for i, n := range numbers {
		s, err := openSegment(dir, n, i < len(numbers)-1)
		if err != nil {
			c.log.Warn("segment of vector cache dropped", "segment", n, "err", err)
			if err := removeSegment(dir, n); err != nil {
				return nil, errors.Join(err, c.Close())
			}
			continue
		}
		c.segments = append(c.segments, s)
	}
	if err := c.ensureWritable(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// ensureWritable makes sure that the last segment has space for records.
func (c *Cache) ensureWritable() error {
	c.mu.RLock()
	n := len(c.segments)
	var last *segment
	if n > 0 {
		last = c.segments[n-1]
	}
	c.mu.RUnlock()
	if last != nil && !last.sealed && last.size() < c.opt.SegmentBytes {
		return nil
	}
	number := uint64(1)
	if last != nil {
		if err := last.seal(); err != nil {
			return err
		}
		number = last.number + 1
	}
	s, err := createSegment(c.dir, number)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.segments = append(c.segments, s)
	c.mu.Unlock()
	c.evict()
	return nil
}

// evict removes the oldest segments while the files exceed the limit. Readers that are in one keep it open.
func (c *Cache) evict() {
	for {
		c.mu.Lock()
		var sum int64
		for _, s := range c.segments {
			sum += s.size()
		}
		if len(c.segments) < 2 || sum+c.opt.SegmentBytes <= c.opt.MaxBytes {
			c.mu.Unlock()
			return
		}
		old := c.segments[0]
		c.segments = slices.Clone(c.segments[1:]) // readers hold the old slice
		c.mu.Unlock()
		old.evict()
	}
}

// hit is where a vector was found.
type hit struct {
	segment *segment
	age     int // segments that are younger
	slot    uint32
	input   int
}

// Get returns the cached vectors of inputs under a model, by index into inputs. Those in the oldest quarter of the
// segments are copied forward, so that vectors in use are not evicted.
func (c *Cache) Get(ctx context.Context, model string, inputs []string) (map[int]api.Vector, error) {
	keys := make([]key, len(inputs))
	for i, in := range inputs {
		keys[i] = keyOf(model, in)
	}
	hits, segments, err := c.find(keys)
	if err != nil {
		return nil, err
	}
	defer release(segments)
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.age, a.age), cmp.Compare(a.slot, b.slot)) // in the order of the files
	})
	out := make(map[int]api.Vector, len(hits))
	var old []int
	buf := make([]byte, recordSize)
	for n, h := range hits {
		if n%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		v, ok := h.segment.read(h.slot, keys[h.input], buf)
		if !ok {
			continue
		}
		out[h.input] = v
		if 4*h.age >= 3*len(segments) && len(segments) >= 4 {
			old = append(old, h.input)
		}
	}
	if len(old) > 0 {
		vectors := make([]api.Vector, len(old))
		for i, n := range old {
			vectors[i] = out[n]
		}
		if err := c.append(keysAt(keys, old), vectors, len(segments)*3/4); err != nil {
			c.log.Warn("vectors not copied forward in the cache", "err", err)
		}
	}
	return out, nil
}

func keysAt(keys []key, at []int) []key {
	out := make([]key, len(at))
	for i, n := range at {
		out[i] = keys[n]
	}
	return out
}

// find looks keys up, youngest segment first, and returns the segments, acquired; the caller releases them.
func (c *Cache) find(keys []key) (hits []hit, segments []*segment, err error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return nil, nil, ErrClosed
	}
	segments = c.segments
	for _, s := range segments {
		s.acquire()
	}
	for i, k := range keys {
		for age := range segments {
			s := segments[len(segments)-1-age]
			if slot, ok := s.find(k); ok {
				hits = append(hits, hit{segment: s, age: age, slot: slot, input: i})
				break
			}
		}
	}
	return hits, segments, nil
}

func release(segments []*segment) {
	for _, s := range segments {
		s.release()
	}
}

// Put adds vectors that are not cached yet. A crash of the system may lose the last ones.
func (c *Cache) Put(ctx context.Context, model string, inputs []string, vectors []api.Vector) error {
	if len(inputs) != len(vectors) {
		return fmt.Errorf("put into vector cache: %d inputs, %d vectors", len(inputs), len(vectors))
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	keys := make([]key, len(inputs))
	for i, in := range inputs {
		keys[i] = keyOf(model, in)
	}
	if err := c.append(keys, vectors, math.MaxInt); err != nil {
		return fmt.Errorf("put into vector cache: %w", err)
	}
	return nil
}

// append writes vectors whose key is in none of the youngest segments, young of them.
func (c *Cache) append(keys []key, vectors []api.Vector, young int) error {
	c.writer.Lock()
	defer c.writer.Unlock()
	for len(keys) > 0 {
		if err := c.ensureWritable(); err != nil {
			return err
		}
		c.mu.RLock()
		if c.closed {
			c.mu.RUnlock()
			return ErrClosed
		}
		last := c.segments[len(c.segments)-1]
		room := max(1, int((c.opt.SegmentBytes-last.size())/recordSize))
		var fresh []key
		var buf []byte
		seen := map[key]bool{}
		n := 0
		for n < len(keys) && len(fresh) < room {
			if k := keys[n]; !seen[k] && !c.contains(k, young) {
				seen[k] = true
				fresh = append(fresh, k)
				buf = appendRecord(buf, k, &vectors[n])
			}
			n++
		}
		c.mu.RUnlock()
		keys, vectors = keys[n:], vectors[n:]
		if len(fresh) == 0 {
			continue
		}
		if err := last.write(buf); err != nil {
			return err
		}
		c.mu.Lock()
		last.markAdded(fresh)
		c.mu.Unlock()
	}
	return nil
}

// contains reports whether one of the youngest segments has a key. c.mu is held.
func (c *Cache) contains(k key, young int) bool {
	for age := range min(young, len(c.segments)) {
		if _, ok := c.segments[len(c.segments)-1-age].find(k); ok {
			return true
		}
	}
	return false
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func appendRecord(buf []byte, k key, v *api.Vector) []byte {
	start := len(buf)
	buf = append(buf, k[:]...)
	for _, x := range v {
		buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint32(buf, crc32.Checksum(buf[start:], castagnoli))
}

// validRecord reports whether a record's checksum fits.
func validRecord(b []byte) bool {
	return crc32.Checksum(b[:recordSize-4], castagnoli) == binary.LittleEndian.Uint32(b[recordSize-4:])
}

// Stats says how much is held.
type Stats struct {
	Vectors int
	Bytes   int64
}

// Stats counts what is held; a vector that was copied forward counts twice.
func (c *Cache) Stats() Stats {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var st Stats
	for _, s := range c.segments {
		st.Vectors += s.count()
		st.Bytes += s.size()
	}
	return st
}

// Close ends the use of the cache. It may be called twice.
func (c *Cache) Close() error {
	c.writer.Lock()
	defer c.writer.Unlock()
	c.mu.Lock()
	segments := c.segments
	c.segments, c.closed = nil, true
	c.mu.Unlock()
	for _, s := range segments {
		s.release() // the list's own use
	}
	return nil
}
