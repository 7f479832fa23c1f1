package baseline

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode"

	_ "modernc.org/sqlite" // the driver
)

type fts5 struct{ db *sql.DB }

// FTS5 creates a table with SQLite's standard tokenizer and write-ahead logging in file, which must not exist.
func FTS5(ctx context.Context, file string) (Index, error) {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return nil, fmt.Errorf("open SQLite: %w", err)
	}
	for _, s := range []string{
		"PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL",
		"CREATE VIRTUAL TABLE rows USING fts5(path, line UNINDEXED, text)",
	} {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return nil, errors.Join(fmt.Errorf("create FTS5 table: %w", err), db.Close())
		}
	}
	return fts5{db}, nil
}

func (x fts5) Add(ctx context.Context, rows []Row) error {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin FTS5 batch: %w", err)
	}
	if err := add(ctx, tx, rows); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("write FTS5 batch: %w", err)
	}
	return nil
}

func add(ctx context.Context, tx *sql.Tx, rows []Row) error {
	insert, err := tx.PrepareContext(ctx, "INSERT INTO rows(path, line, text) VALUES (?, ?, ?)")
	if err != nil {
		return fmt.Errorf("prepare FTS5 batch: %w", err)
	}
	defer insert.Close()
	for _, r := range rows {
		if _, err := insert.ExecContext(ctx, r.Path, r.Line, r.Text); err != nil {
			return fmt.Errorf("add to FTS5 table: %w", err)
		}
	}
	return nil
}

func (x fts5) Search(ctx context.Context, question string) (n int, err error) {
	words := strings.FieldsFunc(question, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		words[i] = `"` + w + `"`
	}
	found, err := x.db.QueryContext(ctx, "SELECT path, line, text FROM rows WHERE rows MATCH ? ORDER BY rank LIMIT ?",
		strings.Join(words, " OR "), top)
	if err != nil {
		return 0, fmt.Errorf("search FTS5 table: %w", err)
	}
	defer found.Close()
	for found.Next() {
		var r Row
		if err := found.Scan(&r.Path, &r.Line, &r.Text); err != nil {
			return 0, fmt.Errorf("read FTS5 row: %w", err)
		}
		n++
	}
	return n, found.Err()
}

func (x fts5) Close() error { return x.db.Close() }
