// Package cache stores the vectors of all projects in an SQLite table, by embedding model and text. A text is not
// embedded again after a rename, a branch switch or a reindex.
//
// The package must not depend on projects, chunks or models.
//
// Rows are numbered in the order of their use. If the file exceeds its size limit, the rows with the lowest numbers are
// deleted. A row that is read shortly before its deletion gets a new number, which approximates LRU. A row with a wrong
// checksum is ignored. A file that SQLite cannot read is recreated.
//
// The package starts no goroutines. Cache.mu is held during I/O.
package cache

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"searchmcp/engine/api"
)

// DefaultMaxBytes is the default size limit of the cache file. It is enough for about 640,000 vectors.
const DefaultMaxBytes = 1 << 30

var ErrClosed = errors.New("vector cache is closed")

type Options struct {
	MaxBytes int64 // 0 means DefaultMaxBytes
	Log      *slog.Logger
}

// Cache is safe for concurrent use. Only one process may open it.
type Cache struct {
	path string
	max  int64
	log  *slog.Logger

	mu sync.Mutex // unexported methods need the lock
	db *sql.DB    // nil after Close
}

const (
	keySize    = 16
	vectorSize = api.VectorDim * 4
	queryKeys  = 500
	evicted    = 8 // evicting deletes the oldest eighth of the rows
	renewed    = 4 // reading a row of the oldest quarter gives the row a new number
)

func keyOf(model, input string) []byte {
	h := sha256.New()
	io.WriteString(h, model)
	h.Write([]byte{0})
	io.WriteString(h, input)
	return h.Sum(nil)[:keySize]
}

// Open opens the cache in dir, or creates it. If the file cannot be used, vectors are not cached until the next start.
func Open(dir string, o Options) (*Cache, error) {
	c := &Cache{path: filepath.Join(dir, "vectors.db"), max: o.MaxBytes, log: o.Log}
	if c.max <= 0 {
		c.max = DefaultMaxBytes
	}
	if c.log == nil {
		c.log = slog.Default()
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of vector cache: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.recreate(c.openFile()); err != nil {
		if c.db != nil {
			err = errors.Join(err, c.db.Close())
		}
		c.db = nil
		c.log.Warn("vector cache disabled", "err", err)
	}
	return c, nil
}

// Shrink deletes rows until the file is within its size limit. Shrink may take seconds.
func (c *Cache) Shrink(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return
	}
	err := c.evict(ctx)
	if err == nil {
		_, err = c.db.ExecContext(ctx, "PRAGMA incremental_vacuum")
	}
	if err = c.recreate(err); err != nil && ctx.Err() == nil {
		c.log.Warn("vector cache not shrunk", "err", err)
	}
}

func (c *Cache) openFile() error {
	path := filepath.ToSlash(c.path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows path with a drive letter
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: "_pragma=cache_size(-256)" +
		"&_pragma=synchronous(normal)&_pragma=busy_timeout(1000)" +
		"&_txlock=immediate"}).String())
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	c.db = db
	// SQLite gives its journals the permissions of the cache file.
	f, err := os.OpenFile(c.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	// The page size and auto_vacuum must be set before the first table is created.
	_, err = db.Exec("PRAGMA page_size=8192; PRAGMA auto_vacuum=2; CREATE TABLE IF NOT EXISTS vectors (" +
		"number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL); PRAGMA journal_mode=wal")
	return err
}

// recreate replaces the cache file with an empty one if err reports damage.
func (c *Cache) recreate(err error) error {
	if !damaged(err) {
		return err
	}
	c.log.Warn("damaged vector cache dropped", "err", err)
	err = c.db.Close()
	c.db = nil
	for _, end := range []string{"", "-wal", "-shm"} {
		if rerr := os.Remove(c.path + end); !errors.Is(rerr, os.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}
	if err != nil {
		return err
	}
	return c.openFile()
}

// Get returns the cached vectors of inputs, by the index of the text in inputs.
func (c *Cache) Get(ctx context.Context, model string, inputs []string) (map[int]api.Vector, error) {
	out := make(map[int]api.Vector, len(inputs))
	keys, places := make([]any, len(inputs)), make(map[string][]int, len(inputs))
	for i, in := range inputs {
		k := keyOf(model, in)
		keys[i], places[string(k)] = k, append(places[string(k)], i)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return nil, ErrClosed
	}
	if err := c.recreate(c.get(ctx, keys, func(key []byte, v api.Vector) {
		for _, i := range places[string(key)] {
			out[i] = v
		}
	})); err != nil {
		return nil, fmt.Errorf("read vector cache: %w", err)
	}
	return out, nil
}

func (c *Cache) get(ctx context.Context, keys []any, visit func(key []byte, v api.Vector)) error {
	least, most, err := c.numbers()
	if err != nil {
		return err
	}
	used, err := c.used()
	if err != nil {
		return err
	}
	threshold := least
	if 2*used > c.max {
		threshold += (most - least) / renewed
	}
	var old []int64
	for part := range slices.Chunk(keys, queryKeys) {
		err := c.read(ctx, part, func(number int64, key, record []byte) {
			if len(record) != vectorSize+crc32.Size ||
				sumOf(key, record[:vectorSize]) != binary.LittleEndian.Uint32(record[vectorSize:]) {
				return
			}
			var v api.Vector
			for n := range v {
				v[n] = math.Float32frombits(binary.LittleEndian.Uint32(record[4*n:]))
			}
			if visit(key, v); number < threshold {
				old = append(old, number)
			}
		})
		if err != nil {
			return err
		}
	}
	err = c.each(ctx, "UPDATE vectors SET number = (SELECT max(number) + 1 FROM vectors) WHERE number = ?",
		len(old), func(i int) []any { return []any{old[i]} })
	if err != nil && !damaged(err) {
		c.log.Debug("vectors not renewed", "err", err)
		err = nil
	}
	return err
}

func damaged(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xff == lib.SQLITE_CORRUPT || e.Code()&0xff == lib.SQLITE_NOTADB)
}

func (c *Cache) numbers() (least, most int64, err error) {
	err = c.db.QueryRow("SELECT ifnull((SELECT min(number) FROM vectors), 0), "+
		"ifnull((SELECT max(number) FROM vectors), 0)").Scan(&least, &most)
	return least, most, err
}

// read calls visit with each row whose key is in keys. The slices key and record are valid only during the call.
func (c *Cache) read(ctx context.Context, keys []any, visit func(number int64, key, record []byte)) error {
	rows, err := c.db.QueryContext(ctx, "SELECT number, key, vector FROM vectors WHERE key IN (?"+
		strings.Repeat(",?", len(keys)-1)+")", keys...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var number int64
	var key, record sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&number, &key, &record); err != nil {
			return err
		}
		visit(number, key, record)
	}
	return rows.Err()
}

func (c *Cache) each(ctx context.Context, statement string, n int, values func(i int) []any) error {
	if n == 0 {
		return nil
	}
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	prepared, err := tx.PrepareContext(ctx, statement)
	if err != nil {
		return err
	}
	defer prepared.Close()
	for i := range n {
		if _, err := prepared.ExecContext(ctx, values(i)...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Put stores the vectors of inputs. A system crash may lose the newest vectors.
func (c *Cache) Put(ctx context.Context, model string, inputs []string, vectors []api.Vector) error {
	if len(inputs) != len(vectors) {
		return fmt.Errorf("put into vector cache: %d inputs, %d vectors", len(inputs), len(vectors))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return ErrClosed
	}
	err := c.each(ctx, "INSERT INTO vectors (key, vector) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET "+
		"vector = excluded.vector WHERE vector <> excluded.vector", len(inputs), func(i int) []any {
		key, record := keyOf(model, inputs[i]), make([]byte, 0, vectorSize+crc32.Size)
		for _, x := range vectors[i] {
			record = binary.LittleEndian.AppendUint32(record, math.Float32bits(x))
		}
		return []any{key, binary.LittleEndian.AppendUint32(record, sumOf(key, record))}
	})
	if err == nil {
		err = c.evict(ctx)
	}
	if err := c.recreate(err); err != nil {
		return fmt.Errorf("put into vector cache: %w", err)
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sumOf(key, vector []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, vector)
}

func (c *Cache) evict(ctx context.Context) error {
	for {
		used, err := c.used()
		if err != nil || used <= c.max {
			return err
		}
		least, most, err := c.numbers()
		if err != nil || most == 0 {
			return err
		}
		if _, err := c.db.ExecContext(ctx, "DELETE FROM vectors WHERE number <= ?", least+(most-least)/evicted); err != nil {
			return err
		}
	}
}

func (c *Cache) used() (bytes int64, err error) {
	err = c.db.QueryRow("SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, " +
		"pragma_freelist_count, pragma_page_size").Scan(&bytes)
	return bytes, err
}

func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.db == nil {
		return nil
	}
	db := c.db
	c.db = nil
	return db.Close()
}
