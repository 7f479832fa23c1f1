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

// Row is a piece of a file.
type Row struct {
	Path string
	Line int // first, 1-based
	Text string
}

const (
	// rowLines is about as much as the product's chunks hold.
	rowLines = 40
	// maxFile is the product's default limit of a file's size.
	maxFile = 1 << 20
	// batchRows is the size of a commit at which bleve is quick; SQLite does not mind.
	batchRows = 1000
)

// Rows reads the text files under a folder and cuts them at every 40th line. text is their size in bytes, files their
// number.
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
	// Add makes rows durable.
	Add(ctx context.Context, rows []Row) error
	// Search returns how many of the best ten rows for any of a question's words there are, their text read.
	Search(ctx context.Context, question string) (int, error)
	Close() error
}

// Measure fills an index and asks it the questions, each rounds times after a first that warms up.
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
