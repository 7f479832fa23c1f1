package baseline

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

// Row is a range of a file's lines.
type Row struct {
	Path string
	Line int // number of the first line, from 1
	Text string
}

const (
	// rowLines is about the length of the product's chunks.
	rowLines = 40
	// maxFile is the product's default size limit of a file in bytes.
	maxFile = 1 << 20
	// batchRows is the number of rows in a transaction. bleve is fast at this size.
	batchRows = 1000
)

// Rows splits the text files in dir into rows of rowLines lines. files is the number of files, and text their size in
// bytes.
func Rows(dir string) (rows []Row, files, text int, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if len(data) > maxFile || bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		files, text = files+1, text+len(data)
		rows = append(rows, cut(filepath.ToSlash(rel), string(data))...)
		return nil
	})
	if err != nil {
		return nil, 0, 0, fmt.Errorf("read %s: %w", dir, err)
	}
	return rows, files, text, nil
}

func cut(path, text string) []Row {
	var rows []Row
	line := 1
	for len(text) > 0 {
		end := 0
		for range rowLines {
			i := strings.IndexByte(text[end:], '\n')
			if i < 0 {
				end = len(text)
				break
			}
			end += i + 1
		}
		rows = append(rows, Row{Path: path, Line: line, Text: text[:end]})
		text, line = text[end:], line+rowLines
	}
	return rows
}

// Index is a full-text index of rows.
type Index interface {
	// Add commits rows to disk.
	Add(ctx context.Context, rows []Row) error
	// Search searches for any word of question and reads the best ten rows. It returns their number.
	Search(ctx context.Context, question string) (int, error)
	Close() error
}

// Measure adds rows to x and searches for all questions, in rounds rounds after a warm-up round. It returns the
// durations of adding all rows and of each search.
func Measure(ctx context.Context, x Index, rows []Row, questions []string, rounds int) (filled time.Duration,
	asked []time.Duration, err error) {
	began := time.Now()
	for i := 0; i < len(rows); i += batchRows {
		if err := x.Add(ctx, rows[i:min(len(rows), i+batchRows)]); err != nil {
			return 0, nil, err
		}
	}
	filled = time.Since(began)
	for round := range rounds + 1 {
		for _, q := range questions {
			began := time.Now()
			if _, err := x.Search(ctx, q); err != nil {
				return 0, nil, err
			}
			if round > 0 {
				asked = append(asked, time.Since(began))
			}
		}
	}
	return filled, asked, nil
}
