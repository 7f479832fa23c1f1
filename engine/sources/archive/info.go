package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"searchmcp/engine/api"
)

// Describe counts the documents of an archive without modifying the archive. A missing archive counts as empty. After
// an error, only some fields of the result are set.
func Describe(ctx context.Context, path string) (api.ArchiveInfo, error) {
	info := api.ArchiveInfo{Path: path, Folders: []api.ArchiveFolder{}}
	if file, err := os.Stat(path); err == nil {
		info.Exists, info.Bytes = true, file.Size()
	}
	if _, err := examine(path); err != nil {
		if errors.Is(err, ErrMissing) {
			err = nil
		}
		return info, err
	}
	tx, done, err := openRead(ctx, path)
	if err != nil {
		return info, err
	}
	defer done()
	if err := count(ctx, tx, &info); err != nil {
		return info, fmt.Errorf("count documents of archive: %w", err)
	}
	return info, nil
}

func count(ctx context.Context, tx *sql.Tx, info *api.ArchiveInfo) error {
	folders, err := collect(ctx, tx, func(f *api.ArchiveFolder) []any { return []any{&f.Folder, &f.Documents} },
		"SELECT origin, count(*) FROM documents GROUP BY origin ORDER BY origin")
	if err != nil {
		return err
	}
	info.Folders = append(info.Folders, folders...)
	for _, f := range folders {
		info.Documents += f.Documents
	}
	return tx.QueryRowContext(ctx, "SELECT count(*), count(target_id) FROM citations").Scan(&info.Citations,
		&info.Resolved)
}

// Remove removes the documents of an imported folder, with their citations.
func Remove(ctx context.Context, db, folder string) (removed int, err error) {
	if _, err := examine(db); err != nil {
		return 0, err
	}
	conn, err := openWrite(ctx, db)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	err = inTransaction(ctx, conn, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "DELETE FROM documents WHERE origin = ?", folder)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		removed = int(n)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("remove folder from archive: %w", err)
	}
	return removed, nil
}
