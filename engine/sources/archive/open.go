package archive

import (
	"bytes"
	"context"
	"database/sql"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite"

	"searchmcp/engine/files/policy"
)

//go:embed schema.sql
var schema string

const (
	application   = 0x534D4152
	schemaVersion = 1
)

var (
	ErrMissing = errors.New("archive database not found")
	ErrForeign = errors.New("the file is not an archive of Search MCP")
	ErrDamaged = errors.New("the archive database is damaged")
	ErrWAL     = errors.New(
		"another program has switched the archive to write-ahead logging; importing a folder switches it back")
	ErrNewer = errors.New("the archive was created by a newer version of Search MCP")
)

// header identifies the state of an archive: fields of SQLite's file header and the file's modification time.
type header struct {
	changes  uint32 // SQLite's counter of transactions
	modified int64
}

const headerSize = 100

var magic = []byte("SQLite format 3\x00")

// examine reads the header ("Database File Format", 1.3) without SQLite, which might create the file or modify it.
func examine(path string) (header, error) {
	if err := regular(path); err != nil {
		return header{}, err
	}
	f, err := policy.OpenRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return header{}, fmt.Errorf("%w: %s", ErrMissing, path)
	}
	if err != nil {
		return header{}, fmt.Errorf("open archive: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return header{}, fmt.Errorf("open archive: %w", err)
	}
	b := make([]byte, headerSize)
	if _, err := io.ReadFull(f, b); err != nil {
		if info.Size() < headerSize {
			return header{}, fmt.Errorf("%w: %s is too short", ErrDamaged, path)
		}
		return header{}, fmt.Errorf("read archive: %w", err)
	}
	word := func(at int) uint32 { return binary.BigEndian.Uint32(b[at:]) }
	const wal = 2
	switch {
	case bytes.Equal(b[:16], magic) && word(68) == application && (b[18] == wal || b[19] == wal):
		return header{}, fmt.Errorf("%w: %s", ErrWAL, path)
	case !bytes.Equal(b[:16], magic), word(68) != application:
		return header{}, fmt.Errorf("%w: %s", ErrForeign, path)
	case word(60) > schemaVersion:
		return header{}, fmt.Errorf("%w: %s", ErrNewer, path)
	}
	return header{changes: word(24), modified: info.ModTime().UnixNano()}, nil
}

// regular returns an error if the archive or one of its journals is a pipe or a device, on which SQLite would block
// forever.
func regular(path string) error {
	for _, name := range []string{path, path + "-journal", path + "-wal"} {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%w: %s is no regular file", ErrForeign, name)
		}
	}
	return nil
}

func dsn(path, parameters string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p, RawQuery: parameters}).String()
}

// openRead opens an archive and begins a transaction. The caller calls done after reading.
func openRead(ctx context.Context, path string) (tx *sql.Tx, done func(), err error) {
	// The busy timeout of one second is longer than any commit and shorter than a client's timeout.
	db, err := sql.Open("sqlite", dsn(path,
		"mode=ro&_pragma=busy_timeout(1000)&_pragma=query_only(1)&_pragma=trusted_schema(0)"))
	if err != nil {
		return nil, nil, fmt.Errorf("open archive: %w", err)
	}
	db.SetMaxOpenConns(1)
	if tx, err = db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("open archive: %w", err), db.Close())
	}
	return tx, func() { _, _ = tx.Rollback(), db.Close() }, nil
}

// openWrite opens or creates an archive for import, and does not modify other files.
func openWrite(ctx context.Context, path string) (db *sql.DB, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make archive folder: %w", err)
	}
	if err := regular(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	info, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	if info.Size() > 0 {
		if _, err := examine(path); errors.Is(err, ErrForeign) || errors.Is(err, ErrDamaged) || errors.Is(err, ErrNewer) {
			return nil, err
		}
	}
	// Without cache spill, readers wait only while an import commits.
	db, err = sql.Open("sqlite", dsn(path,
		"_pragma=busy_timeout(10000)&_pragma=journal_mode(delete)&_pragma=foreign_keys(1)"+
			"&_pragma=secure_delete(1)&_pragma=cache_spill(0)&_pragma=cache_size(-65536)&_txlock=immediate"))
	if err != nil {
		return nil, fmt.Errorf("open archive: %w", err)
	}
	db.SetMaxOpenConns(1)
	if err := create(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// create creates the tables of a new archive.
func create(ctx context.Context, db *sql.DB) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return fmt.Errorf("read version of archive: %w", err)
	}
	if version == schemaVersion {
		return nil
	}
	err := inTransaction(ctx, db, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, schema+fmt.Sprintf(
			";\nPRAGMA application_id = %d;\nPRAGMA user_version = %d;", application, schemaVersion))
		return err
	})
	if err != nil {
		return fmt.Errorf("create tables of archive: %w", err)
	}
	return nil
}

func collect[T any](ctx context.Context, from querier, fields func(*T) []any, query string, args ...any) (out []T,
	_ error) {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one T
		if err := rows.Scan(fields(&one)...); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, rows.Err()
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

type pair[A, B any] struct {
	a A
	b B
}

func both[A, B any](p *pair[A, B]) []any { return []any{&p.a, &p.b} }

func inTransaction(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
